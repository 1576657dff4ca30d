"""Hostile model files: an error of the family or an answer, in bounded time and memory; see hostile/corpus.py."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx_ir
import pytest

from halfpixel import HalfpixelError, ModelError, models
from halfpixel.models import pruning, reading, structure
from halfpixel.onnx import files
from tests.models import builders
from tests.models.hostile import corpus

ROOT = Path(__file__).resolve().parents[2]
LARGE = ("million_nodes", "bytes_that_become_a_hundred_times_as_many")
EXPECTED = {name: code for name, (_, code) in corpus.CORPUS.items()} | corpus.KEPT
GIGABYTE = 10**9

# Where the answer is that a node cannot be right, what it must say.
RISKS = {
    "opset_999": "opset 999 is newer than",
    "shape_of_2_to_the_62": "HP300",
    "scales_that_are_no_numbers": "HP107",
    "scales_of_1e38": "HP300",
    "sizes_of_2_to_the_63": "HP300",
    "scales_of_another_rank": "HP105",
    "blocksize_0": "HP124",
    "blocksize_of_2_to_the_62": "HP125",
    "no_blocksize": "HP122",
    "unknown_mode": "HP112",
    "mode_that_is_a_number": "HP181",
    "mode_that_is_a_tensor": "HP181",
    "mode_that_is_not_utf8": "HP181",
    "upsample_without_scales": "HP122",
    "reference_outside_a_function": "mode comes from the caller",
    "long_chain_of_shapes": "sizes of the run",
    "sizes_that_double_and_double": "sizes of the run",
    "constant_of_huge_shape": "sizes of the run",
}


def listed(*names: str) -> dict[str, Any]:
    """What a process of its own says of the models, by name; those after one that ends it are missing."""
    command = [sys.executable, "-m", "tests.models.hostile.listing", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    return {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Any]:
    return listed(*[name for name in EXPECTED if name not in LARGE])


@pytest.mark.needs("memory limit")
@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in LARGE])
def test_hostile_model(outcomes: dict[str, Any], name: str) -> None:
    assert name in outcomes, "the process ended before"
    outcome = outcomes[name]
    assert outcome["code"] == EXPECTED[name], outcome
    assert outcome["seconds"] < 15
    assert outcome["peak"] < GIGABYTE
    if name in RISKS:
        assert any(RISKS[name] in risk for risks in outcome["risks"] for risk in risks), outcome["risks"]


@pytest.mark.needs("memory limit")
@pytest.mark.parametrize("name", LARGE)
def test_large_model(name: str) -> None:
    outcome = listed(name)[name]
    assert outcome["code"] == EXPECTED[name], outcome
    assert outcome["seconds"] < 60
    assert outcome["peak"] < 2 * GIGABYTE


def test_the_kept_files_are_those_of_their_recipe(tmp_path: Path) -> None:
    corpus.make_kept(tmp_path)
    kept = Path(corpus.__file__).parent
    names = sorted(path.name for path in kept.glob("*.onnx"))
    assert names == sorted(corpus.KEPT)
    assert [name for name in names if (kept / name).read_bytes() != (tmp_path / name).read_bytes()] == []


@pytest.mark.parametrize(
    ("maker", "words"),
    [
        (corpus.archive, "an archive"),
        (corpus.compressed, "gzip"),
        (corpus.pickled, "pickle"),
        (corpus.web_page, "HTML"),
        (corpus.cut_in_half, "bytes: "),
        (corpus.no_opset, "imports no opset"),
    ],
)
def test_what_the_file_is_instead(maker: corpus.Maker, words: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="HP400") as caught:
        models.load(maker(tmp_path))
    assert words in caught.value.given


def test_a_pointer_of_git_lfs_is_named() -> None:
    with pytest.raises(ModelError) as caught:
        models.load(Path(corpus.__file__).with_name("git_lfs_pointer.onnx"))
    assert "git-lfs" in caught.value.given


def test_deep_nesting_in_memory() -> None:
    with pytest.raises(ModelError, match="HP410") as caught:
        models.load(corpus.nested_message(10_000))
    assert caught.value.allowed == "at most 64"


def test_deep_nesting_of_an_ir() -> None:
    graph: onnx_ir.Graph | None = None
    for depth in range(3000):
        attributes = [] if graph is None else [onnx_ir.AttrGraph("then_branch", graph)]
        op_type = "DepthToSpace" if graph is None else "If"
        node = onnx_ir.Node("", op_type, [onnx_ir.Value(name="x")], attributes, name=f"n{depth}")
        graph = onnx_ir.Graph([], [], nodes=[node], opset_imports={"": 13})
    assert graph is not None
    with pytest.raises(ModelError, match="HP410"):
        models.find_sites(models.load(onnx_ir.Model(graph, ir_version=8)))


def test_too_many_nodes_to_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    model = builders.chain(*[builders.resize(13) for _ in range(5)])
    monkeypatch.setattr(reading, "MOST_NODES", 4)
    with pytest.raises(ModelError, match="HP410") as caught:
        models.load(model)
    assert caught.value.given == "5 nodes"


def test_too_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure, "MOST_PARTS", 6)
    models.load(corpus.good())
    with pytest.raises(ModelError, match="HP410"):
        models.load(builders.chain(*[builders.resize(13) for _ in range(5)]))


def test_a_message_in_pieces_is_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = builders.tensor("weights", np.arange(5000), np.float32)
    model = builders.in_if(builders.resize(13))
    model.graph.initializer.append(weights)
    model.graph.node.append(corpus.helper.make_node("Constant", [], ["c"], value=weights))
    monkeypatch.setattr(files, "_AT_ONCE", 100)
    monkeypatch.setattr(files, "_PIECE", 64)
    assert files.parse_model(model.SerializeToString(), "the model") == model


@pytest.mark.parametrize("content", [b"\x3a\xff\xff\xff\xff\x07" + b"\x0a\x00" * 60, b"\x3b" * 120, b"\xff" * 120])
def test_damage_in_a_message_in_pieces(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_AT_ONCE", 100)
    monkeypatch.setattr(files, "_PIECE", 64)
    with pytest.raises(ModelError, match="HP400"):
        files.parse_model(content, "bytes")


def test_a_pruned_model_has_the_same_listing() -> None:
    for model in (
        builders.chain(
            builders.resize(13), builders.resize(13, sizes="computed"), builders.upsample(9, name="up", scales="passed")
        ),
        builders.in_if(builders.resize(18, scales=[2, 2], axes=[2, 3])),
        builders.in_loop(builders.resize(11, sizes=[1, 2, 8, 12])),
        builders.in_function(builders.resize(19, scales="passed"), references={"mode": "linear"}),
    ):
        small, _ = pruning.pruned(model)
        assert [entry.as_data() for entry in models.ls(small)] == [entry.as_data() for entry in models.ls(model)]


def test_pruning_starts_at_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = builders.model_of(builders.resize(13))
    model.graph.node.append(corpus.helper.make_node("Relu", ["X"], ["Z"]))
    assert len(list(reading.load_for_sites(model).ir.graph)) == 2
    monkeypatch.setattr(reading, "_SMALL", 1)
    assert len(list(reading.load_for_sites(model).ir.graph)) == 1


FUZZ = """
import random, resource, sys
from halfpixel import HalfpixelError, models
from halfpixel.onnx import backend
from tests.models import builders

resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
seeds = [
    builders.model_of(builders.resize(19, mode="cubic", antialias=1, axes=[2, 3], scales=[0.5, 0.5])),
    builders.chain(builders.resize(13, sizes="computed"), builders.resize(13, scales="computed")),
    builders.in_if(builders.resize(11)),
    builders.in_loop(builders.resize(18)),
    builders.in_function(builders.resize(19), references={"mode": "linear"}),
    builders.model_of(builders.upsample(7)),
    builders.model_of(builders.rearrange("DepthToSpace", mode="CRD")),
]
random.seed(int(sys.argv[1]))
codes, rounds = {}, int(sys.argv[2])
for number in range(rounds):
    content = bytearray(seeds[number % len(seeds)].SerializeToString())
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        kind, at = random.randrange(4), random.randrange(len(content))
        if kind < 2 and number % 2:  # not a length: the message stays one
            at = random.choice([i for i, byte in enumerate(content) if 64 < byte < 123 or byte > 127])
        if kind == 0:
            content[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            content[at] = random.randrange(256)
        elif kind == 2:
            del content[at : at + random.randrange(1, 9)]
        else:
            content[at:at] = random.randbytes(random.randrange(1, 9))
    content = bytes(content)
    print("now", content.hex(), file=sys.stderr)
    for call in (models.ls, backend.prepare):
        try:
            call(content)
            code = "answer"
        except HalfpixelError as error:
            code = error.code
        except Exception as error:
            print(call.__name__, repr(error), content.hex())
            code = "FOUND"
        codes[code] = codes.get(code, 0) + 1
print(codes)
"""


@pytest.mark.needs("memory limit")
def test_flipped_bytes_give_nothing_but_errors_of_the_family() -> None:
    command = [sys.executable, "-c", FUZZ, "7", "1500"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    *found, codes = done.stdout.splitlines()
    assert found == []
    assert "'answer'" in codes
    assert "'HP400'" in codes
    assert "'HP411'" in codes


def test_the_family_has_the_errors_of_the_corpus() -> None:
    codes = {code for code in EXPECTED.values() if code}
    assert codes == {"HP400", "HP405", "HP410", "HP411", "HP412", "HP413", "HP417"}
    assert issubclass(ModelError, HalfpixelError)
