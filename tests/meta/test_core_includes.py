"""Includes in core/ point one way: bindings > run > plan, isa, threads > passes; kernels see no container."""

import re
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"

# room -> rooms whose headers it may include
MAY_INCLUDE = {
    "passes": {"passes"},
    "plan": {"plan", "passes"},
    "threads": {"threads"},
    "isa": {"isa", "passes"},
    "run": {"run", "plan", "isa", "threads", "passes"},
    "ort_ep": {"ort_ep", "run"},
    "jax_ffi": {"jax_ffi", "run"},
    "bindings": {"bindings", "run", "plan", "isa", "threads", "passes"},
    "tests": {"tests", "bindings", "ort_ep", "run", "plan", "isa", "threads", "passes"},
}
# A kernel file is compiled once per instruction set: types, C functions and intrinsics only, no code of its own.
KERNEL_SYSTEM_HEADERS = {
    "arm_neon.h", "cmath", "cstddef", "cstdint", "cstring", "immintrin.h", "type_traits", "utility",
}  # fmt: skip

SOURCES = sorted(path for path in CORE.rglob("*") if path.suffix in {".cpp", ".hpp"})
KERNEL_SOURCES = [path for path in SOURCES if path.parent.name == "passes"]


def includes(path: Path) -> tuple[list[str], list[Path]]:
    """System headers by name, and our own headers by path, that a source includes."""
    text = path.read_text()
    ours = [resolve(path, name) for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.MULTILINE)]
    return re.findall(r"^\s*#\s*include\s+<([^>]+)>", text, re.MULTILINE), ours


def resolve(path: Path, name: str) -> Path:
    beside = (path.parent / name).resolve()
    return beside if beside.exists() else CORE / name


def room(path: Path) -> str:
    return path.relative_to(CORE).parts[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CORE)))
def test_includes_point_one_way(path: Path) -> None:
    _, ours = includes(path)
    assert [header for header in ours if not header.exists()] == []
    assert {room(header) for header in ours} <= MAY_INCLUDE[room(path)]


@pytest.mark.parametrize("path", KERNEL_SOURCES, ids=lambda path: path.name)
def test_kernels_include_no_container(path: Path) -> None:
    system, _ = includes(path)
    assert set(system) <= KERNEL_SYSTEM_HEADERS
