"""Where systems are good and where they are not: by the length of the reference, and by how frequent words are."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Indices
from farthing.core.types import Pairs
from farthing.report.page.content import ReportContent
from farthing.text.words import unicode_words

LENGTHS = (1, 10, 20, 30, 40, 50, 60)  #: the first length of each bucket, in words
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)


@dataclass(frozen=True, slots=True)
class BucketTable:
    """Means of systems in buckets.

    :param buckets: what the buckets are called
    :param counts: how many segments, or words of the references, each bucket has
    :param values: one row per system; None for a bucket without any
    """

    title: str
    unit: str
    buckets: Sequence[str]
    counts: Sequence[int]
    systems: Sequence[str]
    values: Sequence[Sequence[float | None]]
    digits: int


def bucket_names(starts: Sequence[int]) -> list[str]:
    """Name buckets by their first and last number.

    >>> bucket_names((1, 2, 10))
    ['1', '2–9', '10+']
    """
    ends = [*(start - 1 for start in starts[1:]), None]
    return [
        f"{start}+" if end is None else str(start) if start == end else f"{start}–{end}"
        for start, end in zip(starts, ends, strict=True)
    ]


def reference_lengths(pairs: Pairs) -> Indices:
    """Count the words of every row's first reference; of its source if there is no reference."""
    sources = pairs.sources or [""] * len(pairs)
    texts = (row[0] if row else source for row, source in zip(pairs.references, sources, strict=True))
    return np.array([len(unicode_words(text)) for text in texts], dtype=np.int64)


def length_tables(content: ReportContent, lengths: Indices) -> list[BucketTable]:
    """Return the mean score of every system in buckets of the reference's length, one table per measure."""
    places = np.maximum(np.digitize(lengths, LENGTHS) - 1, 0)
    counts = np.bincount(places, minlength=len(LENGTHS)).tolist()
    tables = []
    for measure in content.segment_measures():
        systems = [name for name in content.systems if (name, measure.label) in content.scores]
        values = [_means(content.scores[name, measure.label].segments, places) for name in systems]
        title = f"{measure.label} by the length of the reference"
        tables.append(BucketTable(title, "words", bucket_names(LENGTHS), counts, systems, values, measure.digits))
    return [_without_empty(table) for table in tables]


def _means(segments: np.ndarray | None, places: Indices) -> list[float | None]:
    scores = np.full(len(places), np.nan) if segments is None else np.asarray(segments)
    inside = [scores[(places == bucket) & np.isfinite(scores)] for bucket in range(len(LENGTHS))]
    return [float(one.mean()) if one.size else None for one in inside]


def frequency_table(texts: Sequence[Pairs]) -> BucketTable:
    """Return how well every system finds the words of the references, in buckets of how frequent they are there.

    The value is the F1 of words: of each output against the reference that shares most words with it.
    """
    references = [[Counter(unicode_words(text)) for text in row] for row in texts[0].references]
    frequency: Counter[str] = Counter()
    for row in references:
        for one in row:
            frequency.update(one)
    bucket = {word: bisect_right(FREQUENCIES, count) - 1 for word, count in frequency.items()}
    counts: Counter[int] = Counter()
    for word, place in bucket.items():
        counts[place] += frequency[word]
    values = [_word_f1(pairs, references, bucket) for pairs in texts]
    names = [pairs.system for pairs in texts]
    title = "F1 of words by their frequency in the references"
    listed = [counts[place] for place in range(len(FREQUENCIES))]
    table = BucketTable(title, "times", bucket_names(FREQUENCIES), listed, names, values, 3)
    return _without_empty(table)


def _word_f1(pairs: Pairs, references: Sequence[Sequence[Counter[str]]], bucket: dict[str, int]) -> list[float | None]:
    """Return the F1 of each bucket; a word that no reference has counts in none, since its frequency is zero."""
    shared, total = [0] * len(FREQUENCIES), [0] * len(FREQUENCIES)
    for text, row in zip(pairs.candidates, references, strict=True):
        own = Counter(unicode_words(text))
        common = max(((own & one, one) for one in row), key=lambda two: two[0].total(), default=None)
        if common is None:
            continue
        for counts, sums in ((common[0], shared), (own, total), (common[1], total)):
            for word, count in counts.items():
                if word in bucket:
                    sums[bucket[word]] += count
    return [2 * found / every if every else None for found, every in zip(shared, total, strict=True)]


def _without_empty(table: BucketTable) -> BucketTable:
    """Leave out the buckets at the end that have nothing."""
    last = max((place for place, count in enumerate(table.counts) if count), default=-1) + 1
    return BucketTable(
        table.title, table.unit, table.buckets[:last], table.counts[:last], table.systems,
        [row[:last] for row in table.values], table.digits,
    )  # fmt: skip
