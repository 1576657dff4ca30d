"""How the primitives run without our passes: callbacks where the library was not built, jax.numpy elsewhere."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import halfpixel as hp

from .maps import MAPS, function_of, numpy_function_of

pytestmark = pytest.mark.needs("module:jax")

SOURCES = Path(hp.__file__).parent
CALLS: list[dict[str, Any]] = [
    {"scales": [1, 1.7, 0.6], "antialias": True},
    {"sizes": [3, 4, 30], "exclude_outside": True},
    {
        "sizes": [3, 8, 9],
        "coordinate_transformation_mode": "tf_crop_and_resize",
        "roi": [0, -0.2, 0.1, 1, 0.9, 1.3],
        "extrapolation_value": 2.6,
    },
]
TYPES = [
    *("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"),
    *("float16", ml_dtypes.bfloat16, "float32", "float64", "complex64", "complex128"),
]


def written_out(plan: Any, transposed: bool) -> Any:
    import jax

    from halfpixel.jax.portable import resized

    return jax.jit(lambda x: resized(x, plan, transposed))


def samples(shape: tuple[int, ...], dtype: Any) -> Any:
    values = np.random.default_rng(3).integers(0, 100, shape)
    return (
        values % 2 if np.dtype(dtype).kind == "b" else values * (1 + 2j) if np.dtype(dtype).kind == "c" else values
    ).astype(dtype)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("dtype", TYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_jax_numpy_has_the_numbers_of_the_passes(dtype: Any, mode: str) -> None:
    """Moves bit for bit; sums to their rounding, and integers to one where a sum lies at a tie."""
    import jax

    jax.config.update("jax_enable_x64", True)
    tolerance = {"float16": 0.1, "bfloat16": 1, "float32": 2e-4, "complex64": 4e-4}.get(np.dtype(dtype).name, 1e-10)
    for keywords in CALLS:
        plan = hp.plan_resize((3, 9, 11), np.dtype(dtype), mode=mode, **keywords)
        x = samples(plan.in_shape, dtype)
        y, expected = np.asarray(written_out(plan, False)(x)), plan(x)
        assert y.dtype == expected.dtype
        if mode == "nearest" or y.dtype.kind in "biu":
            assert (y != expected).mean() <= (0 if mode == "nearest" else 0.001)
        if y.dtype.kind in "fcV":
            np.testing.assert_allclose(y.astype(complex), expected.astype(complex), rtol=0, atol=tolerance)
            dx = np.asarray(written_out(plan, True)(expected)).astype(complex)
            np.testing.assert_allclose(
                dx, plan.grad(expected).astype(complex), rtol=0.01 if tolerance > 0.05 else 0, atol=8 * tolerance
            )


def test_jax_numpy_in_literals() -> None:
    plan = hp.plan_resize((2,), "float32", scales=[2], mode="linear")
    assert written_out(plan, False)(np.array([1, np.inf], np.float32)).tolist() == [1, np.inf, np.inf, np.inf]
    assert written_out(plan, True)(np.array([1, 2, 3, 4], np.float32)).tolist() == [3.25, 6.75]
    assert written_out(plan, False)(np.array([np.inf, 1], np.float32)).tolist() == [np.inf, np.inf, np.inf, 1]
    halved = hp.plan_resize((4,), "uint8", sizes=[2], mode="linear")
    assert written_out(halved, False)(np.array([0, 1, 2, 3], np.uint8)).tolist() == [0, 2]
    doubled = hp.plan_resize((4,), "uint8", scales=[2], mode="cubic")
    assert written_out(doubled, False)(np.array([0, 255, 255, 255], np.uint8))[:3].tolist() == [0, 58, 197]
    largest = hp.plan_resize((2,), "int64", scales=[2], mode="linear")
    import jax

    jax.config.update("jax_enable_x64", True)
    assert written_out(largest, False)(np.full(2, 2**63 - 1)).tolist() == [2**63 - 1] * 4
    unsigned = hp.plan_resize((2,), "uint64", scales=[2], mode="linear")
    top = np.full(2, 2**64 - 1, np.uint64)
    assert written_out(unsigned, False)(top).tolist() == [2**64 - 1] * 4


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_rearrangements_in_jax_numpy(mode: str) -> None:
    import jax

    from halfpixel.jax.portable import rearranged
    from halfpixel.spec.rearrange import depth_to_space_spec, space_to_depth_spec

    x = samples((2, 12, 3, 5), np.float32)
    y = hp.depth_to_space(x, 2, mode=mode)
    assert (
        np.asarray(jax.jit(lambda x: rearranged(x, depth_to_space_spec(x.shape, 2, mode=mode)))(x)).tobytes()
        == y.tobytes()
    )
    assert (
        np.asarray(jax.jit(lambda y: rearranged(y, space_to_depth_spec(y.shape, 2, mode=mode)))(y)).tobytes()
        == x.tobytes()
    )


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("name", MAPS)
def test_programs_for_other_platforms(name: str, platform: str) -> None:
    """They hold gathers, sums and transposes of JAX, forwards and backwards, and call nothing."""
    import jax

    function, x = function_of(name)
    x = x.astype(np.float32)
    for traced in (jax.jit(function).trace(x), jax.jit(jax.grad(lambda x: (function(x) ** 2).sum())).trace(x)):
        text = traced.lower(lowering_platforms=(platform,)).as_text()
        assert "halfpixel_map" not in text
        assert "custom_call" not in text
        assert "halfpixel_map" in traced.lower(lowering_platforms=("cpu",)).as_text()


def python(code: str, path: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


CALLED_BACK = """
import json, threading, jax, jax.numpy as jnp, numpy as np, halfpixel, halfpixel.jax as hj
from tests.adapters.jax.maps import MAPS, function_of
x = jnp.array([1.0, 2.0])
resize = jax.jit(lambda x: hj.resize(x, [2], mode="linear"))
text = resize.lower(x).as_text()
found = {"handler": "halfpixel_map" in text, "callback": "callback" in text, "y": resize(x).tolist()}
found["dx"] = jax.grad(lambda x: (resize(x) * jnp.arange(4)).sum())(x).tolist()
found["batch"] = jax.vmap(resize)(jnp.stack([x, 2 * x])).tolist()
found["maps"] = {}
for name in MAPS:
    function, z = function_of(name)
    found["maps"][name] = np.asarray(jax.jit(function)(z.astype(np.float32))).tobytes().hex()
large = np.arange(240000, dtype=np.float32).reshape(4, 300, 200)
double = jax.jit(lambda x: hj.resize(x, [1, 2, 2], mode="linear", threads=2))
found["large"] = []
expected = halfpixel.resize(large, [1, 2, 2], mode="linear").tobytes()
def call():
    for _ in range(8):
        found["large"].append(np.asarray(double(large)).tobytes() == expected)
callers = [threading.Thread(target=call) for _ in range(4)]
for caller in callers: caller.start()
for caller in callers: caller.join()
half = jnp.array([1.0, 2.0], jnp.bfloat16)
found["bfloat16"] = jax.jit(lambda x: hj.resize(x, [2], mode="linear"))(half).astype(jnp.float32).tolist()
print(json.dumps(found))
"""


def test_callbacks_where_the_library_was_not_built(tmp_path: Path) -> None:
    package = tmp_path / "halfpixel"
    package.mkdir()
    for source in SOURCES.iterdir():
        if source.name not in ("_jax_ffi.so", "__pycache__"):
            (package / source.name).symlink_to(source)
    (tmp_path / "tests").symlink_to(Path(__file__).parents[2])
    found = json.loads(python(CALLED_BACK, tmp_path))
    assert found["callback"]
    assert not found["handler"]
    assert found["y"] == [1, 1.25, 1.75, 2]
    assert found["dx"] == [0.75 * 1 + 0.25 * 2, 0.25 * 1 + 0.75 * 2 + 3]
    assert found["batch"] == [[1, 1.25, 1.75, 2], [2, 2.5, 3.5, 4]]
    assert found["large"] == [True] * 32
    assert found["bfloat16"] == [1, 1.25, 1.75, 2]
    for name, y in found["maps"].items():
        assert y == numpy_function_of(name)(function_of(name)[1].astype(np.float32)).tobytes().hex()


ON_TWO_DEVICES = """
import json, jax, jax.numpy as jnp, numpy as np, halfpixel.jax as hj
from jax.sharding import Mesh, NamedSharding, PartitionSpec
resize = jax.jit(lambda x: hj.resize(x, [1, 2], mode="linear"))
mesh, rows = Mesh(np.array(jax.devices()), ("batch",)), PartitionSpec("batch")
x = jax.device_put(jnp.arange(8.0).reshape(4, 2), NamedSharding(mesh, rows))
parts = jax.jit(jax.shard_map(resize, mesh=mesh, in_specs=rows, out_specs=rows))
found = {"devices": len(jax.devices()), "whole": resize(x).tolist(), "eager": hj.resize(x, [1, 2]).tolist()}
found["parts"], found["spec"] = parts(x).tolist(), list(parts(x).sharding.spec)
found["gradient"] = jax.jit(jax.grad(lambda x: parts(x).sum()))(x).tolist()
print(json.dumps(found))
"""


def test_two_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sharded array is resized as a whole; within shard_map each part is, and stays where it is."""
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    found = json.loads(python(ON_TWO_DEVICES, SOURCES.parent))
    doubled = [[2 * i, 2 * i + 0.25, 2 * i + 0.75, 2 * i + 1] for i in range(4)]
    assert found["devices"] == 2
    assert found["whole"] == doubled
    assert found["eager"] == [[2 * i, 2 * i, 2 * i + 1, 2 * i + 1] for i in range(4)]
    assert found["parts"] == doubled
    assert found["spec"] == ["batch"]
    assert found["gradient"] == [[2, 2]] * 4


def test_a_library_for_another_jaxlib_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX could not start with its handler; programs call back, and a warning says so."""
    import jax

    from halfpixel.jax.handler import connect

    header = tmp_path / "xla" / "ffi" / "api" / "c_api.h"
    header.parent.mkdir(parents=True)
    header.write_text("#define XLA_FFI_API_MAJOR 7\n\n#define XLA_FFI_API_MINOR 41\n")
    monkeypatch.setattr(jax.ffi, "include_dir", lambda: str(tmp_path))
    with pytest.warns(RuntimeWarning, match=r"and jaxlib has 7\.41: programs on the CPU will call back into Python"):
        assert not connect()
    header.unlink()
    with pytest.warns(RuntimeWarning, match="and jaxlib has none"):
        assert not connect()


EXPORT = """
import sys, jax, jax.numpy as jnp, halfpixel.jax as hj
from jax import export
calls = export.DisabledSafetyCheck.custom_call("halfpixel_map")
program = export.export(jax.jit(lambda x: hj.resize(x, [2], mode="linear")), disabled_checks=[calls])
open(sys.argv[1], "wb").write(program(jax.ShapeDtypeStruct((2,), jnp.float32)).serialize())
"""
IMPORT = """
import sys, jax.numpy as jnp, halfpixel.jax
from jax import export
print(export.deserialize(bytearray(open(sys.argv[1], "rb").read())).call(jnp.array([1.0, 2.0])).tolist())
"""


def test_an_exported_program_runs_in_another_process(tmp_path: Path) -> None:
    """It holds the map as words, and no address."""
    file = str(tmp_path / "program")
    python(EXPORT, SOURCES.parent, file)
    assert python(IMPORT, SOURCES.parent, file) == "[1.0, 1.25, 1.75, 2.0]\n"


def test_damaged_words_and_arrays_of_another_size_end_in_an_error() -> None:
    """Whoever writes the custom call by hand gets JAX's error, not a crash."""
    import jax
    import jax.numpy as jnp

    import halfpixel.jax  # noqa: F401
    from halfpixel.plan.words import forward_words

    words = np.array(forward_words(hp.plan_resize((2,), "float32", scales=[2], mode="linear")))
    x = jnp.array([1.0, 2.0])

    def call(words: Any, size: int) -> Any:
        result = jax.ShapeDtypeStruct((size,), jnp.float32)
        return np.asarray(jax.ffi.ffi_call("halfpixel_map", result)(x, words=words, threads=np.int64(1)))

    assert call(words, 4).tolist() == [1, 1.25, 1.75, 2]
    for wrong, size in ((words, 5), (words[:-1], 4), (words + (np.arange(len(words)) == 0), 4)):
        with pytest.raises(jax.errors.JaxRuntimeError, match="INVALID_ARGUMENT: halfpixel: the program holds a map"):
            call(wrong, size)
    larger = words.copy()
    larger[list(words).index(4, 11)] = 2**62
    with pytest.raises(jax.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED: halfpixel: no memory"):
        call(larger, 4)
