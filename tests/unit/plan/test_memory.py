"""What cannot be allocated is refused before anything is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan import memory


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The kernel's files by their paths; those not listed are missing."""
    texts: dict[str, str] = {}

    def text(path: str) -> str:
        if path in texts:
            return texts[path]
        raise FileNotFoundError(path)

    monkeypatch.setattr(memory, "_text", text)
    return texts


def test_available_memory_of_the_machine(files: dict[str, str]) -> None:
    files["/proc/meminfo"] = "MemTotal: 900 kB\nMemFree: 10 kB\nMemAvailable: 500 kB\n"
    assert memory.available_memory() == 512_000


def test_available_memory_under_a_cgroup(files: dict[str, str]) -> None:
    files["/proc/meminfo"] = "MemAvailable: 500 kB\n"
    files["/proc/self/cgroup"] = "0::/job\n"
    files["/sys/fs/cgroup/job/memory.max"] = "300000\n"
    files["/sys/fs/cgroup/job/memory.current"] = "250000\n"
    files["/sys/fs/cgroup/job/memory.stat"] = "anon 100\ninactive_file 70000\n"
    assert memory.available_memory() == 120_000  # file cache is given back when it is needed
    files["/sys/fs/cgroup/job/memory.max"] = "max\n"
    assert memory.available_memory() == 512_000
    files["/sys/fs/cgroup/memory/memory.limit_in_bytes"] = "9000\n"
    files["/sys/fs/cgroup/memory/memory.usage_in_bytes"] = "9500\n"
    files["/sys/fs/cgroup/memory/memory.stat"] = "total_inactive_file 0\n"
    assert memory.available_memory() == 0


def test_available_memory_under_a_limit_of_the_process(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    files["/proc/meminfo"] = "MemAvailable: 500 kB\n"
    files["/proc/self/statm"] = "10 9 8 7 6 5 4\n"
    page = resource.getpagesize()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (30 * page, -1))
    assert memory.available_memory() == 20 * page
    monkeypatch.setattr(resource, "getrlimit", lambda _: (5 * page, -1))
    assert memory.available_memory() == 0
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, -1))
    assert memory.available_memory() == 512_000


def test_machine_without_proc_has_its_pages(files: dict[str, str]) -> None:
    assert 2**28 < memory.available_memory() < 2**50


def test_available_memory_here_is_what_the_kernel_says() -> None:
    total = int(next(line for line in Path("/proc/meminfo").read_text().splitlines() if "MemTotal" in line).split()[1])
    assert 2**24 < memory.available_memory() <= total * 1024


@pytest.mark.parametrize(
    "call",
    [
        lambda: hp.resize(np.zeros((1, 1), np.uint8), sizes=[2**21, 2**21]),
        lambda: hp.resize(np.zeros((1, 1), np.uint8), scales=[2.0**21, 2.0**21]),
        lambda: hp.upsample(np.zeros((1, 1), np.uint8), [2.0**21, 2.0**21]),
        lambda: hp.resize(np.zeros((1, 1), "U1"), sizes=[2**20, 2**20]),
        lambda: hp.resize(np.zeros(1, np.uint8), sizes=[2**62]),
        lambda: hp.plan_resize((1,), "uint8", sizes=[2**62]),
        lambda: hp.plan_resize((2**62,), "uint8", sizes=[1], mode="linear", antialias=True),
        lambda: hp.space_to_depth(np.broadcast_to(np.uint8(1), (2**20, 2**20, 2, 2)), 2),
    ],
)
def test_outputs_and_tables_beyond_memory(call: Any) -> None:
    with pytest.raises(hp.ResourceError) as caught:
        call()
    assert caught.value.code == "HP301"
    assert caught.value.sentence.endswith("does not fit into memory")
    assert caught.value.given.endswith(" bytes needed")
    assert caught.value.allowed.endswith(" bytes available now")
    assert caught.value.do == "resize in tiles with plan.source and plan.run, free memory, or ask for less"


def test_message_names_the_bytes(files: dict[str, str]) -> None:
    files["/proc/meminfo"] = "MemAvailable: 300000 kB\n"
    x = np.zeros((1, 1), np.float32)
    with pytest.raises(hp.ResourceError) as caught:
        hp.resize(x, sizes=[10_000, 10_000])
    assert str(caught.value) == (
        "[HP301] an output of shape (10000, 10000) and dtype float32 does not fit into memory\n"
        "  given:   400000000 bytes needed\n"
        "  allowed: up to the 307200000 bytes available now\n"
        "  do:      resize in tiles with plan.source and plan.run, free memory, or ask for less"
    )


def test_refused_allocation_is_the_family_s_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*request: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(np, "empty", refuse)
    with pytest.raises(hp.ResourceError) as caught:
        hp.resize(np.zeros(6, np.float32)[::2], scales=[3])
    assert str(caught.value) == (
        "[HP302] the system gave no memory for an output of shape (9,) and dtype float32\n"
        "  given:   an allocation that failed\n"
        "  allowed: what the system grants this process\n"
        "  do:      resize in tiles with plan.source and plan.run, free memory, or raise the process's limit"
    )


def test_every_memory_error_becomes_one_of_the_family() -> None:
    with pytest.raises(hp.ResourceError) as caught, memory.guarded("the passes"):
        raise MemoryError
    assert (caught.value.code, caught.value.sentence) == ("HP302", "the system gave no memory for the passes")
    with pytest.raises(hp.ResourceError) as caught, memory.guarded("the passes"):
        memory.check_allocatable(2**80, "a table")
    assert caught.value.code == "HP301"


def test_copies_are_asked_about_too(files: dict[str, str]) -> None:
    x = np.zeros((1, 1), np.float32)
    plan = hp.plan_resize(x.shape, x.dtype, sizes=[9000, 9000])
    out = np.empty((9000, 18000), np.float32)[:, ::2]  # no page of it is touched
    files["/proc/meminfo"] = "MemAvailable: 1000 kB\n"
    with pytest.raises(hp.ResourceError) as caught:
        plan(x, out=out)
    assert caught.value.sentence == "a dense copy of the output does not fit into memory"
    wide = np.broadcast_to(np.float32(1), (9000, 9000))
    with pytest.raises(hp.ResourceError) as caught:
        hp.resize(wide, sizes=[1, 1], threads=1)
    assert caught.value.sentence == "a dense copy of the input does not fit into memory"
    with pytest.raises(hp.ResourceError) as caught:
        hp.resize(np.broadcast_to(np.array(1, ">f4"), (9000, 9000)), sizes=[1, 1], mode="linear")
    assert caught.value.sentence == "a copy in native byte order does not fit into memory"
