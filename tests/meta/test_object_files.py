"""The object files of the instruction sets export no symbol that the linker could share between them.

A weak symbol (an inline function of the standard library, say) built for AVX-512 may be the copy that the linker keeps
for all, and every other machine would then die of an illegal instruction.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build" / "release"
WEAK = "VWvwu"


def weak_symbols(object_file: Path) -> list[str]:
    """Names of the weak and unique symbols that an object file defines."""
    command = ["nm", "--defined-only", "--demangle", str(object_file)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = (line.split(maxsplit=2) for line in lines)
    return [words[2] for words in found if len(words) == 3 and words[1] in WEAK]


def object_files() -> list[Path]:
    return sorted(BUILD.glob("CMakeFiles/halfpixel_isa_*.dir/core/isa/*.o"))


@pytest.mark.needs("program:nm")
def test_instruction_set_objects_define_no_weak_symbol() -> None:
    objects = object_files()
    assert objects, "nothing built: run ./dev build"
    assert {path.stem.partition(".")[0]: weak_symbols(path) for path in objects if weak_symbols(path)} == {}


@pytest.mark.needs("program:nm", "program:g++")
def test_weak_symbol_is_found(tmp_path: Path) -> None:
    source = tmp_path / "leak.cpp"
    source.write_text("#include <vector>\nint sum(std::vector<int>& v) { v.push_back(1); return v[0]; }\n")
    compiler = shutil.which("g++")
    assert compiler
    subprocess.run([compiler, "-O0", "-c", source, "-o", tmp_path / "leak.o"], check=True)
    assert any(name.startswith("std::vector<int") for name in weak_symbols(tmp_path / "leak.o"))
