"""The four operators on JAX's arrays: values, element types, what compiled programs hold, mistakes."""

import re
import threading
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

from .maps import MAPS, function_of, numpy_function_of

pytestmark = pytest.mark.needs("module:jax")

SMALL_TYPES = (
    *(bool, np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32),
    *(np.float16, ml_dtypes.bfloat16, np.float32, np.complex64),
)
WIDE_TYPES = (np.uint64, np.int64, np.float64, np.complex128)


def samples(shape: tuple[int, ...], dtype: Any) -> Any:
    """Samples over the range of small integers, of both signs where the type has them; parts that differ."""
    random = np.random.default_rng(7)
    values = random.integers(0, 2 if dtype is bool else 256, shape) - (0 if np.dtype(dtype).kind in "bu" else 128)
    if np.dtype(dtype).kind == "c":
        return (values + 1j * random.integers(-9, 9, shape)).astype(dtype)
    return values.astype(dtype)


def test_literals() -> None:
    import jax.numpy as jnp

    import halfpixel.jax as hj

    assert hj.resize(jnp.array([1.0, 2.0]), [2], mode="linear").tolist() == [1, 1.25, 1.75, 2]
    assert hj.resize(jnp.array([0, 1, 2, 3], jnp.uint8), sizes=[2], mode="linear").tolist() == [0, 2]
    assert hj.upsample(jnp.array([1, 2], jnp.int32), [2], mode="linear").tolist() == [1, 2, 2, 2]
    x = jnp.arange(8).reshape(1, 8, 1, 1)
    y = hj.depth_to_space(x, 2)
    assert y.reshape(-1).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert hj.space_to_depth(y, 2).tolist() == x.tolist()
    assert hj.depth_to_space(x, 2, mode="CRD").reshape(-1).tolist() == list(range(8))


def test_rank_0_and_no_samples() -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    assert hj.resize(jnp.float32(3), []).tolist() == 3
    assert hj.resize(jnp.ones((2, 3)), sizes=[0, 3], mode="linear").shape == (0, 3)
    gradient = jax.grad(lambda x: hj.resize(x, sizes=[0, 3], mode="linear").sum())(jnp.ones((2, 3)))
    assert gradient.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert hj.depth_to_space(jnp.ones((0, 4, 2, 2)), 2).shape == (0, 1, 4, 4)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("dtype", [*SMALL_TYPES, *WIDE_TYPES], ids=lambda dtype: np.dtype(dtype).name)
def test_the_bits_of_halfpixel(dtype: Any, mode: str, threads: int) -> None:
    """Whole and beside the input, compiled and not, and backwards."""
    import jax

    import halfpixel.jax as hj

    jax.config.update("jax_enable_x64", dtype in WIDE_TYPES)
    x = samples((3, 40, 50), dtype)
    for keywords in (
        {"scales": [1, 1.7, 0.6], "antialias": True},
        {
            "sizes": [3, 30, 90],
            "coordinate_transformation_mode": "tf_crop_and_resize",
            "roi": [0, -0.2, 0.1, 1, 0.9, 1.3],
            "extrapolation_value": 2.6,
        },
    ):
        expected = hp.resize(x, mode=mode, **keywords)

        def function(x: Any, keywords: dict[str, Any] = keywords) -> Any:
            return hj.resize(x, mode=mode, threads=threads, **keywords)

        for y in (function(x), jax.jit(function)(x)):
            assert y.dtype == x.dtype
            assert np.asarray(y).tobytes() == expected.tobytes()
        if np.dtype(dtype).kind not in "biu":
            plan = hp.plan_resize(x.shape, x.dtype, mode=mode, **keywords)
            (dx,) = jax.vjp(function, x)[1](y)
            assert np.asarray(dx).tobytes() == plan.grad(expected).tobytes()


@pytest.mark.parametrize("dtype", [*SMALL_TYPES, *WIDE_TYPES], ids=lambda dtype: np.dtype(dtype).name)
def test_rearrangements_of_every_type(dtype: Any) -> None:
    import jax

    import halfpixel.jax as hj

    jax.config.update("jax_enable_x64", dtype in WIDE_TYPES)
    x = samples((2, 12, 5, 7), dtype)
    for mode in ("DCR", "CRD"):
        y = hj.depth_to_space(x, 2, mode=mode)
        assert np.asarray(y).tobytes() == hp.depth_to_space(x, 2, mode=mode).tobytes()
        assert np.asarray(hj.space_to_depth(y, 2, mode=mode)).tobytes() == x.tobytes()


@pytest.mark.parametrize("name", MAPS)
def test_every_call_has_the_bits_of_halfpixel(name: str) -> None:
    import jax

    function, x = function_of(name)
    x = x.astype(np.float32)
    expected = numpy_function_of(name)(x)
    assert np.asarray(jax.jit(function)(x)).tobytes() == expected.tobytes()
    assert np.asarray(function(x)).tobytes() == expected.tobytes()


def test_without_jit() -> None:
    """Eager under jax.disable_jit, and a constant within a traced function."""
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    x = jnp.array([1.0, 2.0])
    with jax.disable_jit():
        assert hj.resize(x, [2], mode="linear").tolist() == [1, 1.25, 1.75, 2]
        assert jax.grad(lambda x: jax.jit(lambda x: hj.resize(x, [2]).sum())(x))(x).tolist() == [2, 2]
    assert jax.jit(lambda z: z + hj.resize(x, [2]))(jnp.ones(4)).tolist() == [2, 2, 3, 3]


def test_presets() -> None:
    import halfpixel.jax as hj

    x = samples((9, 7), np.float32)
    for like in ("pytorch", "pillow", "jax"):
        y = hj.resize(x, [0.5, 1.7], like=like)
        assert np.asarray(y).tobytes() == hp.resize(x, [0.5, 1.7], like=like).tobytes()
    assert hj.resize(x, [0.5, 1.5], like="opencv").shape == (5, 11)


def test_two_values_beside_the_input_are_two_programs() -> None:
    import jax.numpy as jnp

    import halfpixel.jax as hj

    def crop(value: float) -> Any:
        keywords: dict[str, Any] = {"coordinate_transformation_mode": "tf_crop_and_resize", "roi": [0, 3]}
        return hj.resize(jnp.array([1.0, 2.0]), sizes=[4], extrapolation_value=value, **keywords)[-1]

    assert crop(7.5) == 7.5
    assert jnp.signbit(crop(-0.0))
    assert not jnp.signbit(crop(0.0))
    assert jnp.isinf(crop(float("inf")))


def test_a_compiled_program_calls_the_passes_without_a_copy() -> None:
    """The custom call reads the parameter and writes the result; there is nothing else in the program."""
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    program = jax.jit(lambda x: hj.resize(x, [1, 1, 2, 2], mode="linear")).lower(jnp.zeros((1, 3, 8, 8))).compile()
    lines = re.findall(r"^ +(?:ROOT )?%\S+ = \S+ ([\w-]+)\((.*?)\)", program.as_text(), re.MULTILINE)
    assert [operation for operation, _ in lines] == ["parameter", "custom-call"]
    assert 'custom_call_target="halfpixel_map"' in program.as_text()
    assert "threads = 0" in program.as_text()
    limited = jax.jit(lambda x: hj.resize(x, [2], threads=3)).lower(jnp.zeros(2)).as_text()
    assert "threads = 3" in limited


def test_a_program_outlives_plans_and_caches() -> None:
    """The program holds the map as words; more of them than are kept ready still run."""
    import gc

    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj
    from halfpixel.ops import request
    from halfpixel.plan import plan

    x = jnp.array([1.0, 2.0])
    program = jax.jit(lambda x: hj.resize(x, [2], mode="linear")).lower(x).compile()
    for length in range(3, 2 + 300):
        hj.resize(jnp.zeros(length), [2], mode="linear")
    for cache in (request._CACHE, plan._PLANS):
        cache.entries.clear()
        cache._order.clear()
        cache._bytes = 0
    jax.clear_caches()
    gc.collect()
    assert program(x).tolist() == [1, 1.25, 1.75, 2]


def test_calls_from_many_threads() -> None:
    import jax

    import halfpixel.jax as hj

    x = samples((4, 300, 200), np.float32)
    functions = [jax.jit(lambda x, s=s: hj.resize(x, [1, s, s], mode="cubic", threads=2)) for s in (0.5, 1.5, 2)]
    expected = [hp.resize(x, [1, s, s], mode="cubic").tobytes() for s in (0.5, 1.5, 2)]
    start, wrong = threading.Barrier(4), []

    def call(first: int) -> None:
        start.wait()
        for turn in range(12):
            which = (first + turn) % 3
            if np.asarray(functions[which](x)).tobytes() != expected[which]:
                wrong.append(which)

    callers = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert wrong == []


MISTAKES: list[tuple[str, type[Exception], str, dict[str, Any]]] = [
    ("HP104", ValueError, "resize", {"scales": [2], "sizes": [4]}),
    ("HP107", ValueError, "resize", {"scales": [0]}),
    ("HP112", ValueError, "resize", {"scales": [2], "mode": "area"}),
    ("HP166", ValueError, "resize", {"scales": [2], "threads": 0}),
    ("HP172", ValueError, "resize", {"scales": [2], "size": 3}),
    ("HP174", ValueError, "resize", {"scales": [2], "like": "matlab"}),
    ("HP300", ValueError, "resize", {"scales": [1e38]}),
    ("HP108", ValueError, "upsample", {"scales": [0.5]}),
    ("HP172", ValueError, "upsample", {"scales": [2], "modus": "linear"}),
    ("HP123", ValueError, "depth_to_space", {"blocksize": 2}),
    ("HP172", ValueError, "space_to_depth", {"blocksize": 2, "block": 2}),
]


@pytest.mark.parametrize(("code", "kind", "function", "keywords"), MISTAKES)
def test_mistakes(code: str, kind: type[Exception], function: str, keywords: dict[str, Any]) -> None:
    """The exception that JAX raises, not one of the family, with our text; the same while tracing."""
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    def call(x: Any) -> Any:
        return getattr(hj, function)(x, **keywords)

    for attempt in (call, jax.jit(call), jax.grad(lambda x: call(x).sum())):
        with pytest.raises(kind, match=rf"^\[{code}\] ") as caught:
            attempt(jnp.array([1.0, 2.0]))
        assert type(caught.value) is kind
        assert "allowed: " in str(caught.value)


def test_what_x_is() -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    with pytest.raises(TypeError, match=r"^\[HP221\] x is not an array"):
        hj.resize([1.0, 2.0], [2])
    with pytest.raises(TypeError, match=r"^\[HP220\] JAX has no element type object"):
        hj.resize(np.array(["a", "b"], object), [2])
    with pytest.raises(TypeError, match=r"^\[HP220\] "):
        hj.resize(jnp.zeros(2, jnp.float8_e4m3fn), [2])
    with pytest.raises(TypeError, match=r"^\[HP2\d\d\] "):
        hj.resize(jax.random.split(jax.random.key(0)), [2])
    with pytest.raises(TypeError, match=r"^\[HP201\] DepthToSpace-1 does not take bfloat16") as caught:
        hj.depth_to_space(jnp.zeros((1, 4, 1, 1), jnp.bfloat16), 2, version=1)
    assert type(caught.value) is TypeError


@pytest.mark.parametrize("name", ["scales", "sizes", "roi", "axes", "extrapolation_value", "threads"])
def test_a_traced_argument_is_named(name: str) -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    static: dict[str, Any] = {
        "sizes": [2],
        "roi": [0.0, 2.0],
        "axes": [0],
        "coordinate_transformation_mode": "tf_crop_and_resize",
    }
    if name == "scales":
        del static["sizes"]

    def call(x: Any, value: Any) -> Any:
        listed = value if name in ("extrapolation_value", "threads") else [value] * (2 if name == "roi" else 1)
        return hj.resize(x, **{**static, name: listed})

    value = 0 if name == "axes" else 2
    assert call(jnp.ones(2), value).shape[0] >= 2
    with pytest.raises(TypeError, match=rf"^\[HP187\] {name} must be known when the function is traced"):
        jax.jit(call)(jnp.ones(2), value)


def test_a_traced_block_is_named() -> None:
    import jax
    import jax.numpy as jnp

    import halfpixel.jax as hj

    x = jnp.zeros((1, 4, 1, 1))
    assert jax.jit(hj.depth_to_space, static_argnums=1)(x, 2).shape == (1, 1, 2, 2)
    with pytest.raises(TypeError, match=r"^\[HP187\] blocksize must be known"):
        jax.jit(hj.depth_to_space)(x, 2)
    with pytest.raises(TypeError, match=r"^\[HP187\] height_scale must be known"):
        jax.jit(lambda x, s: hj.upsample(x, height_scale=s, width_scale=2.0, version=1))(x, 2.0)


def test_a_symbolic_length_is_refused() -> None:
    import jax
    import jax.numpy as jnp
    from jax import export

    import halfpixel.jax as hj

    shape = export.symbolic_shape("n, 4")
    with pytest.raises(ValueError, match=r"^\[HP121\] the tables of a resize need the lengths of x as numbers"):
        export.export(jax.jit(lambda x: hj.resize(x, [2, 1])))(jax.ShapeDtypeStruct(shape, jnp.float32))


def test_missing_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins
    import importlib
    import sys

    import halfpixel.jax as hj

    real = builtins.__import__

    def without_jax(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "jax":
            raise ModuleNotFoundError("No module named 'jax'", name="jax")
        return real(name, *arguments, **keywords)

    monkeypatch.delitem(sys.modules, "halfpixel.jax")
    monkeypatch.setattr(builtins, "__import__", without_jax)
    with pytest.raises(hp.MissingExtraError) as caught:
        importlib.import_module("halfpixel.jax")
    assert caught.value.code == "HP900"
    sys.modules["halfpixel.jax"] = hj
