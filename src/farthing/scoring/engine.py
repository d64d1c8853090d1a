"""The steps from metrics and texts to scores, and the engine that takes them in this process.

An engine prepares the metrics on the whole corpus and maps them over stretches of it; the scores of all stretches are
gathered here. Other engines (processes, a cluster) implement the same protocol: a worker rebuilds a metric from its
spec and the prepared state, both of which are plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, tee
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from farthing.core.arrays import Statistics
from farthing.core.errors import UsageError
from farthing.core.joining import joined_scores
from farthing.core.metric import Metric, State
from farthing.core.registry import Registry, load_pairs_metric
from farthing.core.types import Pairs, Scores

if TYPE_CHECKING:
    from farthing.scoring.streamed import Streamed

Stretch: TypeAlias = Sequence[Pairs]  #: the same rows of every system
Stretches: TypeAlias = Callable[[], Iterable[Stretch]]  #: gives the input from its start each time it is called
#: gc's thresholds in processes that score, which make very many small objects and hardly any cycles of them
GARBAGE = (50_000, 20, 20)
StretchScores: TypeAlias = list[list[Scores]]  #: scores of one stretch: [metric][system]
_Item = TypeVar("_Item")


class Shard(NamedTuple):
    """A stretch kept by itself, and its place in the input, from 0; without texts, whoever scores it reads them."""

    number: int
    systems: Stretch | None


@dataclass(frozen=True, slots=True)
class Ready:
    """A metric that is ready to score.

    :param spec: what it was loaded from
    :param state: what it learned of the corpus, if it needs to
    """

    spec: str
    metric: Metric
    state: State | None = None

    @classmethod
    def rebuilt(cls, spec: str, state: State | None) -> Ready:
        """Load a metric by its spec and give it a state: all that a worker on another machine needs."""
        metric = load_pairs_metric(spec)
        return cls(spec, metric if state is None else metric.prepared(state), state)


class Keeper(Protocol):
    """Keeps the scores of shards; it may be sent to another process."""

    @property
    def inputs(self) -> object | None:
        """Where the texts can be read by any process; None if they cannot."""
        ...

    def absolute(self) -> Self:
        """Return the same for processes that run in other folders."""
        ...

    def texts(self, number: int) -> Stretch:
        """Read the texts of one shard."""
        ...

    def keep(self, shard: Shard, metrics: Sequence[Ready], found: StretchScores) -> None:
        """Write the texts and scores of one shard."""
        ...


class ScoringEngine(Protocol):
    """Takes the steps somewhere."""

    def prepare(self, metrics: Sequence[Ready], stretches: Stretches) -> list[Ready]:
        """Let every metric look at the whole corpus."""
        ...

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score stretch by stretch, in the order of the input."""
        ...

    def keep(self, metrics: Sequence[Ready], shards: Iterable[Shard], keeper: Keeper) -> Iterator[StretchScores]:
        """Score shard by shard, in the order of the input; each is kept before its scores are returned."""
        ...


class LocalEngine:
    """This process; the encoders below use as many cores as they are allowed."""

    def prepare(self, metrics: Sequence[Ready], stretches: Stretches) -> list[Ready]:
        """Let every metric look at the whole corpus."""
        return [_prepared(ready, stretches) for ready in metrics]

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score stretch by stretch."""
        return (score_stretch([ready.metric for ready in metrics], systems) for systems in stretches)

    def keep(self, metrics: Sequence[Ready], shards: Iterable[Shard], keeper: Keeper) -> Iterator[StretchScores]:
        """Score shard by shard, and keep each."""
        mapped, kept = tee(shards)
        stretches = (shard.systems or () for shard in mapped)
        for shard, found in zip(kept, self.map(metrics, stretches), strict=True):
            keeper.keep(shard, metrics, found)
            yield found


class LateEngine(LocalEngine):
    """Scores an input of one stretch in this process; another engine, which is made then, scores a longer one."""

    def __init__(self, make: Callable[[], ScoringEngine]) -> None:
        self.make = make

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score stretch by stretch."""
        several, stretches = are_several(stretches)
        return self.make().map(metrics, stretches) if several else super().map(metrics, stretches)

    def keep(self, metrics: Sequence[Ready], shards: Iterable[Shard], keeper: Keeper) -> Iterator[StretchScores]:
        """Score shard by shard, and keep each."""
        several, shards = are_several(shards)
        return self.make().keep(metrics, shards, keeper) if several else super().keep(metrics, shards, keeper)


def are_several(items: Iterable[_Item]) -> tuple[bool, Iterator[_Item]]:
    """Tell whether there are at least two items, and return all of them."""
    items = iter(items)
    first = list(islice(items, 2))
    return len(first) == 2, chain(first, items)


ENGINES: Registry[Callable[..., ScoringEngine]] = Registry(
    "engine", {"local": "farthing.scale.local:ProcessEngine", "ray": "farthing.scale.cluster:RayEngine"}
)


def made_engine(name: str, **options: int | str) -> ScoringEngine:
    """Make an engine by its name."""
    return ENGINES.get(name)(**options)


#: makes the engine for who names none
USUAL_ENGINE: ContextVar[Callable[[], ScoringEngine]] = ContextVar("engine", default=LocalEngine)


@contextmanager
def using_engine(name: str, **options: int | str) -> Iterator[None]:
    """Let an engine do all scoring inside that names none; it is made when it is needed."""
    token = USUAL_ENGINE.set(partial(made_engine, name, **options))
    try:
        yield
    finally:
        USUAL_ENGINE.reset(token)


def usual_engine() -> ScoringEngine:
    """Return the engine for who names none: this process, unless somebody has said otherwise."""
    return USUAL_ENGINE.get()()


@dataclass(frozen=True, slots=True)
class Keeping:
    """What stays in memory of the scores of rows.

    :param statistics: one row of statistics per pair, for resampling; else only their sum
    :param most: of inputs with more rows than this only sums are kept; None keeps all rows
    :param seed: of the samples that are drawn for intervals if only sums are kept; None draws none
    """

    statistics: bool = True
    most: int | None = None
    seed: int | None = None


def join_stretches(
    metrics: Sequence[Ready],
    found: Iterable[StretchScores],
    keeping: Keeping,
    each: Callable[[StretchScores], None] | None = None,
) -> StretchScores:
    """Join the scores of all stretches: result[metric][system].

    :param each: is given the scores of every stretch first
    """
    gathered: list[list[Gathered]] = []
    for stretch in found:
        if each is not None:
            each(stretch)
        gathered = gathered or [
            [Gathered(ready.metric, keeping) for _ in row] for ready, row in zip(metrics, stretch, strict=True)
        ]
        for places, row in zip(gathered, stretch, strict=True):
            for place, scores in zip(places, row, strict=True):
                place.add(scores)
    if not gathered:
        raise UsageError("there is nothing to score")
    return [[place.scores() for place in places] for places in gathered]


def score_stretches(metrics: Sequence[Metric], stretches: Stretches, *, keep_statistics: bool = True) -> StretchScores:
    """Take all three steps on this machine: result[metric][system]."""
    engine = LocalEngine()
    ready = engine.prepare([Ready(metric.info.name, metric) for metric in metrics], stretches)
    return join_stretches(ready, engine.map(ready, stretches()), Keeping(keep_statistics))


def _prepared(ready: Ready, stretches: Stretches) -> Ready:
    state = ready.state or ready.metric.prepare(_Lazily(stretches, ready.metric))
    return ready if state is None else replace(ready, metric=ready.metric.prepared(state), state=state)


class _Lazily:
    """The stretches as a metric reads them, and only if it looks at them."""

    def __init__(self, stretches: Stretches, metric: Metric) -> None:
        self._stretches, self._metric = stretches, metric

    def __iter__(self) -> Iterator[Stretch]:
        return ([self._metric.normalised_pairs(pairs) for pairs in systems] for systems in self._stretches())


def score_stretch(metrics: Sequence[Metric], systems: Stretch) -> StretchScores:
    """Score one stretch by every metric; those that read the same texts with the same model share one pass."""
    groups: dict[Hashable, list[int]] = {}
    for place, metric in enumerate(metrics):
        key = metric.sharing()
        groups.setdefault(place if key is None else ("shared", metric.normaliser, key), []).append(place)
    found: dict[int, list[Scores]] = {}
    for places in groups.values():
        group = [metrics[place] for place in places]
        texts = [group[0].normalised_pairs(pairs) for pairs in systems]
        shared = [group[0].score_systems(texts)] if len(group) == 1 else group[0].score_shared(group, texts)
        found.update(
            (place, [metrics[place].signed(one) for one in row]) for place, row in zip(places, shared, strict=True)
        )
    return [found[place] for place in range(len(metrics))]


class Gathered:
    """Takes the scores of one stretch after the other."""

    def __init__(self, metric: Metric, keeping: Keeping) -> None:
        self.metric, self.keeping = metric, keeping
        self.found: list[Scores] = []
        self.rows = 0
        self.total: Statistics | None = None
        self.streamed: Streamed | None = None

    def add(self, scores: Scores) -> None:
        """Take the next stretch."""
        if scores.segments is None:
            raise UsageError(f"{scores.metric} gives no score per pair")
        self.rows += len(scores.segments)
        if self.streamed is None and self.streams:
            self._stream()
        if self.streamed is not None:
            self.streamed.add(scores)
            return
        if scores.statistics is not None:
            total = scores.statistics.sum(axis=0)
            self.total = total if self.total is None else self.total + total
        self.found.append(scores if self.keeping.statistics else replace(scores, statistics=None))

    @property
    def streams(self) -> bool:
        """Whether there are so many rows that only sums are kept, if these are all that the metric needs."""
        if self.keeping.most is None or self.rows <= self.keeping.most or self.metric.needs_all_rows:
            return False
        return self.keeping.seed is None or not self.metric.info.columns

    def _stream(self) -> None:
        """Go over to sums."""
        from farthing.scoring.streamed import Streamed

        self.streamed = Streamed(self.metric, self.keeping.seed)
        self.streamed.total = None if self.keeping.statistics else self.total
        while self.found:
            self.streamed.add(self.found.pop(0))

    def scores(self) -> Scores:
        """One result for the whole input."""
        if self.streamed is not None:
            return self.streamed.scores()
        if len(self.found) == 1:
            return self.found[0]
        whole = joined_scores(self.found)
        corpus = whole.corpus if self.total is None else self.metric.aggregate(self.total)
        return self.metric.finish(replace(whole, corpus=corpus))
