"""Wrong calls: each raises the family's class with all four fields, and writes nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel._errors import ERROR_CODES

X = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
X.flags.writeable = False
DEEP = np.arange(16, dtype=np.float32).reshape(1, 4, 2, 2)
STRINGS = np.array(["a", "b"])
NAN, INF = float("nan"), float("inf")
PLAN = hp.plan_resize((4,), "float32", scales=[2], mode="linear")
NODE = {"opset": 19}
ONES = np.ones(4, np.float32)
INT32 = np.array([1, 2, 6, 8], np.int32)


class Hostile:
    """Answers every protocol with an exception of its own."""

    def __index__(self) -> int:
        raise RuntimeError("no index")

    __float__ = __len__ = __iter__ = __array__ = __dlpack__ = __index__  # type: ignore[assignment]


def resize(**request: Any) -> Callable[[Any], Any]:
    return lambda out: hp.resize(X, **({"scales": [1, 1, 2, 2]} | request), out=out)


def call(function: Callable[..., Any], *arguments: Any, **request: Any) -> Callable[[Any], Any]:
    return lambda out: function(*arguments, **request)


CROP: Any = {"coordinate_transformation_mode": "tf_crop_and_resize"}
SPEC = hp.SpecError
TYPE = hp.ElementTypeError
MEMORY = hp.ResourceError

# fmt: off  # a row for each call
CALLS: list[tuple[str, Callable[[Any], Any], type[hp.HalfpixelError], str]] = [
    # scales and sizes
    ("scale NaN", resize(scales=[1, 1, NAN, 1]), SPEC, "HP107"),
    ("scale infinite", resize(scales=[1, 1, INF, 1]), SPEC, "HP107"),
    ("scale zero", resize(scales=[1, 1, 0, 1]), SPEC, "HP107"),
    ("scale negative", resize(scales=[1, 1, -2, 1]), SPEC, "HP107"),
    ("scale below float32", resize(scales=[1, 1, 1e-60, 1]), SPEC, "HP107"),
    ("scale above float32", resize(scales=[1, 1, 1e60, 1]), SPEC, "HP107"),
    ("scale a huge integer", resize(scales=[1, 1, 10**400, 1]), SPEC, "HP107"),
    ("scale text", resize(scales=[1, 1, "2", 1]), SPEC, "HP116"),
    ("scales text", resize(scales="1122"), SPEC, "HP116"),
    ("scale complex", resize(scales=[1, 1, 2 + 0j, 1]), SPEC, "HP116"),
    ("scale hostile", resize(scales=[1, 1, Hostile(), 1]), SPEC, "HP116"),
    ("scales hostile", resize(scales=Hostile()), SPEC, "HP116"),
    ("scales nested", resize(scales=[[1], [1], [2], [2]]), SPEC, "HP116"),
    ("scales of rank 2", resize(scales=np.ones((2, 2))), SPEC, "HP116"),
    ("scales a number", resize(scales=2), SPEC, "HP116"),
    ("both scales and sizes", resize(sizes=[1, 2, 6, 8]), SPEC, "HP104"),
    ("neither scales nor sizes", resize(scales=None), SPEC, "HP103"),
    ("both empty", resize(scales=[], sizes=[]), SPEC, "HP103"),
    ("too few scales", resize(scales=[2, 2]), SPEC, "HP105"),
    ("too many sizes", resize(scales=None, sizes=[1, 2, 3, 4, 5]), SPEC, "HP106"),
    ("size negative", resize(scales=None, sizes=[1, 2, -3, 4]), SPEC, "HP109"),
    ("size a fraction", resize(scales=None, sizes=[1, 2, 3.5, 4]), SPEC, "HP116"),
    ("size NaN", resize(scales=None, sizes=[1, 2, NAN, 4]), SPEC, "HP116"),
    ("empty axis should grow", call(hp.resize, np.zeros((0, 2)), sizes=[3, 2]), SPEC, "HP119"),
    ("sizes beyond 63 bits", resize(scales=None, sizes=[2**40, 2**40, 3, 4]), MEMORY, "HP300"),
    ("size beyond 64 bits", resize(scales=None, sizes=[1, 2, 10**30, 4]), MEMORY, "HP300"),
    ("scales beyond 63 bits", resize(scales=[3e38, 3e38, 1, 1]), MEMORY, "HP300"),
    ("sizes beyond memory", call(hp.resize, X, sizes=[2**20, 2**20, 3, 4]), MEMORY, "HP301"),
    # axes and roi
    ("axis out of range", resize(scales=[2], axes=[4]), SPEC, "HP110"),
    ("axis out of range below", resize(scales=[2], axes=[-5]), SPEC, "HP110"),
    ("axis repeated", resize(scales=[2, 2], axes=[3, -1]), SPEC, "HP111"),
    ("axis a fraction", resize(scales=[2], axes=[1.5]), SPEC, "HP116"),
    ("axes text", resize(scales=[2], axes="3"), SPEC, "HP116"),
    ("roi missing", resize(**CROP), SPEC, "HP117"),
    ("roi too short", resize(roi=[0, 0, 1, 1], **CROP), SPEC, "HP117"),
    ("roi NaN", resize(roi=[0, 0, 0, 0, 1, 1, NAN, 1], **CROP), SPEC, "HP118"),
    ("roi reversed with scales", resize(roi=[0, 0, 1, 0, 1, 1, 0, 1], **CROP), SPEC, "HP120"),
    # attributes
    ("mode unknown", resize(mode="lanczos"), SPEC, "HP112"),
    ("mode None", resize(mode=None), SPEC, "HP112"),
    ("mode unhashable", resize(mode=["linear"]), SPEC, "HP112"),
    ("coordinate mode unknown", resize(coordinate_transformation_mode="half-pixel"), SPEC, "HP112"),
    ("nearest mode unknown", resize(nearest_mode="round"), SPEC, "HP112"),
    ("policy unknown", resize(keep_aspect_ratio_policy="fit"), SPEC, "HP112"),
    ("keyword unknown", resize(align_corners=True), SPEC, "HP172"),
    ("antialias in version 13", resize(antialias=True, version=13), SPEC, "HP113"),
    ("axes in version 11", resize(scales=[2], axes=[3], version=11), SPEC, "HP113"),
    ("cubic in version 10", resize(mode="cubic", version=10), SPEC, "HP113"),
    ("symmetric in 18", resize(coordinate_transformation_mode="half_pixel_symmetric", version=18), SPEC, "HP113"),
    ("version 12", resize(version=12), SPEC, "HP101"),
    ("version text", resize(version="19"), SPEC, "HP101"),
    ("cubic coefficient NaN", resize(mode="cubic", cubic_coeff_a=NAN), SPEC, "HP114"),
    ("cubic coefficient infinite", resize(mode="cubic", cubic_coeff_a=INF), SPEC, "HP114"),
    ("extrapolation value NaN", resize(extrapolation_value=NAN), SPEC, "HP114"),
    ("extrapolation value text", resize(extrapolation_value="0"), SPEC, "HP114"),
    ("antialias two", resize(antialias=2), SPEC, "HP115"),
    ("exclude_outside None", resize(exclude_outside=None), SPEC, "HP115"),
    ("Upsample shrinks", call(hp.upsample, X, [1, 1, 0.5, 1]), SPEC, "HP108"),
    ("Upsample without scales", call(hp.upsample, X), SPEC, "HP122"),
    ("Upsample-1 with scales", call(hp.upsample, X, [1, 1, 2, 2], version=1), SPEC, "HP113"),
    ("Upsample cubic", call(hp.upsample, X, [1, 1, 2, 2], mode="cubic"), SPEC, "HP112"),
    # element types and kinds of arrays
    ("strings in linear", call(hp.resize, STRINGS, scales=[2], mode="linear"), TYPE, "HP202"),
    ("dates", call(hp.resize, np.zeros(2, "M8[s]"), scales=[2]), TYPE, "HP220"),
    ("time spans", call(hp.resize, np.zeros(2, "m8[s]"), scales=[2]), TYPE, "HP220"),
    ("ragged objects", call(hp.resize, np.array([[1], [2, 3]], object), scales=[2]), TYPE, "HP224"),
    ("objects that are numbers", call(hp.resize, np.array([1, 2], object), scales=[2]), TYPE, "HP224"),
    ("records", call(hp.resize, np.zeros(2, [("a", "f4")]), scales=[2]), TYPE, "HP220"),
    ("bytes", call(hp.resize, np.array([b"a"]), scales=[2]), TYPE, "HP220"),
    ("long double", call(hp.resize, np.zeros(2, np.longdouble), scales=[2]), TYPE, "HP220"),
    ("a list", call(hp.resize, [1.0, 2.0], scales=[2]), TYPE, "HP221"),
    ("None", call(hp.resize, None, scales=[2]), TYPE, "HP221"),
    ("a hostile object", call(hp.resize, Hostile(), scales=[2]), TYPE, "HP222"),
    ("a masked array", call(hp.resize, np.ma.masked_array([1.0], [True]), scales=[2]), TYPE, "HP223"),
    ("bfloat16 in Resize-11", call(hp.plan_resize, (2,), "bfloat16", scales=[2], version=11), TYPE, "HP201"),
    ("an unknown dtype", call(hp.plan_resize, (2,), "float33", scales=[2]), TYPE, "HP221"),
    ("gradient of integers", call(hp.resize_grad, np.zeros(4, np.int32), (2,), scales=[2]), TYPE, "HP225"),
    # out, threads
    ("out of another shape", call(hp.resize, X, scales=[1, 1, 2, 2], out=np.zeros(3, np.float32)), SPEC, "HP162"),
    ("out of another dtype", call(hp.resize, X, scales=[1, 1, 1, 1], out=np.zeros(X.shape)), SPEC, "HP163"),
    ("out read-only", call(hp.resize, np.ones(X.shape, np.float32), scales=[1, 1, 1, 1], out=X), SPEC, "HP164"),
    ("out is the input", call(lambda: hp.resize(DEEP, scales=[1, 1, 1, 1], out=DEEP)), SPEC, "HP165"),
    ("out overlaps", call(lambda: PLAN(DEEP.ravel()[2:6], out=DEEP.ravel()[4:12])), SPEC, "HP165"),
    ("out a list", call(hp.resize, X, scales=[1, 1, 1, 1], out=[0]), TYPE, "HP221"),
    ("threads zero", resize(threads=0), SPEC, "HP166"),
    ("threads negative", resize(threads=-3), SPEC, "HP166"),
    ("threads True", resize(threads=True), SPEC, "HP166"),
    ("threads a fraction", resize(threads=1.5), SPEC, "HP166"),
    # plans and windows
    ("plan of no shape", call(hp.plan_resize, "shape", "float32", scales=[2]), SPEC, "HP121"),
    ("plan of a negative shape", call(hp.plan_resize, (-1,), "float32", scales=[2]), SPEC, "HP121"),
    ("length rule unknown", call(hp.plan_resize, (2,), "float32", scales=[2], length_rule="trunc"), SPEC, "HP126"),
    ("plan on another shape", call(PLAN, np.zeros(5, np.float32)), SPEC, "HP160"),
    ("plan on another type", call(PLAN, np.zeros(4, np.int8)), SPEC, "HP161"),
    ("dy of another shape", call(PLAN.grad, np.zeros(7, np.float32)), SPEC, "HP160"),
    ("box outside", call(PLAN.source, (slice(0, 9),)), SPEC, "HP169"),
    ("box with a step", call(PLAN.source, (slice(0, 8, 2),)), SPEC, "HP169"),
    ("box hostile", call(PLAN.source, Hostile()), SPEC, "HP169"),
    ("slab too small", call(lambda: PLAN.run(X[0, 0, 0, :1], at=(slice(0, 1),), box=(slice(0, 8),))), SPEC, "HP170"),
    ("slab of another shape", call(lambda: PLAN.run(X[0, 0, 0], at=(slice(0, 3),), box=(slice(0, 1),))), SPEC, "HP160"),
    ("output_sizes of too few", call(hp.output_sizes, (2, 3), [2]), SPEC, "HP105"),
    ("output_sizes rule", call(hp.output_sizes, (2,), [2], rule="up"), SPEC, "HP126"),
    # rearrangements
    ("blocksize zero", call(hp.depth_to_space, DEEP, 0), SPEC, "HP124"),
    ("blocksize negative", call(hp.space_to_depth, DEEP, -2), SPEC, "HP124"),
    ("blocksize a fraction", call(hp.space_to_depth, DEEP, 2.0), SPEC, "HP124"),
    ("blocksize does not divide C", call(hp.depth_to_space, DEEP, 3), SPEC, "HP125"),
    ("blocksize does not divide H", call(hp.space_to_depth, DEEP, 3), SPEC, "HP125"),
    ("blocksize huge", call(hp.space_to_depth, DEEP, 10**30), SPEC, "HP125"),
    ("rank 3", call(hp.depth_to_space, DEEP[0], 2), SPEC, "HP123"),
    ("rank 5", call(hp.space_to_depth, DEEP[None], 2), SPEC, "HP123"),
    ("rearrangement mode", call(hp.depth_to_space, DEEP, 2, mode="RCD"), SPEC, "HP112"),
    ("CRD in version 1", call(hp.depth_to_space, DEEP, 2, mode="CRD", version=1), SPEC, "HP113"),
    ("dates rearranged", call(hp.depth_to_space, np.zeros((1, 4, 1, 1), "M8[s]"), 2), TYPE, "HP220"),
    # nodes
    (
        "sizes not int64",
        call(hp.run_node, "Resize", [X, None, None, INT32], {}, **NODE),
        TYPE,
        "HP230",
    ),
    ("scales not float32", call(hp.run_node, "Resize", [X, None, np.ones(4)], {}, **NODE), TYPE, "HP230"),
    ("scales of rank 0", call(hp.run_node, "Resize", [X, None, np.float32(2)], {}, **NODE), SPEC, "HP184"),
    ("operator unknown", call(hp.run_node, "Rescale", [X], {}, **NODE), SPEC, "HP100"),
    ("opset zero", call(hp.run_node, "Resize", [X, None, ONES], {}, opset=0), SPEC, "HP102"),
    ("opset before the operator", call(hp.run_node, "Resize", [X, None, ONES], {}, opset=9), SPEC, "HP102"),
    (
        "node attribute unknown",
        call(hp.run_node, "Resize", [X, None, ONES], {"m": 1}, **NODE),
        SPEC,
        "HP180",
    ),
    ("node without inputs", call(hp.run_node, "Resize", [], {}, **NODE), SPEC, "HP182"),
    ("node without blocksize", call(hp.run_node, "DepthToSpace", [DEEP], {}, **NODE), SPEC, "HP122"),
]
# fmt: on


@pytest.mark.parametrize(
    ("wrong", "expected", "code"), [entry[1:] for entry in CALLS], ids=[entry[0] for entry in CALLS]
)
def test_wrong_call_is_answered_with_a_way_out(
    wrong: Callable[[Any], Any], expected: type[hp.HalfpixelError], code: str
) -> None:
    out = np.full((1, 2, 6, 8), 77, np.float32)
    for _ in range(2):  # a second time: nothing of the first one may have been kept
        with pytest.raises(hp.HalfpixelError) as caught:
            wrong(out)
        error = caught.value
        assert (type(error), error.code) == (expected, code)
        assert code in ERROR_CODES
        for field in (error.sentence, error.given, error.allowed, error.do):
            assert field.strip() == field != ""
        assert not error.sentence.endswith(".")
        assert len(str(error)) < 2000
    assert (out == 77).all()
    assert np.array_equal(DEEP.ravel(), np.arange(16))


def test_every_call_has_a_name_of_its_own() -> None:
    names = [entry[0] for entry in CALLS]
    assert len(names) == len(set(names)) >= 60
