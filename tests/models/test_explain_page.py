"""The page and the drawing of explain: in a browser, by mouse and keyboard, and its arithmetic against the tables."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest

import halfpixel as hp
from halfpixel._typing import CoordinateTransformationMode, Like, NearestMode
from halfpixel.models import explain
from halfpixel.models.explain.conventions import CONVENTIONS
from halfpixel.models.explain.settings import Settings

BROWSER = pytest.mark.needs("program:chromium", "program:chromedriver", "module:selenium")
REQUEST: dict[str, Any] = {"x_shape": [1, 3, 5, 7], "scales": [1, 1, 2, 2], "mode": "linear", "at": [0, 0, 5, 7]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window and without a network."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,2000",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The page of REQUEST, from a file; at the end nothing was complained of."""
    opened(browser, tmp_path, REQUEST)
    yield browser
    assert browser.get_log("browser") == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def opened(browser: Any, folder: Path, request: dict[str, Any]) -> None:
    browser.get_log("performance")
    path = folder / "page.html"
    path.write_text(explain(**request).html())
    browser.get(path.as_uri())


def find(page: Any, selector: str) -> Any:
    return page.find_element("css selector", selector)


def choose(page: Any, name: str, value: str) -> None:
    from selenium.webdriver.support.select import Select

    Select(find(page, f"#{name}")).select_by_value(value)


def write(page: Any, name: str, value: str) -> None:
    """Replace what stands in a field, as a person does."""
    from selenium.webdriver.common.keys import Keys

    find(page, f"#{name}").send_keys(Keys.CONTROL, "a")
    find(page, f"#{name}").send_keys(value)


def taps(page: Any, panel: str = "#here") -> list[list[str]]:
    rows = page.find_elements("css selector", f"{panel} .taps tbody tr")
    return [[cell.text for cell in row.find_elements("css selector", "td")] for row in rows]


# ---- the arithmetic


def cases() -> list[dict[str, Any]]:
    """A few hundred requests of one axis: every coordinate and nearest mode, filters, scales, sizes, lengths."""
    chance = random.Random(7)
    found = []
    for number in range(420):
        coordinates = get_args(CoordinateTransformationMode)[number % 7]
        settings = Settings(
            mode=("nearest", "linear", "cubic")[number // 7 % 3],
            coordinate_transformation_mode=coordinates,
            nearest_mode=chance.choice([*get_args(NearestMode), *(["by_scale"] * (coordinates == "asymmetric"))]),
            cubic_coeff_a=hp.plan_resize((1,), "float32", sizes=[2], cubic_coeff_a=chance.choice([-0.75, -0.5, -0.3]))
            .spec.cubic_coeff_a,
            antialias=chance.random() < 0.5,
            exclude_outside=chance.random() < 0.5,
            length_rule=chance.choice(["floor", "round", "ceil", "float32_floor"]),
        )  # fmt: skip
        in_size = chance.choice([1, 2, 3, 5, 8, 20, 64])
        scale = chance.choice([0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 256 / 86, 3.3])
        size = chance.choice([1, 2, 3, 6, 8, 20, 37])
        by_scale = chance.random() < 0.5
        roi = chance.choice([(0.0, 1.0), (0.25, 0.75), (-0.25, 1.1), (0.1, 0.9)])
        found.append({
            "settings": settings, "in_size": in_size, "scale": scale if by_scale else None,
            "size": None if by_scale else size, "roi": roi,
        })  # fmt: skip
    return found


def of_python(case: dict[str, Any]) -> dict[str, Any]:
    """The tables of the core for a case."""
    scale, size = case["scale"], case["size"]
    scales, sizes = (None, [size]) if scale is None else ([scale], None)
    spec = case["settings"].spec((case["in_size"],), scales, sizes, case["roi"], None)
    from halfpixel.plan.plan import plan_from_spec

    plan = plan_from_spec(spec, "float32")
    (out_size,) = plan.output_shape
    if 0 not in plan.axes:
        return {"out_size": out_size, "copied": out_size > 0}
    table = plan.axes[0]
    ends = [(int(o), int(o + c)) for o, c in zip(table.offset, table.count, strict=True)]
    return {
        "out_size": out_size,
        "copied": False,
        "coordinates": table.coordinates.tolist(),
        "first": [int(first) if end > begin else None for first, (begin, end) in zip(table.first, ends, strict=True)],
        "weights": [table.weights[begin:end].tolist() for begin, end in ends],
    }


IN_THE_PAGE = """
return arguments[0].map(({settings, request}) => {
  const axis = halfpixel.axis(settings, request);
  const found = Array.from({length: axis.out_size}, (_, i) => halfpixel.sample(axis, i));
  return {out_size: axis.out_size, copied: axis.copied && axis.out_size > 0,
    coordinates: found.map((one) => one.value), weights: found.map((one) => one.weights),
    first: found.map((one) => (one.extrapolated ? null : one.first)),
    taps: found.map((one) => one.taps.map((tap) => [tap.weight, tap.counts_for]))};
});
"""


@BROWSER
def test_the_arithmetic_of_the_page_is_that_of_the_tables(page: Any) -> None:
    from dataclasses import asdict

    asked = cases()
    requests = [
        {"settings": asdict(one["settings"]), "request": {key: one[key] for key in ("in_size", "scale", "size", "roi")}}
        for one in asked
    ]
    answers = page.execute_script(IN_THE_PAGE, requests)
    compared = copied = extrapolated = 0
    for case, answer in zip(asked, answers, strict=True):
        expected = of_python(case)
        assert (answer["out_size"], answer["copied"]) == (expected["out_size"], expected["copied"]), case
        if "weights" not in expected:
            copied += 1
            continue
        compared += len(expected["weights"])
        extrapolated += expected["first"].count(None)
        assert answer["coordinates"] == pytest.approx(expected["coordinates"], rel=1e-15, abs=0), case
        assert answer["first"] == expected["first"], case
        for here, there in zip(answer["weights"], expected["weights"], strict=True):
            assert here == pytest.approx(there, rel=0, abs=1e-15), case
    assert compared > 5000
    assert copied > 3
    assert extrapolated > 50


@BROWSER
def test_the_page_takes_scales_as_float32(page: Any) -> None:
    settings = {"mode": "linear", "coordinate_transformation_mode": "half_pixel", "length_rule": "floor"}
    script = "const a = halfpixel.axis(arguments[0], {in_size: 10, scale: 0.7, roi: [0, 1]});"
    script += "return [a.out_size, a.byRule, a.scale.map(String)];"
    out_size, by_rule, scale = page.execute_script(script, settings)
    assert (out_size, scale) == (6, ["11744051", "16777216"])
    assert by_rule == {"floor": 6, "round": 7, "ceil": 7, "float32_floor": 7}


@BROWSER
def test_the_page_knows_the_presets(page: Any) -> None:
    """What it shows for a library is what like= gives."""
    data = json.loads(find(page, "#data").get_attribute("textContent"))
    shown = {one["name"]: one for one in data["conventions"]}
    for like in get_args(Like):
        convention = next(one for one in CONVENTIONS if one.name == like)
        if convention.like is None:
            assert shown[like]["changes"]["length_rule"] == "float32_floor"
            continue
        for mode in convention.modes:
            spec = hp.plan_resize((9,), "float32", sizes=[4], mode=mode, like=like).spec  # type: ignore[arg-type]
            values = shown[like]["settings"][mode]
            assert (values["antialias"], values["exclude_outside"]) == (spec.antialias, spec.exclude_outside)
            assert values["cubic_coeff_a"] == spec.cubic_coeff_a or mode != "cubic"


# ---- moving about


@BROWSER
def test_the_first_view(page: Any) -> None:
    assert find(page, "h1").text == "Resize-19"
    assert "= 13/4 = 3.25" in find(page, "#here .formula").text
    assert taps(page) == [["3", "-0.25", "0.75"], ["4", "+0.75", "0.25"]]
    assert find(page, "#sum").text == "Y[0, 0, 5, 7] = the sum of weight * X over 2 * 2 input samples"
    assert [cell.text for cell in page.find_elements("css selector", "#grid td")] == [
        "0.5625", "0.1875", "0.1875", "0.0625",
    ]  # fmt: skip


@BROWSER
def test_keys_move(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    figure = find(page, "#figure")
    places = []
    for key in (
        Keys.ARROW_RIGHT,
        Keys.ARROW_LEFT,
        Keys.ARROW_LEFT,
        Keys.END,
        Keys.ARROW_RIGHT,
        Keys.PAGE_DOWN,
        Keys.HOME,
    ):
        figure.send_keys(key)
        places.append(figure.get_attribute("aria-valuenow"))
    assert places == ["8", "7", "6", "13", "13", "3", "0"]
    assert taps(page)[0] == ["-1", "-0.75", "0.25", "outside: counts for 0"]
    find(page, "#index").send_keys(Keys.ARROW_RIGHT)
    assert figure.get_attribute("aria-valuetext") == "output sample 1 of 14"


@BROWSER
def test_the_mouse_moves(page: Any) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    figure = find(page, "#figure")
    # The rectangles of outputs 2 and 11 show where they lie.
    for index in ("2", "11"):
        (label,) = [one for one in page.find_elements("css selector", "#figure text") if one.text == index][-1:]
        ActionChains(page).move_to_element(label).perform()
        assert figure.get_attribute("aria-valuenow") == index
    chosen = find(page, "#figure .centre.chosen")
    assert chosen.get_attribute("cx") == find(page, "#figure .from").get_attribute("x1")


@BROWSER
def test_everything_can_be_reached_by_keyboard_and_shows_it(page: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    reached, body = [], find(page, "body")
    body.send_keys(Keys.TAB)
    for _ in range(30):
        focused = page.switch_to.active_element
        name = focused.get_attribute("id")
        if not name or name in reached:
            break
        style = page.execute_script(
            "const s = getComputedStyle(arguments[0]); return s.outlineStyle + s.outlineWidth", focused
        )
        assert style == "solid3px", name
        reached.append(name)
        focused.send_keys(Keys.TAB)
    wanted = ["mode", "coordinate_transformation_mode", "antialias", "reset", "index", "figure", "convention"]
    assert [name for name in reached if name in wanted] == wanted


@BROWSER
def test_an_axis_is_chosen(page: Any) -> None:
    find(page, "#axis-0").click()
    assert "= 9/4 = 2.25" in find(page, "#here .formula").text
    assert find(page, "#which").text == "5 of 10"


# ---- changing


@BROWSER
def test_modes_and_coordinates(page: Any) -> None:
    choose(page, "mode", "cubic")
    # Keys' cubic with a = -0.75 at 1/4: -27/256, 225/256, 67/256, -9/256.
    assert [row[2] for row in taps(page)] == ["-0.10546875", "0.87890625", "0.26171875", "-0.03515625"]
    write(page, "cubic_coeff_a", "-0.5")
    assert [row[2] for row in taps(page)] == ["-0.0703125", "0.8671875", "0.2265625", "-0.0234375"]
    choose(page, "coordinate_transformation_mode", "asymmetric")
    assert "= 7/2 = 3.5" in find(page, "#here .formula").text
    choose(page, "mode", "nearest")
    assert "A tie: x is half-way between samples 3 and 4. round_prefer_floor takes sample 3." in find(
        page, "#here .verdict").text  # fmt: skip
    choose(page, "nearest_mode", "ceil")
    assert taps(page) == [["4", "+0.5", "1"]]
    assert not find(page, "#antialias").is_enabled()


@BROWSER
def test_scale_size_and_antialias(page: Any) -> None:
    write(page, "scale", "0.7")
    assert find(page, "#which").text == "3 of 4"  # floor(7 * 0.7), and sample 7 is no more
    assert "scale 0.7 is 0.699999988079071044921875 in float32" in find(page, "#length").text
    choose(page, "by", "size")
    write(page, "size", "2")
    write(page, "in_size", "6")
    find(page, "#antialias").click()
    find(page, "#previous").click()
    assert [row[:3] for row in taps(page)] == [
        ["-1", "-2", "0.111111111"], ["0", "-1", "0.222222222"], ["1", "0", "0.333333333"],
        ["2", "+1", "0.222222222"], ["3", "+2", "0.111111111"],
    ]  # fmt: skip
    assert "3 times as wide (antialias): reaches 3" in find(page, "#here .verdict").text
    find(page, "#exclude_outside").click()
    assert taps(page)[0][3] == "outside: left out"
    assert "So: 0: 0.25, 1: 0.375, 2: 0.25, 3: 0.125" in find(page, "#here .taps").text
    find(page, "#reset").click()
    assert taps(page) == [["3", "-0.25", "0.75"], ["4", "+0.75", "0.25"]]


@BROWSER
def test_a_crop_leaves_the_input(page: Any) -> None:
    assert not find(page, "#start").is_displayed()
    choose(page, "coordinate_transformation_mode", "tf_crop_and_resize")
    assert find(page, "#start").is_displayed()
    choose(page, "by", "size")
    write(page, "end", "2")
    assert "x lies outside [0, 6]" in find(page, "#here .verdict").text
    assert taps(page) == []


@BROWSER
@pytest.mark.parametrize("wrong", ["0", "-1"])
def test_a_wrong_number_is_told_and_changes_nothing(page: Any, wrong: str) -> None:
    before = taps(page)
    write(page, "scale", wrong)
    assert find(page, "#wrong").text
    assert taps(page) == before


@BROWSER
def test_an_output_too_long_for_a_page(page: Any) -> None:
    write(page, "scale", "999999")
    assert find(page, "#wrong").text == "An output of 6999993 samples is not shown here: 0 to 1000000, please."
    find(page, "#in_size").click()  # the field takes the last good number back: 99999
    assert find(page, "#scale").get_attribute("value") == "99999"


@BROWSER
def test_the_other_convention(page: Any) -> None:
    choose(page, "mode", "nearest")
    choose(page, "convention", "opencv")
    assert taps(page, "#beside") == [["3", "-0.5", "1"]]  # 7 / 2, floored
    marked = [one.text for one in page.find_elements("css selector", "#beside .attributes strong")]
    assert marked == ["coordinate_transformation_mode=asymmetric", "nearest_mode=floor", "length_rule=round"]
    choose(page, "mode", "cubic")
    choose(page, "convention", "scikit-image")
    assert find(page, "#beside .verdict").text == "It has no mode cubic of this kind."
    choose(page, "convention", "tensorflow")
    assert "Weights differ by up to" in find(page, "#beside .verdict").text


@BROWSER
def test_another_length_elsewhere(browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, {"x_shape": [10], "scales": [0.7], "at": [5], "beside": ["onnxruntime"]})
    assert "Its output has 7 samples, not 6." in find(browser, "#beside .verdict").text
    assert not find(browser, "#together").is_displayed()


@BROWSER
def test_a_common_scale(browser: Any, tmp_path: Path) -> None:
    request = {
        "x_shape": [5, 4],
        "sizes": [7, 9],
        "keep_aspect_ratio_policy": "not_larger",
        "mode": "linear",
        "at": [3, 2],
    }
    opened(browser, tmp_path, request)
    # x = (2 + 1/2) / (7/5) - 1/2
    assert "= 9/7 = 1.28571429..." in find(browser, "#here .formula").text
    assert find(browser, "#length").text.startswith("6, 4 times the common scale 1.4")


@BROWSER
def test_a_long_axis(browser: Any, tmp_path: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(browser, tmp_path, {"x_shape": [1920], "sizes": [640], "mode": "cubic", "antialias": True})
    for key in (Keys.END, Keys.HOME, Keys.PAGE_UP):
        find(browser, "#figure").send_keys(key)
        assert find(browser, "#figure .out.chosen").is_displayed()
    assert len(browser.find_elements("css selector", "#figure .cell")) < 40
    assert browser.get_log("browser") == []


# ---- the page as a file


@BROWSER
def test_it_asks_the_network_for_nothing(browser: Any, tmp_path: Path) -> None:
    opened(browser, tmp_path, REQUEST)
    find(browser, "#next").click()
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
    assert {url.split(":")[0] for url in asked} == {"file"}
    assert len(asked) == 1


@BROWSER
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_it_fits(page: Any, width: int) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    for mode in ("cubic", "nearest"):
        choose(page, "mode", mode)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width


@BROWSER
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_light_and_dark(page: Any, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    script = "return [...arguments[0].matchAll(/--(\\w+)/g)].map(m => getComputedStyle(document.documentElement)"
    script += ".getPropertyValue('--' + m[1]).trim())"
    paper, card, ink, soft, accent, other = page.execute_script(script, "--paper --card --ink --soft --accent --other")
    assert (luminance(paper) > 0.5) == (scheme == "light")
    for colour in (ink, soft, accent, other):
        assert contrast(colour, card) >= 4.5
        assert contrast(colour, paper) >= 4.5


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_the_page_is_well_formed_and_refers_to_nothing() -> None:
    class Balance(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.links: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in ("meta", "input", "wbr", "br"):
                self.open.append(tag)
            self.links += [value or "" for name, value in attrs if name in ("src", "href")]

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    text = explain(**REQUEST).html()
    balance = Balance()
    balance.feed(text)
    assert (balance.open, balance.links) == ([], [])
    assert "url(" not in text
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}


def test_a_name_cannot_break_out_of_the_page() -> None:
    from tests.models import builders

    name = "</script><b>&amp;"
    text = explain(builders.model_of(builders.resize(19, name=name))).html()
    assert "<b>" not in text
    assert "&lt;/script&gt;&lt;b&gt;&amp;amp;" in text


# ---- the drawing


def drawing(**request: Any) -> ET.Element:
    return ET.fromstring(explain(**request).svg())


def marks(svg: ET.Element, kind: str) -> list[ET.Element]:
    return [one for one in svg.iter() if one.get("class") == kind]


def test_the_drawing_shows_where_outputs_lie() -> None:
    svg = drawing(x_shape=[4], scales=[2], mode="linear", at=[3])
    inputs = [float(one.get("cx", "nan")) for one in marks(svg, "centre source")]
    outputs = sorted(float(one.get("cx", "nan")) for one in [*marks(svg, "centre"), *marks(svg, "centre chosen")])
    cell = inputs[1] - inputs[0]
    assert len(outputs) == 8
    # Output i lies at i / 2 - 1/4.
    for i, x in enumerate(outputs):
        assert (x - inputs[0]) / cell == pytest.approx(i / 2 - 0.25, abs=1e-3)
    (chosen,) = marks(svg, "centre chosen")
    assert (float(chosen.get("cx", "nan")) - inputs[0]) / cell == pytest.approx(1.25, abs=1e-3)
    heights = [abs(float(one.get("y1", "nan")) - float(one.get("y2", "nan"))) for one in marks(svg, "stem")]
    assert heights[0] / heights[1] == pytest.approx(3, abs=0.01)  # 0.75 and 0.25
    words = [one.text for one in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert "x = 1.25" in words
    assert "0.25 to the right of the centre of input sample 1" in words


def test_a_long_axis_fills_the_drawing() -> None:
    svg = drawing(x_shape=[100], sizes=[50], mode="linear")
    boxes = [
        (float(one.get("x", "nan")), float(one.get("width", "nan")))
        for one in svg.iter()
        if "cell" in one.get("class", "")
    ]
    assert min(x for x, _ in boxes) == 1
    assert max(x + width for x, width in boxes) == pytest.approx(759, abs=0.1)


def test_labels_of_close_outputs_do_not_meet() -> None:
    for at in (8, 9, 79):
        svg = drawing(x_shape=[20], scales=[8], at=[at])
        row = float(marks(svg, "centre chosen")[0].get("cy", "nan"))
        words = [
            one for one in svg.iter("{http://www.w3.org/2000/svg}text") if 0 < row - float(one.get("y", "nan")) < 20
        ]
        places = sorted(float(one.get("x", "nan")) for one in words)
        assert len(places) > 10
        assert min(right - left for left, right in itertools.pairwise(places)) > 24


def test_taps_outside_are_drawn_outside() -> None:
    svg = drawing(x_shape=[5], scales=[2], mode="cubic", at=[0])
    assert len(marks(svg, "cell outside")) == 2
    assert len(marks(svg, "stem outside")) == 2
    assert len(marks(svg, "goes")) == 2
    excluded = drawing(x_shape=[5], scales=[2], mode="cubic", at=[0], exclude_outside=True)
    assert (len(marks(excluded, "stem outside")), len(marks(excluded, "goes"))) == (2, 0)


def test_a_panel_for_each_axis() -> None:
    svg = drawing(**REQUEST)
    assert len(marks(svg, "centre chosen")) == 2
    assert math.isclose(
        float(svg.get("height", "nan")), 2 * float(drawing(x_shape=[4], scales=[2]).get("height", "nan"))
    )


@pytest.mark.parametrize(
    "request_",
    [
        {"x_shape": [1], "sizes": [9], "mode": "linear"},
        {"x_shape": [1920], "sizes": [1], "mode": "cubic", "antialias": True},
        {"x_shape": [3], "sizes": [3000], "mode": "cubic", "at": [2999]},
        {"x_shape": [8], "sizes": [5], "roi": [2, 3], "coordinate_transformation_mode": "tf_crop_and_resize"},
    ],
    ids=["one sample", "wide", "dense", "outside"],
)  # fmt: skip
def test_odd_requests_are_drawn(request_: dict[str, Any]) -> None:
    svg = drawing(**request_)
    assert len(list(svg.iter())) < 400
    assert "nan" not in ET.tostring(svg, "unicode").replace("nance", "")
