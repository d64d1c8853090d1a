"""The failures of a judge carry what the next try needs."""

from __future__ import annotations

from farthing.judge.reply import TryAgain


def test_a_failure_tells_its_reason_and_the_wait() -> None:
    failure = TryAgain("HTTP 429", 3.0)
    assert (str(failure), failure.wait, failure.unreachable) == ("HTTP 429", 3.0, False)
