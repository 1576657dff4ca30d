"""The cases are well-formed, and they are the ones that the project asks for."""

import pytest

from halfpixel.peers import PEERS
from halfpixel.peers.speed.cases import CASES, COLD, INSTRUCTION_CASES, WARM, WHOLE, chosen
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.speed.ours import never_seen
from halfpixel.peers.work import RESIZE_GRAD, Work

# name -> (shape of X, shape of Y, element type, attributes that count)
EXPECTED = {
    "linear x2": ((1, 3, 1080, 1920), (1, 3, 2160, 3840), "float32", {"mode": "linear"}),
    "cubic x2": ((1, 3, 1080, 1920), (1, 3, 2160, 3840), "float32", {"mode": "cubic"}),
    "nearest x2": ((1, 3, 1080, 1920), (1, 3, 2160, 3840), "float32", {"mode": "nearest"}),
    "nearest x.5": ((1, 3, 1080, 1920), (1, 3, 540, 960), "float32", {"mode": "nearest"}),
    "linear x.5": ((1, 3, 1080, 1920), (1, 3, 540, 960), "float32", {"mode": "linear"}),
    "linear antialias x.5": ((1, 3, 1080, 1920), (1, 3, 540, 960), "float32", {"mode": "linear", "antialias": True}),
    "cubic antialias x.5": ((1, 3, 1080, 1920), (1, 3, 540, 960), "float32", {"mode": "cubic", "antialias": True}),
    "linear antialias to 224": ((1, 3, 1080, 1920), (1, 3, 224, 224), "float32", {"mode": "linear", "antialias": True}),
    "cubic antialias to 224": ((1, 3, 1080, 1920), (1, 3, 224, 224), "float32", {"mode": "cubic", "antialias": True}),
    "linear to 224": ((1, 3, 1080, 1920), (1, 3, 224, 224), "float32", {"mode": "linear"}),
    "linear x1.37": ((1, 3, 1080, 1920), (1, 3, 1480, 2630), "float32", {"mode": "linear"}),
    "cubic x1.37": ((1, 3, 1080, 1920), (1, 3, 1480, 2630), "float32", {"mode": "cubic"}),
    "256x64x64 nearest x2": ((1, 256, 64, 64), (1, 256, 128, 128), "float32", {"mode": "nearest"}),
    "256x64x64 linear x2": ((1, 256, 64, 64), (1, 256, 128, 128), "float32", {"mode": "linear"}),
    "256x64x64 align_corners x2": (
        (1, 256, 64, 64),
        (1, 256, 128, 128),
        "float32",
        {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
    ),
    "256x64x64 cubic x2": ((1, 256, 64, 64), (1, 256, 128, 128), "float32", {"mode": "cubic"}),
    "8x64x56x56 linear x2": ((8, 64, 56, 56), (8, 64, 112, 112), "float32", {"mode": "linear"}),
    "channels-last 64x64x256 linear x2": ((1, 64, 64, 256), (1, 128, 128, 256), "float32", {"mode": "linear"}),
    "uint8 linear antialias to 224, 3 channels": ((1080, 1920, 3), (224, 224, 3), "uint8", {"antialias": True}),
    "uint8 cubic antialias to 224, 4 channels": ((1080, 1920, 4), (224, 224, 4), "uint8", {"mode": "cubic"}),
    "uint8 cubic x2": ((1080, 1920, 3), (2160, 3840, 3), "uint8", {"mode": "cubic"}),
    "uint8 12 MP cubic antialias to 1024x768": (
        (3000, 4000, 3),
        (768, 1024, 3),
        "uint8",
        {"mode": "cubic", "antialias": True},
    ),
    "bfloat16 linear x2": ((1, 3, 1080, 1920), (1, 3, 2160, 3840), "bfloat16", {"mode": "linear"}),
    "trilinear x2": ((1, 1, 128, 128, 128), (1, 1, 256, 256, 256), "float32", {"mode": "linear"}),
    "trilinear antialias x.5": ((1, 1, 128, 128, 128), (1, 1, 64, 64, 64), "float32", {"antialias": True}),
    "DepthToSpace CRD uint8": ((1, 256, 128, 128), (1, 64, 256, 256), "uint8", {"blocksize": 2, "mode": "CRD"}),
    "SpaceToDepth DCR float16": ((1, 64, 256, 256), (1, 256, 128, 128), "float16", {"blocksize": 2, "mode": "DCR"}),
    "tiny 1x3x32x32 x2": ((1, 3, 32, 32), (1, 3, 64, 64), "float32", {"mode": "linear"}),
    "backward cubic x2": ((1, 3, 1080, 1920), (1, 3, 2160, 3840), "float32", {"mode": "cubic"}),
    "growth 8192": ((1, 1, 8192, 8192), (1, 1, 16384, 16384), "float32", {"mode": "linear"}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_case_is_what_its_name_says(name: str) -> None:
    shape, out_shape, element, attributes = EXPECTED[name]
    work = CASES[name].work
    assert (work.shape, work.out_shape, work.element) == (shape, out_shape, element)
    assert {key: work.attributes.get(key) for key in attributes} == attributes


def test_every_group_is_there() -> None:
    assert [name for name in CASES if name.startswith("growth")] == [
        f"growth {side}" for side in (64, 128, 256, 512, 1024, 2048, 4096, 8192)
    ]
    rearranged = {name for name in CASES if "Depth" in name}
    assert rearranged == {
        f"{operator} {mode} {element}"
        for operator in ("DepthToSpace", "SpaceToDepth")
        for mode in ("DCR", "CRD")
        for element in ("float32", "uint8", "float16")
    }
    assert {f"{element} linear x2" for element in ("uint8", "uint16", "float16", "bfloat16", "float64")} <= set(CASES)
    backward = [case.work.operation for name, case in CASES.items() if name.startswith("backward")]
    assert backward == [RESIZE_GRAD] * 3


def test_each_case_has_a_reason_and_known_words() -> None:
    names = {peer.name for peer in PEERS}
    for name, case in CASES.items():
        assert case.name == name
        assert case.reason
        assert case.call in (WARM, WHOLE, COLD)
        assert case.most is None or case.most > 1
        assert case.peers is None or case.peers <= names


def test_the_guard_has_cases_of_every_kind() -> None:
    quick = [case for case in CASES.values() if case.quick]
    assert 12 <= len(quick) <= 24
    assert len({case.group for case in quick}) == len({case.group for case in CASES.values()}) - 1
    assert len(INSTRUCTION_CASES) == 5


def test_chosen_keeps_the_order_of_the_tables() -> None:
    assert [case.name for case in chosen(["nearest x?", "linear x2"])] == ["linear x2", "nearest x2"]
    with pytest.raises(KeyError, match="lanczos"):
        chosen(["linear x2", "lanczos*"])


def test_random_input_has_no_zeros_to_speak_of() -> None:
    for element in ("uint8", "float16", "bfloat16", "float32", "float64", "uint16"):
        x = random_input(Work("resize", (3, 40, 50), "CHW", element, (80, 100), {"mode": "linear"}))
        assert (x.shape, x.dtype.name) == ((3, 40, 50), element)
        values = x.astype("float64")
        assert (values == 0).mean() < 0.02
        assert values.min() >= 0
        assert values.max() > 200 if element.startswith("uint") else values.max() < 1


def test_no_shape_comes_again_while_a_cache_of_512_could_hold_it() -> None:
    inputs = never_seen(CASES["tiny 1x3x32x32 x2, cold"].work)
    shapes = [next(inputs).shape for _ in range(33 * 33)]
    assert len(set(shapes)) == 33 * 33
    assert shapes[0] == (1, 3, 16, 16)
    assert shapes[-1] == (1, 3, 48, 48)
