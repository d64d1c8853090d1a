"""Everything that one request asks of the scoring thread, and the comparison that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TypeAlias

from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.specs import Spec
from farthing.core.types import Pairs, Scores
from farthing.files.inputs import Given
from farthing.scoring.comparison import Comparison, compared
from farthing.scoring.engine import Ready
from farthing.scoring.resampling import SEED, PairedTest
from farthing.scoring.score import Chosen, check_scorable
from farthing.service.limits import all_tokens
from farthing.service.work import CallWork, QueuedWork, RowScores, ScoringWork
from farthing.service.worker import Worker

Checks: TypeAlias = Callable[[Metric], object]  #: raises a sentence if a loaded metric does not fit


@dataclass(frozen=True, slots=True)
class Resampling:
    """Which intervals and tests a comparison has."""

    intervals: bool = False
    test: PairedTest | None = None
    baseline: str | None = None
    resamples: int = 0
    seed: int = SEED


class Order:
    """Systems to be scored by metrics of pairs, of sets, or of both.

    :param sets: tells which metrics judge whole sets
    :param told: is called with the rows of the metrics of pairs as soon as they are scored
    :param check: looks at the metrics of pairs once they are loaded
    """

    def __init__(
        self,
        worker: Worker,
        specs: Sequence[Spec],
        systems: Sequence[Pairs],
        *,
        sets: Callable[[Spec], bool],
        resampling: Resampling | None = None,
        told: RowScores | None = None,
        check: Checks | None = None,
    ) -> None:
        self._worker, self.specs, self.given = worker, list(specs), Given(systems)
        self.resampling, self._check = resampling or Resampling(), check or (lambda metric: None)
        self._judges = [spec for spec in specs if sets(spec)]
        self._loaded: dict[Spec, Metric | SetMetric] = {}
        pairs = [spec for spec in specs if spec not in self._judges]
        self._pairs = ScoringWork(lambda: self._ready(pairs), systems, worker.limits.window, told) if pairs else None
        self._sets = CallWork(self._judged, _tokens(systems)) if self._judges else None

    @property
    def works(self) -> list[QueuedWork]:
        """What is put into the queue."""
        return [work for work in (self._pairs, self._sets) if work]

    @property
    def futures(self) -> list[Future[list[list[Scores]]]]:
        """What the request waits for."""
        return [work.answer for work in (self._pairs, self._sets) if work]

    @property
    def rows(self) -> int:
        """How many segments there are."""
        return len(self.given.systems[0])

    def submit(self) -> Order:
        """Put everything into the queue, or nothing."""
        done: list[QueuedWork] = []
        try:
            for work in self.works:
                self._worker.submit(work)
                done.append(work)
        except Exception:
            self.cancel()
            raise
        return self

    def cancel(self) -> None:
        """Drop what still waits."""
        for future in self.futures:
            future.cancel()

    def wait(self, seconds: float) -> Order:
        """Wait until everything is scored; raise a sentence if that takes too long."""
        if wait(self.futures, seconds).not_done:
            self.cancel()
            raise TimeoutError
        return self

    def _ready(self, specs: Sequence[Spec]) -> Sequence[Ready]:
        self._load(specs)
        ready = [Ready(str(spec), metric) for spec in specs if isinstance(metric := self._loaded[spec], Metric)]
        for one in ready:
            self._check(one.metric)
        return ready

    def _load(self, specs: Sequence[Spec]) -> None:
        self._loaded |= {spec: self._worker.metric(spec) for spec in specs}
        chosen = [Chosen(str(spec), metric) for spec, metric in self._loaded.items()]
        check_scorable(chosen, self.given, self.resampling.test)

    def _judged(self) -> list[list[Scores]]:
        from farthing.scoring.sets import score_sets

        self._load(self._judges)
        judges = {str(spec): metric for spec in self._judges if isinstance(metric := self._loaded[spec], SetMetric)}
        plan = self.resampling
        found = score_sets(
            judges, self.given.sets(), intervals=plan.intervals or plan.test is not None, resamples=plan.resamples,
            seed=plan.seed,
        )  # fmt: skip
        return [found[str(spec)] for spec in self._judges]

    def scores(self) -> list[list[Scores]]:
        """Return what was scored, `[metric][system]`, in the order of the request."""
        pairs = iter(self._pairs.answer.result() if self._pairs else [])
        sets = iter(self._sets.answer.result() if self._sets else [])
        return [next(sets if spec in self._judges else pairs) for spec in self.specs]

    def comparison(self) -> Comparison:
        """Put the scores side by side, with intervals and tests if they are asked for."""
        plan, names = self.resampling, self.given.names
        return compared(
            [self._loaded[spec] for spec in self.specs], self.scores(), specs=list(map(str, self.specs)),
            intervals=plan.intervals or plan.test is not None, test=plan.test, baseline=plan.baseline,
            resamples=plan.resamples, seed=plan.seed, all_pairs=plan.baseline is None and len(names) > 2,
        )  # fmt: skip

    def metric(self) -> Metric:
        """Return the only metric, which must be one of pairs."""
        [loaded] = [self._loaded[spec] for spec in self.specs]
        if isinstance(loaded, SetMetric):
            raise UsageError(f"{loaded.info.name} judges a set, not single texts")
        return loaded


def _tokens(systems: Sequence[Pairs]) -> int:
    return sum(all_tokens(pairs.texts()) for pairs in systems)
