"""The one thread that loads models and scores: it takes a window of what waits, scores it, and takes the next."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from threading import Condition, Thread

from farthing.core.metric import Metric, SetMetric
from farthing.core.registry import load
from farthing.core.specs import Spec
from farthing.scoring.engine import Ready, StretchScores
from farthing.service.fair import FairQueue, Turn
from farthing.service.limits import Busy, Limits, TooLarge
from farthing.service.tally import Tally
from farthing.service.window import PieceOf, score_window
from farthing.service.work import CallWork, QueuedWork, ScoringWork, WorkPiece


class Worker:
    """A queue and the thread that works it off.

    :param tally: counts what was done
    """

    def __init__(self, limits: Limits | None = None, tally: Tally | None = None) -> None:
        self.limits, self.tally = limits or Limits(), tally or Tally()
        self._queue, self._works = FairQueue(), set[QueuedWork]()
        self._changed, self._closed = Condition(), False
        self._metrics: OrderedDict[str, Metric | SetMetric] = OrderedDict()
        self._thread: Thread | None = None

    def start(self) -> Worker:
        """Start the thread, again if it was closed."""
        if self._thread is None:
            self._closed = False
            self._thread = Thread(target=self._run, name="farthing-scoring", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Finish what was accepted, then end the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    @property
    def waiting(self) -> int:
        """The tokens that wait."""
        with self._changed:
            return self._waiting()

    def _waiting(self) -> int:
        self._works = {work for work in self._works if not work.over}
        return sum(work.tokens for work in self._works)

    @property
    def requests(self) -> int:
        """How many requests wait or are being scored."""
        with self._changed:
            self._waiting()
            return len(self._works)

    def submit(self, work: QueuedWork) -> None:
        """Accept work, or raise a sentence if there is no room for it."""
        tokens = work.tokens
        if tokens > self.limits.queue:
            raise TooLarge(
                f"about {tokens} tokens are more than the {self.limits.queue} that may wait: send fewer rows"
            )
        with self._changed:
            waiting = self._waiting()
            if self._closed or waiting + tokens > self.limits.queue:
                raise Busy(self.tally.wait(waiting + tokens - self.limits.queue))
            self._works.add(work)
            self._queue.add(work)
            self._changed.notify_all()

    def metric(self, spec: Spec) -> Metric | SetMetric:
        """Load a metric, or return it if it is still in memory; only the scoring thread calls this."""
        name = str(spec)
        if name not in self._metrics:
            self._metrics[name] = load(spec)
        self._metrics.move_to_end(name)
        while len(self._metrics) > self.limits.loaded:
            self._metrics.popitem(last=False)
        return self._metrics[name]

    def ready(self, specs: Sequence[Spec]) -> list[Ready]:
        """Load metrics of pairs; only the scoring thread calls this."""
        loaded = [(str(spec), self.metric(spec)) for spec in specs]
        return [Ready(spec, metric) for spec, metric in loaded if isinstance(metric, Metric)]

    def _run(self) -> None:
        while turns := self._next():
            started = time.perf_counter()
            self._work(turns)
            tokens = sum(turn.piece.tokens for turn in turns)
            pairs = sum(_pairs(turn) for turn in turns)
            self.tally.scored(pairs, tokens, time.perf_counter() - started)

    def _next(self) -> list[Turn]:
        """Wait for work; nothing is left once the queue is closed and empty."""
        with self._changed:
            while not (turns := self._queue.window(self.limits.window)):
                if self._closed:
                    return []
                self._changed.wait()
            return turns

    def _work(self, turns: Sequence[Turn]) -> None:
        pieces: list[PieceOf] = []
        for work, piece in turns:
            try:
                if isinstance(work, CallWork):
                    work.run()
                elif isinstance(work, ScoringWork):
                    work.prepare()
                    pieces.append((work, piece))
            except Exception as error:  # one request's trouble must not end the thread
                work.fail(error)
        self._score([one for one in pieces if not one[0].over])

    def _score(self, pieces: Sequence[PieceOf]) -> None:
        """Score pieces together; if that fails, one by one, so that only those that are to blame fail."""
        try:
            found = score_window(pieces)
        except Exception as error:
            if len(pieces) == 1:
                pieces[0][0].fail(error)
                return
            for one in pieces:
                self._score([one])
            return
        for (work, piece), scores in zip(pieces, found, strict=True):
            _take(work, piece, scores)


def _take(work: ScoringWork, piece: WorkPiece, scores: StretchScores) -> None:
    try:
        work.take(piece, scores)
    except Exception as error:
        work.fail(error)


def _pairs(turn: Turn) -> int:
    count = turn.piece.stop - turn.piece.start
    return count * len(turn.work.systems) if isinstance(turn.work, ScoringWork) else 0
