"""The page of compare: self-contained, right about the largest difference, whole in a browser, in light and dark."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halfpixel.models.compare import Comparison
from halfpixel.models.compare.difference import difference_of
from halfpixel.models.compare.drawings import grey, heat, histogram, profiles
from halfpixel.models.compare.expected import expected_of
from halfpixel.models.compare.nodes import result_of
from halfpixel.models.compare.planes import largest_of_blocks, plane_of, thumbnail
from halfpixel.models.compare.result import NodeResult, WholeResult
from halfpixel.peers.runtimes import NodeCall, Outcome
from halfpixel.peers.runtimes.outcome import RAN, REFUSED
from tests.oracles import Attributes, resize

pytestmark = pytest.mark.needs("module:jinja2", "module:PIL")

Array = np.ndarray[Any, Any]
X = (np.arange(2 * 30 * 40, dtype=np.int64) ** 2 * 3 % 97).reshape(1, 2, 30, 40).astype(np.float32)


def node(name: str, attributes: dict[str, Any], output: Array, x: Array = X) -> NodeResult:
    """A node 30 x 40 -> 15 x 20, compared with an output and with a runtime that refuses."""
    sizes = np.array([*x.shape[:-2], 15, 20] if x.ndim > 1 else [20], np.int64)
    call = NodeCall("Resize", (x, None, None, sizes), attributes, 19, frozenset({3}))
    expected = expected_of("Resize", call.inputs, attributes, 19)
    outcomes = {"fake": Outcome(RAN, {"Y": output}), "other": Outcome(REFUSED, words="it does not <like> it")}
    results = tuple(result_of(name, outcome, call, expected, None) for name, outcome in outcomes.items())
    return NodeResult(name, ("If_3.then_branch",), "Resize-19", call, "random", expected, "", results)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Two nodes: one differs everywhere, one has another shape; names that HTML must escape."""
    plain = resize(X, None, [1, 2, 15, 20], Attributes(mode="linear")).rounded()
    nodes = (
        node("up <b>&", {"mode": "linear", "antialias": 1}, plain),
        node("shape", {"mode": "linear"}, np.zeros((1, 2, 16, 20), np.float32)),
        node("equal", {"mode": "linear"}, plain),
    )
    whole = (
        WholeResult("fake", "differs", "", {"Y": (5000.0, 0.01, "ULP", True)}),
        WholeResult("other", REFUSED, "no"),
    )
    arguments = ("--with", "fake,other", "--seed", "3")
    return Comparison(Path("model.onnx"), {"fake": "1.0", "other": "2.0"}, nodes, whole, "", arguments)


def test_the_page_holds_everything(comparison: Comparison) -> None:
    page = comparison.html()
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', page) == []
    assert "<script" not in page
    assert "up &lt;b&gt;&amp;" in page
    assert "it does not &lt;like&gt; it" in page
    assert "Cause: <b>antialias ignored</b>" in page
    assert "halfpixel compare model.onnx --with fake,other --seed 3" in page
    assert "halfpixel compare model.onnx --with fake --node shape --seed 3" in page
    assert "1x2x16x20" in page
    assert "5000 ULP" in page


def test_the_plane_goes_through_the_largest_difference(comparison: Comparison) -> None:
    first = comparison.nodes[0]
    assert first.expected is not None
    result = first.results[0]
    assert result.difference is not None
    assert result.output is not None
    plane = plane_of(first.expected, result.output, result.difference)
    assert plane is not None
    assert result.difference.position is not None
    assert plane.mark == result.difference.position[2:]
    assert plane.units[plane.mark] == plane.units.max() == result.difference.largest
    assert plane.index == f"[0, {result.difference.position[1]}, :, :]"
    assert plane.ours.shape == (15, 20)


def pixels(url: str) -> Array:
    """The samples of a data URL."""
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(url.removeprefix("data:image/png;base64,")))) as image:
        return np.asarray(image)


def marked(rows: int, columns: int, spot: tuple[int, int], by: float) -> tuple[Any, Any]:
    """A plane of ones in which one sample differs."""
    x = np.ones((rows, columns), np.float32)
    call = NodeCall("Resize", (x, None, np.array([1, 1], np.float32)), {}, 19)
    expected = expected_of("Resize", call.inputs, {}, 19)
    other = x.copy()
    other[spot] += np.float32(by)
    difference = difference_of(expected, other, 0.0, False)
    return plane_of(expected, other, difference), difference


def test_the_heat_map_keeps_a_single_sample_of_many() -> None:
    plane, difference = marked(900, 1300, (777, 1234), 0.5)
    assert difference.position == (777, 1234)
    image = heat(plane)
    samples = pixels(image.url)
    assert max(samples.shape[:2]) <= 384
    assert np.argwhere(samples[:, :, 3] > 0).tolist() == [[777 // 3, 1234 // 4]]
    assert image.mark == pytest.approx((1234.5 / 1300 * image.width, 777.5 / 900 * image.height), abs=0.1)


def test_greys_have_the_scale_of_the_exact_result() -> None:
    plane, _ = marked(4, 5, (1, 2), 3.0)
    assert np.unique(pixels(grey(plane.ours, plane, 0.0, 2.0).url)).tolist() == [128]
    theirs = pixels(grey(plane.theirs, plane, 0.0, 2.0).url)
    assert theirs[1, 2] == 255


def test_the_histogram_counts_every_sample() -> None:
    """Differences of 0, 1, 3 and infinitely many units."""
    x = np.array([1.0, 1.0, 1.0, 1.0], np.float32)
    call = NodeCall("Resize", (x, None, np.array([1], np.float32)), {}, 19)
    expected = expected_of("Resize", call.inputs, {}, 19)
    other = np.array([1.0, 1 + 2.0**-23, 1 + 3 * 2.0**-23, np.nan], np.float32)
    bars = histogram(difference_of(expected, other, 2.0, False))
    assert [(bar.label, bar.count, bar.above) for bar in bars] == [
        ("0", 1, False),
        ("1", 1, False),
        ("2", 0, False),
        ("4", 1, True),
        ("inf", 1, True),
    ]


def test_profiles_show_the_largest_difference() -> None:
    plane, _ = marked(10, 300, (7, 250), 1.0)
    row, column = profiles(plane)
    assert (row.title, row.first, row.last) == ("row 7", 202, 297)
    assert (row.low, row.high) == ("1", "2")
    heights = [float(point.split(",")[1]) for point in row.theirs.split()]
    assert int(np.argmin(heights)) == 250 - row.first
    assert row.mark == pytest.approx((250 - row.first + 0.5) * 560 / 96, abs=0.01)
    assert (column.title, column.first, column.last) == ("column 250", 0, 9)


@pytest.mark.parametrize("shape", [(7,), (1,), (3, 1)])
def test_small_outputs_are_drawn(shape: tuple[int, ...]) -> None:
    x = np.ones(shape, np.float32)
    call = NodeCall("Resize", (x, None, np.ones(len(shape), np.float32)), {}, 19)
    expected = expected_of("Resize", call.inputs, {}, 19)
    other = x + 1
    plane = plane_of(expected, other, difference_of(expected, other, 0.0, False))
    assert plane is not None
    assert pixels(heat(plane).url).shape[2] == 4
    assert profiles(plane)


def test_strings_and_other_shapes_have_no_picture() -> None:
    x = np.array(["a", "b"], object)
    expected = expected_of("Resize", [x, None, np.array([2], np.float32)], {}, 19)
    other = np.array(["a", "a", "b", "a"], object)
    assert plane_of(expected, other, difference_of(expected, other, 0.0, False)) is None
    assert plane_of(expected, other[:2], difference_of(expected, other[:2], 0.0, False)) is None


def test_planes_are_thinned_out() -> None:
    values = np.arange(35.0).reshape(5, 7)
    assert thumbnail(values, 4).tolist() == [[0, 2, 4, 6], [14, 16, 18, 20], [28, 30, 32, 34]]
    assert largest_of_blocks(values, 4).tolist() == [[8, 10, 12, 13], [22, 24, 26, 27], [29, 31, 33, 34]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.mark.needs("program:chromium", "program:chromedriver", "module:selenium")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1240, 390])
def test_the_page_in_a_browser(browser: Any, comparison: Comparison, tmp_path: Path, theme: str, width: int) -> None:
    path = tmp_path / "page.html"
    path.write_text(comparison.html())
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())
    seen = browser.execute_script(
        """
        const images = [...document.images];
        const luminance = element => getComputedStyle(element).color.match(/[0-9.]+/g).slice(0, 3).map(Number)
            .reduce((sum, part) => sum + part, 0);
        const ring = document.querySelector("svg .ring").getBoundingClientRect();
        const frame = document.querySelector(".frame").getBoundingClientRect();
        return {
            images: images.length,
            drawn: images.every(image => image.complete && image.naturalWidth > 0 && image.alt),
            width: document.documentElement.scrollWidth,
            ink: luminance(document.body),
            bars: [...document.querySelectorAll(".bars span")].some(bar => bar.getBoundingClientRect().height > 20),
            lines: document.querySelectorAll(".profile polyline").length,
            inside: ring.left + ring.width / 2 >= frame.left && ring.right - ring.width / 2 <= frame.right,
            link: document.querySelector("td a").getAttribute("href"),
        };
        """
    )
    assert (seen["images"], seen["drawn"], seen["lines"]) == (3, True, 4)
    assert seen["bars"]
    assert seen["inside"]
    assert seen["width"] <= width
    assert (seen["ink"] > 384) == (theme == "dark")
    assert browser.find_elements("css selector", seen["link"].replace(" ", ""))
    assert browser.get_log("browser") == []
