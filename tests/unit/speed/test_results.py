"""Stored results: names of files, merging, reading, ratios."""

from pathlib import Path

import pytest

from halfpixel._errors import MediaError
from halfpixel.peers.speed.machine import identity, machine
from halfpixel.peers.speed.results import best, merged, path_of, ratio, read, text_of

from .records import entry, record, results


def test_the_file_of_a_machine() -> None:
    data = results({})["machine"]
    assert path_of(Path("kept"), data) == Path("kept/test-tm-1-2-cores-x86-64-v4.json")
    assert identity({**data, "isa": "x86-64-v3"}) == "test-tm-1-2-cores-x86-64-v3"


def test_this_machine_is_described() -> None:
    data = machine()
    assert data["processor"]
    assert data["cores"] >= 1
    assert data["memory"] > 2**28


def test_text_is_read_back_rounded(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(text_of(results({"linear x2": {"1": record(0.123456789, {"halfpixel": entry(1.0)})}})))
    stored = read(path)
    assert stored is not None
    assert stored["cases"]["linear x2"]["1"]["limit"] == 0.12346
    assert read(tmp_path / "none.json") is None


@pytest.mark.parametrize("text", ["{", "[]", '{"cases": {}}'])
def test_a_file_of_something_else(tmp_path: Path, text: str) -> None:
    path = tmp_path / "one.json"
    path.write_text(text)
    with pytest.raises(MediaError) as caught:
        read(path)
    assert caught.value.code == "HP502"
    assert caught.value.sentence == "the stored results cannot be read"
    assert caught.value.given.startswith(str(path))


def test_merging_keeps_what_was_not_measured_again() -> None:
    old = results({"a": {"1": 1, "2": 2}, "b": {"1": 3}}, instructions={"x": 7}, memory={"a": {"1": {"halfpixel": 5}}})
    new = results({"b": {"2": 4}, "c": {"1": 5}}, memory={"b": {"1": {}}})
    new["versions"] = {"zimg": "3.1"}
    both = merged(old, new)
    assert both["cases"] == {"a": {"1": 1, "2": 2}, "b": {"1": 3, "2": 4}, "c": {"1": 5}}
    assert both["memory"] == {"a": {"1": {"halfpixel": 5}}, "b": {"1": {}}}
    assert both["versions"] == {"OpenCV": "5.0", "zimg": "3.1"}
    assert both["instructions"] == {"x": 7}
    assert merged(None, new) is new


def test_instructions_of_another_compiler_go() -> None:
    old, new = results({}, instructions={"x": 7}), results({})
    new["machine"]["compiler"] = "13.1.0"
    assert merged(old, new)["instructions"] == {}
    new["instructions"] = {"x": 8}
    assert merged(old, new)["instructions"] == {"x": 8}


def test_the_reused_output_counts_where_there_is_one() -> None:
    assert best(entry(2.0, 1.0)) == 2.0
    assert best(entry(None, 1.0)) == 1.0
    assert best({"refused": "other values"}) is None
    assert best(None) is None


def test_ratio_to_the_copy_limit() -> None:
    one = record(0.5, {"halfpixel": entry(0.75), "zimg": {"refused": "other values"}})
    assert ratio(one, "halfpixel") == 1.5
    assert ratio(one, "zimg") is None
