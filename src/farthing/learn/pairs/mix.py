"""Draw the pairs of a recipe: so many from each source, filtered, each pair once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import records
from farthing.learn.data.store import PairTable, table_of
from farthing.learn.pairs import make_source
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.recipe import Filter, Recipe

PATIENCE = 20_000  # a source that gives so many unusable pairs in a row has run dry
Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Sieve:
    """Lets a pair through once, and only where the filter and the forbidden texts allow it."""

    filter: Filter
    forbidden: frozenset[str]
    seen: set[bytes] = field(default_factory=set)

    def passes(self, pair: TrainingPair) -> bool:
        """True where the pair is wanted; it is not the next time."""
        texts = (pair.candidate, pair.reference)
        if not self.filter.equal and pair.candidate == pair.reference:
            return False
        if not all(self.filter.min_words <= len(text.split()) <= self.filter.max_words for text in texts):
            return False
        if self.forbidden and any(plain(text) in self.forbidden for text in texts):
            return False
        key = hashlib.blake2b("\0".join(sorted(texts)).encode(), digest_size=16).digest()
        fresh = key not in self.seen
        self.seen.add(key)
        return fresh


def draw(recipe: Recipe, progress: Progress = lambda source, done, total: None) -> tuple[PairTable, list[str]]:
    """The pairs of a recipe, and a sentence for every source that had fewer than its share.

    :param progress: called with the source, the pairs that it gave and the pairs that it shall give
    """
    sieve = Sieve(recipe.filter, forbidden_texts(recipe.filter))
    sources = {
        name: make_source(recipe.kind(name), recipe.options(name)) for name in recipe.sources
    }  # all checked before any runs
    pairs: list[TrainingPair] = []
    remarks = []
    for number, (name, wanted) in enumerate(recipe.counts().items()):
        random = np.random.default_rng([recipe.seed, number])
        before = len(pairs)
        for pair in _usable(sources[name].pairs(random), sieve, wanted):
            pairs.append(replace(pair, source=name))
            progress(name, len(pairs) - before, wanted)
        if len(pairs) - before < wanted:
            remarks.append(f"{name} had only {len(pairs) - before} usable pairs where {wanted} were wanted")
    if not pairs:
        raise InputError("no pair came out of this recipe", remedy="check the corpora and the filter")
    return table_of(pairs, recipe.seed, {"recipe": recipe.to_json()}), remarks


def _usable(pairs: Iterator[TrainingPair], sieve: Sieve, wanted: int) -> Iterator[TrainingPair]:
    found = unused = 0
    while found < wanted and unused < PATIENCE:
        pair = next(pairs, None)
        if pair is None:
            return
        if sieve.passes(pair):
            found, unused = found + 1, 0
            yield pair
        else:
            unused += 1


def forbidden_texts(chosen: Filter) -> frozenset[str]:
    """Every text of the files that training must never see: test sets."""
    found: set[str] = set()
    for path in chosen.exclude:
        for _, record in records(str(Path(path))):
            for value in record.values():
                texts = value if isinstance(value, list) else [value]
                found.update(plain(text) for text in texts if isinstance(text, str))
    return frozenset(found)


def plain(text: str) -> str:
    """A text without case and extra space, to compare by."""
    return " ".join(text.lower().split())
