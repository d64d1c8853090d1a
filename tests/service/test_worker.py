"""The scoring thread: it survives mistakes, drops what nobody wants, and finishes what it accepted."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from farthing.core.errors import FarthingError, UsageError
from farthing.core.registry import load
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs
from farthing.scoring.engine import Ready
from farthing.service.limits import Busy, Limits, TooLarge
from farthing.service.work import CallWork, ScoringWork
from farthing.service.worker import Worker

WAIT = 60


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(Limits(window=100, queue=1000, loaded=2)).start()
    yield made
    made.close()


def chrf(worker: Worker, rows: int, reference: str = "a cat") -> ScoringWork:
    pairs = Pairs(["the cat"] * rows, [[reference] if reference else []] * rows)
    return ScoringWork(lambda: worker.ready([parse_spec("chrf")]), [pairs], worker.limits.window)


def held(worker: Worker) -> Event:
    """Keep the thread busy until the event is set."""
    go, begun = Event(), Event()
    worker.submit(CallWork(lambda: (begun.set(), go.wait(WAIT)), 1))
    assert begun.wait(WAIT)
    return go


def test_requests_are_scored_and_counted(worker: Worker) -> None:
    works = [chrf(worker, rows) for rows in (1, 7, 40)]
    for work in works:
        worker.submit(work)
    expected = load("chrf").score(Pairs(["the cat"], [["a cat"]])).corpus
    for work in works:
        [[scores]] = work.answer.result(WAIT)
        assert scores.segments == pytest.approx([expected] * work.rows)
    assert worker.waiting == 0
    assert "farthing_pairs_total 48" in worker.tally.prometheus(0, 0)


def test_one_request_s_mistake_is_its_own(worker: Worker) -> None:
    go = held(worker)
    good, bad, other = chrf(worker, 3), chrf(worker, 3, ""), chrf(worker, 2)
    unknown = ScoringWork(lambda: worker.ready([parse_spec("nothing")]), [Pairs(["a"], [["b"]])], 100)
    broken: CallWork[float] = CallWork(lambda: 1 / 0, 1)
    for work in (good, bad, other, unknown, broken):
        worker.submit(work)
    go.set()
    assert good.answer.result(WAIT)
    assert other.answer.result(WAIT)
    with pytest.raises(FarthingError, match="chrf needs a reference"):
        bad.answer.result(WAIT)
    with pytest.raises(UsageError, match="unknown metric"):
        unknown.answer.result(WAIT)
    with pytest.raises(ZeroDivisionError):
        broken.answer.result(WAIT)


def test_a_cancelled_request_frees_its_place(worker: Worker) -> None:
    go = held(worker)
    large = chrf(worker, 100)
    assert 500 < large.tokens < 1000
    worker.submit(large)
    with pytest.raises(Busy, match="send the request again in"):
        worker.submit(chrf(worker, 100))
    large.answer.cancel()
    assert worker.waiting == 0
    next_one = chrf(worker, 100)
    worker.submit(next_one)
    go.set()
    assert next_one.answer.result(WAIT)


def test_what_could_never_wait_is_too_large(worker: Worker) -> None:
    with pytest.raises(TooLarge, match="more than the 1000 that may wait"):
        worker.submit(chrf(worker, 1000))


def test_closing_finishes_what_was_accepted() -> None:
    worker = Worker(Limits(window=100)).start()
    works = [chrf(worker, 50) for _ in range(5)]
    for work in works:
        worker.submit(work)
    worker.close()
    assert all(work.answer.done() and not work.answer.exception() for work in works)
    with pytest.raises(Busy):
        worker.submit(chrf(worker, 1))


def test_the_last_used_metrics_stay_in_memory(worker: Worker) -> None:
    specs = [parse_spec(text) for text in ("chrf", "bleu", "ter")]
    first = worker.metric(specs[0])
    worker.metric(specs[1])
    assert worker.metric(specs[0]) is first
    worker.metric(specs[2])  # bleu was used longest ago
    assert worker.metric(specs[0]) is first
    ready = worker.ready(specs[:1])
    assert isinstance(ready[0], Ready)
