"""Draw distinct pairs of one source, for a teacher to score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from farthing.learn.data.judgements import texts_in
from farthing.learn.pairs.base import TextPair, TrainingPair
from farthing.learn.pairs.sources import file_option, make_source

TRIES = 100  # draws for every pair that is wanted


def drawn(
    kind: str,
    file: Path,
    count: int,
    seed: int,
    most_words: int = 80,
    without: Sequence[Path] = (),
    options: Mapping[str, object] | None = None,
) -> list[TrainingPair]:
    """Draw so many distinct pairs of a source, none empty, none with a longer text than `most_words`.

    There are fewer if a hundred draws for every pair do not find so many. Only some sources give equal texts.

    :param without: files whose texts must not occur
    :param options: further options of the source
    """
    source = make_source(kind, {file_option(kind): str(file), **(options or {})})
    equal = getattr(source, "equal", False)
    barred = texts_in(map(str, without))
    pairs: dict[TextPair, TrainingPair] = {}
    for pair in islice(source.pairs(np.random.default_rng(seed)), TRIES * count):  # most sources never end
        first, second = pair.candidate, pair.reference
        fits = 0 < len(first.split()) <= most_words and 0 < len(second.split()) <= most_words
        if fits and (first != second or equal) and not barred.intersection((first, second)):
            pairs.setdefault((first, second), pair)
        if len(pairs) >= count:
            break
    return list(pairs.values())


def texts_of(pairs: Iterable[TrainingPair]) -> list[TextPair]:
    """Return the texts of pairs, without where they come from."""
    return [(pair.candidate, pair.reference) for pair in pairs]


def told_of(pairs: Iterable[TrainingPair]) -> list[TextPair]:
    """Return the texts that teachers are asked about: those of the pairs, or the same in a language that they read."""
    return [pair.told or (pair.candidate, pair.reference) for pair in pairs]
