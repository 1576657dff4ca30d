"""The page and the chart say what the JSON says, and leave empty what was not measured."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from halfpixel.peers.speed import tables
from halfpixel.peers.speed.chart import Line, lines_of, side_that_fills, svg
from halfpixel.peers.speed.compare import Rival, losses, mean_at_limit, mean_ratio, rivals
from halfpixel.peers.speed.page import documents, page
from halfpixel.peers.speed.results import text_of

from .records import entry, record, results

ROOT = Path(__file__).resolve().parents[3]
LINEAR = record(
    0.001,
    {
        "halfpixel": entry(0.002, 0.003, error=1.0),
        "OpenCV": entry(0.004, 0.005, error=2.0),
        "zimg": entry(0.001, border=2),
        "Pillow": {"refused": "other values: off by 3"},
    },
)
CUBIC = record(0.002, {"halfpixel": entry(0.002), "OpenCV": entry(0.016), "zimg": entry(0.008)})
TWO = results({"linear x2": {"1": LINEAR}, "cubic x2": {"1": CUBIC}})


def row(text: str, name: str) -> list[str]:
    """The cells of the first row of a table that begins with this name."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_rivals_are_sorted_and_refused_ones_left_out() -> None:
    assert rivals(LINEAR) == [Rival("zimg", 0.001, 0.5), Rival("OpenCV", 0.004, 2.0)]


def test_geometric_means() -> None:
    assert mean_ratio(TWO, 1, lambda name: name != "zimg") == (pytest.approx(4.0), 2)  # of 2 and 8
    assert mean_ratio(TWO, 1, lambda name: name == "zimg") == (pytest.approx(2**0.5), 2)  # of 0.5 and 4
    assert mean_ratio(TWO, 2, lambda name: True) is None


def test_the_mean_at_the_copy_limit_leaves_cases_that_beat_it() -> None:
    assert mean_at_limit(TWO, 1, lambda name: name != "zimg") == (pytest.approx(32**0.5), 2)  # of 4 / 1 and 16 / 2
    faster = record(0.004, {"halfpixel": entry(0.002), "OpenCV": entry(0.016)})
    assert mean_at_limit(results({"linear x2": {"1": faster}}), 1, lambda name: True) == (pytest.approx(8.0), 1)
    assert mean_at_limit(TWO, 2, lambda name: True) is None


def test_the_closest_peer_is_first() -> None:
    text = "\n".join(tables.by_peer(TWO, 1))
    assert row(text, "zimg") == ["zimg", "1.41", "0.50", "4.00", "2"]  # of 0.5 and 4
    assert row(text, "OpenCV") == ["OpenCV", "4.00", "2.00", "8.00", "2"]  # of 2 and 8
    assert text.index("| zimg |") < text.index("| OpenCV |")
    assert "Pillow" not in text


def test_losses() -> None:
    assert list(losses(TWO)) == [("linear x2", 1, Rival("zimg", 0.001, 0.5))]


def test_summary_has_the_case_limit_ratios_and_the_best_peer() -> None:
    text = "\n".join(tables.summary(TWO, 1))
    assert row(text, "linear x2") == [
        "linear x2", "1 ms", "2 ms", "2.2 ms", "2.00", "1.25", "1 ULP", "zimg", "1 ms", "0.50",
    ]  # fmt: skip
    assert "1 thread / this" not in text


def test_summary_of_two_threads_shows_the_gain() -> None:
    cases = {"linear x2": {"1": LINEAR, "2": record(0.001, {"halfpixel": entry(0.00125)})}}
    text = "\n".join(tables.summary(results(cases), 2))
    assert row(text, "linear x2")[-4:] == ["", "", "", "1.60"]


def test_everyone_shows_both_times_the_ratio_and_the_error() -> None:
    text = "\n".join(tables.everyone(TWO, 1))
    assert row(text, "case") == ["case", "halfpixel", "OpenCV", "zimg"]
    assert row(text, "linear x2") == [
        "linear x2",
        "2 ms (3 ms), 1 ULP",
        "4 ms (5 ms), 2.00x, 2 ULP",
        "1 ms, 0.50x, 0.5 ULP",
    ]


def test_a_refused_peer_shows_why() -> None:
    one = results({"linear x2": {"1": LINEAR}})
    one["versions"] = {"Pillow": "13"}
    assert row("\n".join(tables.everyone(one, 1)), "linear x2")[2] == "other values: off by 3"


def test_a_faster_peer_stays_with_a_reason() -> None:
    assert row("\n".join(tables.faster_peers(TWO)), "linear x2") == ["linear x2", "1", "zimg", "2.00", "not known"]
    known = record(1.0, {"halfpixel": entry(2.0), "PyTorch channels-last": entry(1.0)}, "LSB")
    forced = results({"uint8 linear antialias to 224, 3 channels": {"1": known}})
    forced["machine"]["isa"] = "x86-64-v3"
    assert "15-bit fixed point" in "\n".join(tables.faster_peers(forced))
    assert tables.faster_peers(results({"cubic x2": {"1": CUBIC}})) == ["Nowhere.", ""]


def test_other_readings() -> None:
    one = record(1.0, {"halfpixel": entry(1.0), "zimg": entry(1.0, reading={"cubic_coeff_a": -0.5}, border=2)})
    text = "\n".join(tables.readings(results({"cubic x2": {"1": one}})))
    assert row(text, "zimg") == ["zimg", "cubic_coeff_a=-0.5; 2 samples at the edges are not compared", "cubic x2"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, ""), (3.25e-6, "3.25 us"), (0.0001, "0.1 ms"), (0.01234, "12.3 ms"), (1.5, "1500 ms")]
)
def test_milliseconds(seconds: float | None, text: str) -> None:
    assert tables.milliseconds(seconds) == text


def test_memory_and_instructions() -> None:
    one = results({}, memory={"linear x2": {"1": {"halfpixel": 2**19}, "2": {}}}, instructions={"linear x2": 1234567})
    assert row("\n".join(tables.memory(one)), "linear x2") == ["linear x2", "0.50", ""]
    assert row("\n".join(tables.instructions(one)), "linear x2") == ["linear x2", "1,234,567"]


def grown(seconds: dict[int, float]) -> dict[str, dict[str, dict[str, object]]]:
    return {f"growth {side}": {"1": record(value / 2, {"halfpixel": entry(value)})} for side, value in seconds.items()}


def test_growth_is_nanoseconds_an_output_sample() -> None:
    one = results(grown({64: 4 * 64 * 64 * 1e-9, 128: 4 * 128 * 128 * 2e-9}))
    assert lines_of(one, 1) == [
        Line("copy limit", {64: pytest.approx(0.5), 128: pytest.approx(1.0)}),
        Line("halfpixel", {64: pytest.approx(1.0), 128: pytest.approx(2.0)}),
    ]
    assert row("\n".join(tables.growth(one, 1)), "128x128") == ["128x128", "1.000", "2.000"]


def test_a_cache_is_full_when_input_and_output_fill_it() -> None:
    assert side_that_fills(5 * 4 * 100 * 100) == 100


def test_the_chart_is_svg_with_a_point_for_each_size() -> None:
    lines = [Line("halfpixel", {64: 1.0, 8192: 0.5}), Line("zimg", {64: 2.0})]
    root = ElementTree.fromstring(svg(lines, {"L1": 2**15, "L2": 2**20}, "a < b"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "a < b"
    circles = root.findall(f"{space}circle")
    assert [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in circles] == [(60, 205), (670, 282.5), (60, 50)]
    texts = [text.text for text in root.iter(f"{space}text")]
    assert {"halfpixel 0.50", "zimg 2.00", "L2 full", "8192"} <= set(texts)
    assert "L1 full" not in texts  # sides from 64 on: it is full before


def test_the_page_comes_from_the_stored_files(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    one = results({"linear x2": {"1": LINEAR}, **grown({64: 1e-6, 128: 1e-5})})
    (folder / "one.json").write_text(text_of(one))
    texts = documents(folder, tmp_path / "page.md")
    chart = tmp_path / "images" / "time-per-sample-test-tm-1-2-cores-x86-64-v4-1.svg"
    assert list(texts) == [tmp_path / "page.md", chart]
    text = texts[tmp_path / "page.md"]
    assert "## Test (TM) 1, x86-64-v4\n" in text
    assert "without zimg 2.00 (1 cases), against zimg alone 0.50 (1 cases)" in text
    assert f"](images/{chart.name})" in text
    assert "L2 (1024 KiB) up to a side of 229" in text
    assert row(text, "uint8 cubic x2") == ["uint8 cubic x2", "the same, four taps"]


def test_the_page_names_what_was_not_measured() -> None:
    assert "ended early: cubic x2 on 2 threads." in page([results({}, failed=[["cubic x2", 2]])], "images")


def test_a_page_without_results() -> None:
    assert "Nothing has been measured yet." in page([], "images")


def test_the_page_in_the_documentation_is_the_one_of_the_stored_results() -> None:
    target = ROOT / "docs" / "benchmarks.md"
    for path, text in documents(ROOT / "benchmarks" / "results", target).items():
        assert path.read_text() == text
