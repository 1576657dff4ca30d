"""DepthToSpace and SpaceToDepth of every version: shapes and refusals."""

import pytest

from halfpixel._errors import ResourceError, SpecError
from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

BOTH = pytest.mark.parametrize(
    ("spec", "label"), [(depth_to_space_spec, "DepthToSpace-28"), (space_to_depth_spec, "SpaceToDepth-28")]
)


@pytest.mark.rule("R-RAR-12")
@pytest.mark.parametrize(
    ("deep", "blocksize", "wide"),
    [
        ((1, 8, 2, 3), 2, (1, 2, 4, 6)),
        ((2, 18, 3, 3), 3, (2, 2, 9, 9)),
        ((1, 2, 2, 2), 1, (1, 2, 2, 2)),
        ((0, 4, 2, 2), 2, (0, 1, 4, 4)),
        ((1, 0, 2, 2), 2, (1, 0, 4, 4)),
        ((1, 4, 0, 2), 2, (1, 1, 0, 4)),
    ],
)
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_shapes(deep, blocksize, wide, mode):
    forth = depth_to_space_spec(deep, blocksize, mode=mode)
    back = space_to_depth_spec(wide, blocksize, mode=mode)
    assert (forth.in_shape, forth.out_shape, forth.blocksize, forth.mode) == (deep, wide, blocksize, mode)
    assert (back.in_shape, back.out_shape, back.blocksize, back.mode) == (wide, deep, blocksize, mode)
    assert (forth.op_type, forth.version, back.op_type, back.version) == ("DepthToSpace", 28, "SpaceToDepth", 28)


@pytest.mark.rule("R-RAR-09")
def test_the_default_mode_is_dcr():
    assert depth_to_space_spec((1, 4, 2, 2), 2).mode == "DCR"
    assert space_to_depth_spec((1, 1, 4, 4), 2).mode == "DCR"


@pytest.mark.rule("R-RAR-10", "R-RAR-11")
@pytest.mark.parametrize(
    ("spec", "version", "has_mode"),
    [
        (depth_to_space_spec, 1, False),
        (depth_to_space_spec, 11, True),
        (depth_to_space_spec, 13, True),
        (depth_to_space_spec, 28, True),
        (space_to_depth_spec, 1, False),
        (space_to_depth_spec, 13, False),
        (space_to_depth_spec, 28, True),
    ],
)
def test_which_versions_have_a_mode(spec, version, has_mode):
    shape = (1, 4, 4, 4)
    assert spec(shape, 2, mode="DCR", version=version).mode == "DCR"
    assert spec(shape, 2, mode="CRD", version=version, strict=False).mode == "CRD"
    if has_mode:
        assert spec(shape, 2, mode="CRD", version=version).mode == "CRD"
    else:
        with pytest.raises(SpecError, match=r"has no 'mode': it came with \w+-(11|28)\n") as info:
            spec(shape, 2, mode="CRD", version=version)
        assert info.value.code == "HP113"


@BOTH
@pytest.mark.parametrize("mode", ["dcr", "", None, 0, b"DCR", "nearest"])
def test_an_unknown_mode(spec, label, mode):
    with pytest.raises(SpecError, match="is not a value of 'mode'") as info:
        spec((1, 4, 4, 4), 2, mode=mode)
    assert (info.value.code, info.value.allowed) == ("HP112", "DCR, CRD")


@pytest.mark.rule("R-RAR-05")
@BOTH
@pytest.mark.parametrize("shape", [(), (4,), (4, 2, 2), (1, 4, 2, 2, 1)])
def test_another_rank(spec, label, shape):
    with pytest.raises(SpecError, match=f"{label} takes rank 4, not {len(shape)}") as info:
        spec(shape, 2)
    assert (info.value.code, info.value.allowed) == ("HP123", "[N, C, H, W]")


@pytest.mark.rule("R-RAR-06", "R-RAR-13")
@BOTH
@pytest.mark.parametrize("blocksize", [0, -1, -(2**70), None, 2.0, "2", True, [2], float("nan")])
def test_a_blocksize_below_1(spec, label, blocksize):
    with pytest.raises(SpecError, match=f"{label} needs a blocksize of 1 or more") as info:
        spec((1, 4, 4, 4), blocksize)
    assert (info.value.code, info.value.allowed) == ("HP124", "an integer from 1 on")
    assert info.value.given.startswith("blocksize=")


@pytest.mark.rule("R-RAR-07")
@pytest.mark.parametrize(
    ("channels", "blocksize", "sentence"),
    [
        (6, 2, "DepthToSpace-28 needs C = 6 to be a multiple of blocksize^2 = 4"),
        (8, 3, "DepthToSpace-28 needs C = 8 to be a multiple of blocksize^2 = 9"),
        (4, 2**32, "DepthToSpace-28 needs C = 4 to be a multiple of blocksize^2 = 18446744073709551616"),
    ],
)
def test_depth_that_blocksize_does_not_divide(channels, blocksize, sentence):
    with pytest.raises(SpecError) as info:
        depth_to_space_spec((1, channels, 2, 2), blocksize)
    assert (info.value.code, info.value.sentence) == ("HP125", sentence)


@pytest.mark.rule("R-RAR-08")
@pytest.mark.parametrize(
    ("shape", "blocksize", "sentence"),
    [
        ((1, 1, 7, 8), 2, "SpaceToDepth-28 needs H = 7 to be a multiple of blocksize = 2"),
        ((1, 1, 8, 7), 2, "SpaceToDepth-28 needs W = 7 to be a multiple of blocksize = 2"),
        ((1, 1, 4, 4), 2**62, "SpaceToDepth-28 needs H = 4 to be a multiple of blocksize = 4611686018427387904"),
    ],
)
def test_space_that_blocksize_does_not_divide(shape, blocksize, sentence):
    with pytest.raises(SpecError) as info:
        space_to_depth_spec(shape, blocksize)
    assert (info.value.code, info.value.sentence) == ("HP125", sentence)


def test_a_blocksize_with_more_digits_than_python_prints():
    with pytest.raises(SpecError, match="HP125"):
        depth_to_space_spec((1, 4, 2, 2), 10**5000)


def test_a_length_of_0_is_divisible_but_must_stay_countable():
    assert space_to_depth_spec((1, 1, 0, 0), 2**20).out_shape == (1, 2**40, 0, 0)
    with pytest.raises(ResourceError, match="given:   blocksize=4294967296, which is"):
        space_to_depth_spec((1, 1, 0, 0), 2**32)
    with pytest.raises(ResourceError, match="given:   blocksize=4294967296, which is"):
        depth_to_space_spec((1, 0, 2, 2), 2**32)


@BOTH
def test_an_unknown_version(spec, label):
    with pytest.raises(SpecError, match="has no version 2\n") as info:
        spec((1, 4, 4, 4), 2, version=2)
    assert info.value.code == "HP101"


@BOTH
def test_what_is_no_shape(spec, label):
    with pytest.raises(SpecError, match="HP121"):
        spec((1, 4, -4, 4), 2)
