"""Rates and pauses, with a clock that the test turns."""

from __future__ import annotations

import threading

import pytest

from farthing.judge import pacing
from farthing.judge.pacing import CallPace, back_off


class Clock(threading.Event):
    """Waiting moves the time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0
        return False


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pacing.time, "monotonic", clock.monotonic)
    return clock


def test_calls_begin_at_a_rate(clock: Clock) -> None:
    pace = CallPace(120)
    times = []
    for _ in range(5):
        pace.wait(clock)
        times.append(clock.now)
    assert times == pytest.approx([100, 100.5, 101, 101.5, 102])


def test_a_pause_stops_all(clock: Clock) -> None:
    pace = CallPace()
    pace.pause(7)
    pace.wait(clock)
    assert clock.now == pytest.approx(107)


def test_waits_grow_up_to_a_minute() -> None:
    assert max(back_off(20, 1.0) for _ in range(50)) <= 60
    assert back_off(3, 0.0) == 0
