"""Every peer that is installed computes what it is asked, and says no to what it does not do."""

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from halfpixel.peers import PEERS
from halfpixel.peers.crew import Crew
from halfpixel.peers.peer import Peer, Prepared, tolerance_of_clipping
from halfpixel.peers.speed import contest, ours
from halfpixel.peers.speed.cases import Case
from halfpixel.peers.speed.contest import checked
from halfpixel.peers.speed.data import random_input
from halfpixel.peers.speed.exact import OtherValuesError
from halfpixel.peers.work import Array, Work

BY_NAME = {peer.name: peer for peer in PEERS}
WORKS = {
    "up": Work("resize", (1, 3, 20, 28), "NCHW", "float32", (40, 56), {"mode": "linear"}),
    "cubic up": Work("resize", (1, 3, 20, 28), "NCHW", "float32", (40, 56), {"mode": "cubic"}),
    "nearest": Work("resize", (1, 3, 20, 28), "NCHW", "float32", (10, 14), {"mode": "nearest"}),
    "half": Work("resize", (1, 3, 20, 28), "NCHW", "float32", (10, 14), {"mode": "linear"}),
    "down": Work("resize", (1, 3, 20, 28), "NCHW", "float32", (7, 9), {"mode": "linear", "antialias": True}),
    "bytes": Work("resize", (20, 28, 3), "HWC", "uint8", (7, 9), {"mode": "cubic", "antialias": True}),
    "maps": Work("resize", (2, 40, 6, 6), "NCHW", "float32", (12, 12), {"mode": "linear"}),
    "volume": Work("resize", (1, 1, 6, 6, 6), "NCDHW", "float32", (12, 12, 12), {"mode": "linear"}),
    "backward": Work("resize_grad", (1, 3, 20, 28), "NCHW", "float32", (40, 56), {"mode": "linear"}),
    "deep": Work("depth_to_space", (1, 8, 6, 6), "NCHW", "uint8", attributes={"blocksize": 2, "mode": "DCR"}),
    "wide": Work("space_to_depth", (1, 2, 12, 12), "NCHW", "float32", attributes={"blocksize": 2, "mode": "CRD"}),
    "bfloat16": Work("resize", (1, 3, 20, 28), "NCHW", "bfloat16", (40, 56), {"mode": "linear"}),
}
# peer -> (what it needs, the works that it does)
DOES = {
    "OpenCV": ("module:cv2", {"up", "cubic up", "nearest", "half", "maps"}),
    "PyTorch contiguous": ("module:torch", set(WORKS)),
    "PyTorch channels-last": ("module:torch", set(WORKS) - {"deep", "wide"}),
    "onnxruntime": ("module:onnxruntime", set(WORKS) - {"backward", "wide", "bfloat16"}),
    "OpenVINO": ("module:openvino", set(WORKS) - {"backward", "wide", "down", "bytes"}),
    "Pillow": ("module:PIL", {"up", "cubic up", "nearest", "down", "bytes", "maps"}),
    "jax": ("module:jax", set(WORKS)),
    "tinybrain": ("module:tinybrain", {"half"}),
    "kornia-rs": ("module:kornia_rs", {"bytes"}),
    "pyvips": ("module:pyvips", {"up", "cubic up", "nearest", "down", "bytes"}),
    "zimg": ("library:zimg", {"up", "cubic up", "nearest", "down", "bytes", "maps"}),
}


def test_every_peer_is_in_the_table() -> None:
    assert list(DOES) == list(BY_NAME)


@pytest.fixture
def process_of_its_own() -> Iterator[None]:
    """use_threads changes settings of the whole process: a benchmark has one for each peer, the other tests do not."""
    yield
    if "torch" in sys.modules:
        sys.modules["torch"].set_grad_enabled(True)


@pytest.mark.usefixtures("process_of_its_own")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs(need)) for name, (need, _) in DOES.items()]
)
def test_a_peer_does_the_work_that_it_says(name: str) -> None:
    peer = BY_NAME[name]
    assert peer.version()
    peer.use_threads(2)
    done = set()
    for word, work in WORKS.items():
        x = random_input(work)
        prepared = peer.prepare(work, x, 2)
        if prepared is not None:
            checked(prepared, work, x)
            done.add(word)
    assert done == DOES[name][1]


@pytest.mark.parametrize("word", WORKS)
def test_ours_do_all_the_work(word: str) -> None:
    x = random_input(WORKS[word])
    assert checked(ours.prepare(WORKS[word], x, 1), WORKS[word], x)["error"] is not None


class Fake(Peer):
    """A peer that returns whatever it was made with, or raises it."""

    module = "json"

    def __init__(self, name: str, answer: Array | Exception | None) -> None:
        self.name, self.answer = name, answer

    def prepare(self, work: Work, x: Array, threads: int) -> Prepared | None:
        if isinstance(self.answer, Exception):
            raise self.answer
        return None if self.answer is None else Prepared(None, lambda: self.answer, np.asarray)


class Limit:
    """A copy limit that needs no processes."""

    def seconds(self, read: int, write: int, threads: int, budget: float) -> float:
        return 1e-6


def test_only_a_peer_with_the_right_result_is_timed() -> None:
    work = Work("resize", (1, 1, 1, 2), "NCHW", "float32", (1, 4), {"mode": "linear"})
    x = random_input(work)
    right = ours.prepare(work, x, 1)
    assert right.allocating is not None
    y = right.allocating()
    peers = [
        Fake("right", y),
        Fake("wrong", y + 1),
        Fake("broken", ValueError("no\nreally")),
        Fake("unable", None),
        Fake("unwanted", y),
    ]
    wanted = frozenset({"right", "wrong", "broken", "unable"})
    case = Case("a", "a test", "tests", work, peers=wanted)
    found = contest.measure(case, peers, 1, 0.01, Limit())["contestants"]  # type: ignore[arg-type]
    assert list(found) == ["halfpixel", "right", "wrong", "broken"]
    assert found["right"]["allocating"]["samples"] >= 3
    assert found["right"]["reused"] is None
    assert found["wrong"]["refused"].startswith("other values: off by 1")
    assert found["broken"] == {"refused": "fails: ValueError: no"}


def test_our_own_wrong_result_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work("resize", (1, 1, 1, 2), "NCHW", "float32", (1, 4), {"mode": "linear"})
    zeros = np.zeros((1, 1, 1, 4), np.float32)
    monkeypatch.setattr(ours, "prepare", lambda *_: Prepared(None, lambda: zeros, np.asarray))
    with pytest.raises(OtherValuesError):
        contest.measure(Case("a", "a test", "tests", work), [], 1, 0.01, Limit())  # type: ignore[arg-type]


def test_a_module_that_is_missing_has_no_version() -> None:
    fake = Fake("a", None)
    fake.module = "no_such_module_at_all"
    assert fake.version() is None


def test_a_crew_runs_every_share_and_hands_a_failure_on() -> None:
    crew = Crew(2)
    done: list[int] = []
    crew.run([[lambda: done.append(1)], [lambda: done.append(2), lambda: done.append(3)]])
    assert sorted(done) == [1, 2, 3]

    def fail() -> None:
        raise ValueError("in a helper")

    with pytest.raises(ValueError, match="in a helper"):
        crew.run([[], [fail]])
    crew.run([[lambda: done.append(4)], [lambda: done.append(5)]])
    assert sorted(done) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("element", "mode", "size", "tolerance"),
    [
        ("uint8", "cubic", 40, 32.0),
        ("uint8", "cubic", 7, 4.0),
        ("uint8", "linear", 40, None),
        ("uint16", "cubic", 40, None),
    ],
)
def test_tolerance_of_clipping(element: str, mode: str, size: int, tolerance: float | None) -> None:
    work = Work("resize", (20, 20, 3), "HWC", element, (size, size), {"mode": mode, "antialias": True})
    assert tolerance_of_clipping(work) == tolerance
