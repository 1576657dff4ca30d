"""threads=, HALFPIXEL_THREADS and HALFPIXEL_ISA."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import halfpixel as hp
from halfpixel.plan.threads import default_threads, thread_count

X = np.zeros(3, np.float32)


def run_with(code: str, **settings: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HALFPIXEL_")}
    command = [sys.executable, "-c", f"import halfpixel as hp, numpy as np; x = np.zeros(3, np.float32); {code}"]
    done = subprocess.run(command, env=environment | settings, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("threads", [1, 2, 7, np.int64(3), 10**30])
def test_counts_from_one_on(threads: Any) -> None:
    assert hp.resize(X, scales=[2], threads=threads).shape == (6,)
    assert 1 <= thread_count(threads) <= 1024


@pytest.mark.parametrize("threads", [0, -1, True, False, 1.0, "2", [2], float("nan"), np.bool_(True)])
@pytest.mark.parametrize(
    "call",
    [
        lambda threads: hp.resize(X, scales=[2], threads=threads),
        lambda threads: hp.resize(X[::-1], scales=[2], threads=threads),
        lambda threads: hp.upsample(X, [2], threads=threads),
        lambda threads: hp.resize_grad(X, (3,), scales=[1], threads=threads),
        lambda threads: hp.depth_to_space(X.reshape(1, 3, 1, 1), 1, threads=threads),
        lambda threads: hp.plan_resize((3,), "float32", scales=[2]).run(
            X, at=(slice(0, 3),), box=(slice(0, 6),), threads=threads
        ),
    ],
)
def test_other_threads_are_refused(call: Any, threads: Any) -> None:
    with pytest.raises(hp.SpecError) as caught:
        call(threads)
    assert str(caught.value) == (
        "[HP166] threads must be an integer from 1 on\n"
        f"  given:   threads={threads!r}\n"
        "  allowed: 1, 2, 3, ..., or None for the process default\n"
        "  do:      pass threads=1 for the calling thread alone, or leave it out"
    )


def test_default_is_the_affinity_mask_or_the_variable() -> None:
    code = "print(hp.build_info()['threads'])"
    assert run_with(code) == f"{len(os.sched_getaffinity(0))}\n"
    assert run_with("import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); " + code) == "1\n"
    assert run_with(code, HALFPIXEL_THREADS="3") == "3\n"
    assert run_with(code, HALFPIXEL_THREADS="99999999999") == "1024\n"
    assert run_with(code, HALFPIXEL_THREADS="", HALFPIXEL_ISA="") == f"{len(os.sched_getaffinity(0))}\n"


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", "\u00b2"])
def test_wrong_variable_is_refused_where_it_is_used(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    default_threads.cache_clear()
    monkeypatch.setenv("HALFPIXEL_THREADS", value)
    hp.resize(X, scales=[2], threads=1)
    for _ in range(2):
        with pytest.raises(hp.SpecError) as caught:
            hp.resize(X, scales=[2])
        assert str(caught.value) == (
            "[HP167] HALFPIXEL_THREADS must be an integer from 1 on\n"
            f"  given:   HALFPIXEL_THREADS={value!r}\n"
            "  allowed: 1, 2, 3, ..., or not set for the cores of the affinity mask\n"
            "  do:      set it to a count, or unset it, and start the process again"
        )


def test_wrong_instruction_set_is_refused_at_every_use() -> None:
    calls = ("hp.resize(x, scales=[2])", "hp.build_info()", "hp.space_to_depth(x.reshape(1, 3, 1, 1), 1)")
    code = "".join(f"\ntry: {call}\nexcept hp.SpecError as error: print(error)" for call in calls)
    assert run_with(code, HALFPIXEL_ISA="x86-64-v1") == 3 * (
        "[HP168] HALFPIXEL_ISA names no instruction set that this machine can run\n"
        "  given:   HALFPIXEL_ISA='x86-64-v1'\n"
        f"  allowed: {', '.join(hp.build_info()['available_isas'])}\n"
        "  do:      set it to one of these, or unset it, and start the process again\n"
    )


@pytest.mark.parametrize("isa", hp.build_info()["available_isas"])
def test_every_available_instruction_set_can_be_forced(isa: str) -> None:
    code = "print(hp.build_info()['isa'], hp.resize(np.array([1, 5], np.float32), scales=[2], mode='linear').tolist())"
    assert run_with(code, HALFPIXEL_ISA=isa) == f"{isa} [1.0, 2.0, 4.0, 5.0]\n"
