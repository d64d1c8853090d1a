"""Draw the pairs of a recipe: a share from each source, filtered, each pair once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError
from farthing.core.progress import Progress, silent
from farthing.files.read import records
from farthing.learn.data.store import PairTable, table_of
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.recipe import PairFilter, Recipe
from farthing.learn.pairs.sources import make_source

PATIENCE = 20_000  # a source that yields so many unusable pairs in a row is exhausted


@dataclass(slots=True)
class Sieve:
    """Accepts a pair once, and only if the filter and the forbidden texts allow it."""

    filter: PairFilter
    forbidden: frozenset[str]
    seen: set[bytes] = field(default_factory=set)

    def passes(self, pair: TrainingPair) -> bool:
        """Return True if the pair is wanted; it is not wanted a second time, in either direction."""
        texts = (pair.candidate, pair.reference)
        if not self.filter.equal and pair.candidate == pair.reference:
            return False
        if not all(self.filter.min_words <= len(text.split()) <= self.filter.max_words for text in texts):
            return False
        if self.forbidden and any(folded(text) in self.forbidden for text in texts):
            return False
        key = hashlib.blake2b("\0".join(sorted(texts)).encode(), digest_size=16).digest()
        fresh = key not in self.seen
        self.seen.add(key)
        return fresh


def draw(recipe: Recipe, progress: Progress = silent) -> tuple[PairTable, list[str]]:
    """Draw the pairs of a recipe, and return them with a sentence for every source that had fewer than its share."""
    remarks: list[str] = []
    pairs = list(drawn_pairs(recipe, remarks, progress))
    if not pairs:
        raise InputError("no pair came out of this recipe", remedy="check the corpora and the filter")
    return table_of(pairs, recipe.seed, {"recipe": recipe.to_json()}), remarks


def drawn_pairs(
    recipe: Recipe, remarks: list[str], progress: Progress = silent, cache: Path | None = None
) -> Iterator[TrainingPair]:
    """Yield the pairs of a recipe, the same ones in the same order each time.

    :param remarks: gets a sentence for every source that had fewer pairs than its share
    :param cache: a file that keeps generated texts, for the sources that name none
    """
    sieve = Sieve(recipe.filter, forbidden_texts(recipe.filter))
    sources = {
        name: make_source(recipe.kind(name), recipe.cached(name, cache)) for name in recipe.sources
    }  # all checked before any runs
    for number, (name, wanted) in enumerate(recipe.counts().items()):
        random, count = np.random.default_rng([recipe.seed, number]), 0
        for pair in _usable(sources[name].pairs(random), sieve, wanted):
            yield replace(pair, source=name)
            progress(1)
            count += 1
        if count < wanted:
            remarks.append(f"{name} had only {count} usable pairs of the {wanted} that were wanted")


def _usable(pairs: Iterator[TrainingPair], sieve: Sieve, wanted: int) -> Iterator[TrainingPair]:
    accepted = refused = 0
    while accepted < wanted and refused < PATIENCE:
        pair = next(pairs, None)
        if pair is None:
            return
        if sieve.passes(pair):
            accepted, refused = accepted + 1, 0
            yield pair
        else:
            refused += 1


def forbidden_texts(chosen: PairFilter) -> frozenset[str]:
    """Read every text of the files that training must never see, such as test sets."""
    texts: set[str] = set()
    for path in chosen.exclude:
        for _, record in records(path):
            for value in record.values():
                cells = value if isinstance(value, list) else [value]
                texts.update(folded(cell) for cell in cells if isinstance(cell, str))
    return frozenset(texts)


def folded(text: str) -> str:
    """Return a text without case and extra space, to compare by."""
    return " ".join(text.lower().split())
