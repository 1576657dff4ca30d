"""Turns, minimum and median, on a clock that only the calls move."""

import pytest

from halfpixel.peers.speed import measure
from halfpixel.peers.speed.measure import interleaved


class Clock:
    """Seconds that pass when someone says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.order: list[str] = []

    def __call__(self) -> float:
        return self.now

    def call(self, name: str, *seconds: float) -> "Call":
        return Call(self, name, seconds)


class Call:
    """A call that takes these seconds, one after the other, and then the last one always."""

    def __init__(self, clock: Clock, name: str, seconds: tuple[float, ...]) -> None:
        self.clock, self.name, self.seconds, self.count = clock, name, seconds, 0

    def __call__(self) -> None:
        self.clock.now += self.seconds[min(self.count, len(self.seconds) - 1)]
        self.clock.order.append(self.name)
        self.count += 1


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_SETTLE", 0.0)


def test_calls_take_turns_and_each_has_three() -> None:
    clock = Clock()
    interleaved({"a": clock.call("a", 1.0), "b": clock.call("b", 1.0)}, 0.0, clock)
    # One call each to see how long it takes; slow ones need no call that warms them.
    assert clock.order == ["a", "b"] + ["a", "b"] * 3


def test_a_turn_begins_with_a_call_that_is_not_counted() -> None:
    clock = Clock()
    # How long it takes, then three turns of a warming call and one sample.
    seconds = (0.01, 0.09, 0.01, 0.09, 0.02, 0.09, 0.04)
    timing = interleaved({"a": clock.call("a", *seconds)}, 0.0, clock)["a"]
    assert (timing.minimum, timing.median, timing.samples) == (pytest.approx(0.01), pytest.approx(0.02), 3)


def test_short_calls_are_repeated_within_a_sample() -> None:
    clock = Clock()
    call = clock.call("a", 5e-5)
    timing = interleaved({"a": call}, 0.0, clock)["a"]
    assert timing.minimum == pytest.approx(5e-5)
    # 1e-4 / 5e-5 = 2 calls a sample, 20 samples a turn, one call to warm, three turns, one call before.
    assert call.count == 1 + 3 * (1 + 20 * 2)


def test_a_quick_call_goes_on_while_its_share_lasts() -> None:
    clock = Clock()
    quick, slow = clock.call("quick", 0.05), clock.call("slow", 0.5)
    interleaved({"quick": quick, "slow": slow}, 2.0, clock)
    assert slow.count == 1 + 3
    # A share of 1 s: ten turns of a warming call and a sample.
    assert quick.count == pytest.approx(1 + 2 * 10, abs=2)
