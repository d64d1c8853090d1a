"""What makes scoring cheaper, each as a pass of its own: sorting by tokens, the cache, systems scored together."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from farthing.bench.passes import score_pass, some_pairs, spread_rows
from farthing.core.errors import ModelError
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.encoders.cache import Cache
from farthing.encoders.engine import Engine
from farthing.metrics.tokens.base import TokenMetric

LEAST = 16  #: segments of each system; with fewer, cheap metrics would be judged by what each call costs
BATCH = 64  #: texts per batch of the engine that does not sort
UNSORTED, SORTED, CACHED = "unsorted", "sorted", "cache"


class InputOrder(Engine):
    """An engine that takes texts as they come, 64 at a time, and pads them to the longest: the usual plain loop."""

    def plan(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        """Put inputs into batches in the order of the input."""
        rows = range(len(lengths))
        return [list(rows[begin : begin + BATCH]) for begin in range(0, len(rows), BATCH)]


@dataclass(frozen=True, slots=True)
class Trick:
    """A way to score some systems."""

    name: str
    metric: Metric
    systems: Sequence[Pairs]

    @property
    def outputs(self) -> int:
        """How many outputs are scored."""
        return sum(map(len, self.systems))

    def run(self) -> None:
        """Score them."""
        score_pass(self.metric, self.systems)


def engine_tricks(metric: Metric, pairs: Pairs, scratch: Path) -> Iterator[Trick]:
    """Yield the engine without sorting, with sorting, and with a cache that knows all texts.

    There are none for a metric without an engine, and no unsorted pass over an encoder that takes no padding.
    """
    if not isinstance(metric, TokenMetric):
        return
    engine = metric.engine
    unsorted = _with_engine(metric, InputOrder(engine.encoder, long=engine.long, threads=engine.threads))
    if takes_padding(unsorted, pairs):
        yield Trick(UNSORTED, unsorted, [pairs])
    yield Trick(SORTED, metric, [pairs])
    kept = Engine(engine.encoder, long=engine.long, threads=engine.threads, cache=Cache(scratch))
    cached = Trick(CACHED, _with_engine(metric, kept), [pairs])
    cached.run()  # fills the cache
    yield cached


def takes_padding(unsorted: Metric, pairs: Pairs) -> bool:
    """Tell whether an encoder can read texts of different lengths in one batch."""
    try:
        score_pass(unsorted, [some_pairs(pairs, spread_rows(len(pairs), 8))])
    except ModelError:
        return False
    return True


def _with_engine(metric: TokenMetric[object], engine: Engine) -> TokenMetric[object]:
    changed = copy(metric)
    changed.engine = engine
    return changed


def system_trick(metric: Metric, pairs: Pairs, count: int) -> Trick:
    """Score so many systems together, with about as many outputs in all as there are pairs, if that is not too few."""
    rows = spread_rows(len(pairs), max(LEAST, len(pairs) // count))
    name = f"{count} system{'s' if count > 1 else ''}"
    return Trick(name, metric, made_systems(some_pairs(pairs, rows), count))


def made_systems(pairs: Pairs, count: int) -> list[Pairs]:
    """Make systems that share references and sources: the first is the given one, the others shuffle its words.

    Such outputs are as long as real ones, and different, so that they cost the same; their scores mean nothing.
    """
    others = (_shuffled(pairs.candidates, number) for number in range(1, count))
    candidates = [pairs.candidates, *others]
    return [
        Pairs(texts, pairs.references, pairs.sources, system=f"system{number}")
        for number, texts in enumerate(candidates, start=1)
    ]


def _shuffled(texts: Sequence[str], seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.sample(words := text.split(), len(words))) for text in texts]
