"""identify: the attributes, the preset or the other reading that made an output, from data of oracles and libraries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from halfpixel import SpecError
from halfpixel.cli import run
from halfpixel.models import identify
from halfpixel.models.identify import Identified
from tests.oracles import Attributes, depth_to_space, resize, space_to_depth

Array = np.ndarray[Any, Any]


def noise(*shape: int, element: str = "float32") -> Array:
    random = np.random.default_rng(5)
    return (
        random.random(shape).astype(element) if "float" in element else random.integers(0, 256, shape).astype(element)
    )


def made(x: Array, scales: Any = None, sizes: Any = None, **attributes: Any) -> Array:
    """The exact result, rounded once."""
    return resize(x, scales, sizes, Attributes(**attributes)).rounded()


@pytest.mark.parametrize(
    "attributes",
    [
        {"mode": "linear"},
        {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
        {"mode": "linear", "coordinate_transformation_mode": "asymmetric"},
        {"mode": "linear", "antialias": True},
        {"mode": "linear", "antialias": True, "exclude_outside": True},
        {"mode": "cubic", "cubic_coeff_a": -0.5},
        {"mode": "cubic", "antialias": True},
        {"mode": "cubic", "antialias": True, "exclude_outside": True, "cubic_coeff_a": -0.5},
        {"mode": "nearest", "nearest_mode": "ceil"},
        {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
    ],
    ids=str,
)
def test_attributes_are_found(attributes: dict[str, Any]) -> None:
    x = noise(1, 12, 17)
    found = identify(x, made(x, None, [1, 7, 9], **attributes))
    assert found.matches[0].attributes == attributes
    assert found.matches[0].operator == "Resize"
    assert found.matches[0].changes == ()
    assert found.closest == ()


@pytest.mark.parametrize(
    ("mode", "attributes", "like"),
    [
        ("cubic", {"antialias": True, "exclude_outside": True, "cubic_coeff_a": -0.5}, "pillow"),
        ("linear", {"antialias": True, "exclude_outside": True}, "torchvision"),
        ("nearest", {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, "opencv"),
        ("linear", {"exclude_outside": True}, "tensorflow"),
    ],
)
def test_presets_are_named(mode: str, attributes: dict[str, Any], like: str) -> None:
    """The attributes of each preset, written down here."""
    x = noise(12, 17)
    found = identify(x, made(x, None, [7, 9], mode=mode, **attributes))
    named = [preset for match in found.matches for preset in match.presets]
    assert f"like={like!r}, mode={mode!r}" in named


def test_requests_that_mean_the_same_are_one() -> None:
    """For sizes half_pixel_symmetric is half_pixel, and so is pytorch_half_pixel where more than one sample is left."""
    x = noise(12, 17)
    found = identify(x, made(x, None, [7, 9], mode="linear", antialias=True))
    assert [match.attributes for match in found.matches] == [{"mode": "linear", "antialias": True}]


def test_given_scales_count() -> None:
    """0.6 of 9 is 5.4: the lengths 5 alone say another scale."""
    x = noise(9, 11)
    output = made(x, [0.6, 0.6], mode="linear")
    assert identify(x, output, scales=[0.6, 0.6]).matches[0].attributes == {"mode": "linear"}
    assert identify(x, output).matches == ()
    found = identify(x[np.newaxis], output[np.newaxis], scales=[0.6, 0.6], axes=[1, 2])
    assert found.matches[0].attributes == {"mode": "linear"}


def test_a_length_that_another_rule_gives_is_found() -> None:
    x = noise(10, 4)
    output = made(x, [0.7, 1], mode="linear", length_rule="float32_floor")
    found = identify(x, output, scales=[0.7, 1])
    assert found.matches[0].attributes == {"mode": "linear", "length_rule": "float32_floor"}


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_rearrangements_are_found(mode: str) -> None:
    x = noise(1, 18, 4, 5)
    (match,) = identify(x, depth_to_space(x, 3, mode)).matches
    assert (match.operator, match.attributes) == ("DepthToSpace", {"blocksize": 3, "mode": mode})
    x = noise(1, 2, 4, 6)
    (match,) = identify(x, space_to_depth(x, 2, mode)).matches
    assert (match.operator, match.attributes) == ("SpaceToDepth", {"blocksize": 2, "mode": mode})


def test_another_reading_of_integers_is_found() -> None:
    x = noise(12, 17, element="uint8")
    (part,) = resize(x, None, [20, 31], Attributes(mode="linear")).parts
    output = np.array([numerator // part.denominator for numerator in part.numerators], np.uint8).reshape(20, 31)
    match = identify(x, output).matches[0]
    assert match.attributes == {"mode": "linear"}
    assert match.changes == ("integers truncated",)


def test_none_is_said_where_none_does() -> None:
    x = noise(12, 17)
    output = made(x, None, [7, 9], mode="linear") * np.float32(1.05)
    found = identify(x, output)
    assert found.matches == ()
    assert found.closest[0].attributes == {"mode": "linear"}
    assert found.closest[0].missed > 0
    assert found.tried > 100


@pytest.mark.parametrize("x", [np.array(["a", "b", "c"]), np.array([True, False, True])], ids=["string", "bool"])
def test_strings_and_bool(x: Array) -> None:
    found = identify(x, x.repeat(2))
    assert found.matches[0].attributes == {"mode": "nearest"}
    assert identify(x, x[[0, 2, 1, 0, 2, 1]]).matches == ()


def test_nan_and_empty() -> None:
    x = noise(12, 17)
    output = made(x, None, [7, 9], mode="linear", antialias=True)
    x[3, 3] = np.nan
    output[2, 1:3] = np.nan
    assert identify(x, output).matches[0].attributes == {"mode": "linear", "antialias": True}
    found = identify(np.zeros((0, 4), np.float32), np.zeros((0, 8), np.float32))
    assert found == Identified((0, 4), (0, 8), "float32", "ULP", (), (), 0)


def test_another_element_type_of_the_output() -> None:
    x = noise(12, 17, element="uint8")
    found = identify(x, made(x.astype(np.float32), None, [20, 31], mode="cubic"))
    assert found.matches[0].attributes == {"mode": "cubic"}


def test_a_function_is_called_with_random_data() -> None:
    seen: list[Array] = []

    def every_other(x: Array) -> Array:
        seen.append(x.copy())
        x[...] = 0  # a function that writes into its input
        return seen[0][..., 1::2]

    found = identify(every_other, shape=(1, 3, 8), dtype="uint8", seed=2)
    assert found.matches[0].attributes == {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
    assert seen[0].dtype == np.uint8
    assert len(np.unique(seen[0])) > 10


@pytest.mark.needs("module:torch")
def test_functions_of_torch() -> None:
    import torch

    def shrunk(x: Array) -> Any:
        return torch.nn.functional.interpolate(torch.from_numpy(x), size=(7, 9), mode="bicubic", antialias=True)

    match = identify(shrunk, shape=(1, 2, 20, 30)).matches[0]
    assert "like='pillow', mode='cubic'" in match.presets
    assert identify(lambda x: torch.pixel_shuffle(torch.from_numpy(x), 3), shape=(1, 18, 4, 5)).matches[
        0
    ].attributes == {
        "blocksize": 3,
        "mode": "CRD",
    }


@pytest.mark.needs("module:PIL")
def test_pillow() -> None:
    """Pillow rounds between its two passes; Lanczos is no mode of Resize."""
    from PIL import Image

    x = noise(40, 50, 3, element="uint8")
    picture = Image.fromarray(x)
    match = identify(x, np.asarray(picture.resize((31, 22), Image.Resampling.BICUBIC))).matches[0]
    assert "like='pillow', mode='cubic'" in match.presets
    assert match.changes == ("integers rounded between the axes",)
    found = identify(x, np.asarray(picture.resize((31, 22), Image.Resampling.LANCZOS)))
    assert found.matches == ()
    assert found.closest[0].attributes["mode"] == "cubic"


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (np.zeros((3, 4)), np.zeros(6), {}),
        (np.array(["a"]), np.zeros(2), {}),
        (np.zeros(4), np.zeros(8), {"scales": [3]}),
        (lambda x: x, None, {}),
    ],
    ids=["rank", "strings", "scales", "function without a shape"],
)
def test_mistakes(x: Any, y: Any, words: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as caught:
        identify(x, y, **words)
    assert caught.value.code == "HP127"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = noise(1, 12, 17)
    np.save(folder / "in.npy", x)
    np.save(folder / "out.npy", made(x, None, [1, 20, 31], mode="cubic", cubic_coeff_a=-0.5))
    assert run(["identify", "in.npy", "out.npy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "float32 1x12x17 -> 1x20x31"
    assert lines[2:4] == ["reproduced by", "  Resize mode=cubic cubic_coeff_a=-0.5"]
    assert run(["identify", "in.npy", "out.npy", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["matches"][0]["attributes"] == {"mode": "cubic", "cubic_coeff_a": -0.5}
    np.save(folder / "other.npy", np.zeros((1, 20, 31), np.float32))
    assert run(["identify", "in.npy", "other.npy", "--most", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("none of ")
    assert "closest" in lines


@pytest.mark.needs("module:PIL")
def test_the_command_on_pictures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    x = noise(20, 30, 3, element="uint8")
    Image.fromarray(x).save(folder / "in.png")
    Image.fromarray(x[::2, ::2]).save(folder / "out.png")
    assert run(["identify", "in.png", "out.png"]) == 0
    assert capsys.readouterr().out.splitlines()[3] == "  Resize mode=nearest"


def test_the_command_with_a_function(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "made_for_identify.py").write_text("def half(x):\n    return x[..., ::2, ::2]\n")
    words = ["--function", "made_for_identify:half", "--shape", "1,8,8"]
    assert run(["identify", *words]) == 0
    assert capsys.readouterr().out.splitlines()[3] == "  Resize mode=nearest"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["in.npy"], "HP604"),
        ([], "HP604"),
        (["in.npy", "in.npy", "--function", "a:b"], "HP604"),
        (["--function", "nonsense", "--shape", "3"], "HP603"),
        (["--function", "no_such_module_here:f", "--shape", "3"], "HP603"),
        (["in.npy", "in.npy", "--scales", "two"], "HP603"),
    ],
)
def test_mistakes_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], error: str
) -> None:
    np.save(folder / "in.npy", np.zeros(3))
    assert run(["identify", *words]) == 2
    assert error in capsys.readouterr().err
