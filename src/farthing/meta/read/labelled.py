"""A corpus with labels, and the sets that experiments on diversity draw from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.files.lines import lines
from farthing.files.read import records

MOST_STEPS = 7


@dataclass(frozen=True, slots=True)
class Labelled:
    """Distinct texts by their label, the label with most texts first."""

    texts: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, rows: Iterator[tuple[str, str]]) -> Labelled:
        """Group (label, text) rows; a text counts once, under its first label."""
        seen: set[str] = set()
        groups: dict[str, list[str]] = {}
        for label, text in rows:
            if text.strip() and text not in seen:
                seen.add(text)
                groups.setdefault(label, []).append(text)
        if len(groups) < 2:
            raise UsageError(f"experiments on diversity need at least two labels, found {len(groups)}")
        order = sorted(groups, key=lambda label: (-len(groups[label]), label))
        return cls({label: tuple(groups[label]) for label in order})


def read_labelled(path: str, text: str, label: str, header: Sequence[str] | None = None) -> Labelled:
    """Read a table with a column of texts and one of labels.

    :param header: the names of the columns of a tab-separated file that has no header line
    """
    rows = _headless(path, header) if header else records(path)
    return Labelled.of(_picked(path, rows, text, label))


def _headless(path: str, header: Sequence[str]) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in lines(path):
        cells = line.split("\t")
        if len(cells) != len(header):
            problem = f"{len(cells)} columns, but --header names {len(header)}"
            raise InputError(problem, path=path, line=number, remedy="name every column")
        yield number, dict(zip(header, cells, strict=True))


def _picked(
    path: str, rows: Iterator[tuple[int, dict[str, object]]], text: str, label: str
) -> Iterator[tuple[str, str]]:
    for number, record in rows:
        content = _cell(path, number, record, text)
        yield _cell(path, number, record, label), content


def _cell(path: str, number: int, record: Mapping[str, object], name: str) -> str:
    if name not in record:
        raise UnknownName(f"column of {path}", name, record)
    value = record[name]
    if not isinstance(value, str):
        raise InputError(f"the field {name!r} must be text", path=path, line=number)
    return value


@dataclass(frozen=True, slots=True)
class Split:
    """A corpus that holds all labels, and generated sets of the same size that hold ever fewer of them."""

    corpus: tuple[str, ...]
    kept: tuple[int, ...]
    steps: tuple[tuple[str, ...], ...]


def split_labels(data: Labelled, size: int, random: np.random.Generator) -> Split:
    """Draw disjoint sets, balanced over their labels; the labels with fewest texts are dropped first.

    The sets are smaller than `size` if the labels that stay have too few texts.
    """
    mixed = [[texts[place] for place in random.permutation(len(texts))] for texts in data.texts.values()]
    kept = tuple(sorted({round(value) for value in np.geomspace(1, len(mixed), MOST_STEPS)}, reverse=True))
    while size > len(mixed) and any(
        _needed(size, len(mixed), kept, rank) > len(mixed[rank]) for rank in range(len(mixed))
    ):
        size = int(size * 0.95)
    if size < 2 * len(mixed):
        raise UsageError(f"the labels have too few texts: give at least {4 * len(mixed)} of each")
    share = size // len(mixed)
    corpus = tuple(text for texts in mixed for text in texts[:share])
    steps = tuple(tuple(_balanced([texts[share:] for texts in mixed[:count]], len(corpus))) for count in kept)
    return Split(corpus, kept, steps)


def split_evenly(data: Labelled, size: int, random: np.random.Generator) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Draw a corpus and a generated set that are disjoint, of one size, and as balanced over their labels as can be.

    A label with few texts gives half of them to each set; the sets are smaller than `size` if all labels do.
    """
    mixed = [[texts[place] for place in random.permutation(len(texts))] for texts in data.texts.values()]
    shares = _even_shares([len(texts) // 2 for texts in mixed], size)
    drawn = list(zip(mixed, shares, strict=True))
    corpus = tuple(text for texts, share in drawn for text in texts[:share])
    return corpus, tuple(text for texts, share in drawn for text in texts[share : 2 * share])


def _even_shares(most: Sequence[int], size: int) -> list[int]:
    """Return the same share for every label, or all that it has if that is less; together at most `size`.

    >>> _even_shares([100, 3, 50], 30)
    [13, 3, 13]
    """
    level = size // len(most)
    while sum(min(each, level + 1) for each in most) <= size and level < max(most):
        level += 1
    return [min(each, level) for each in most]


def _needed(size: int, labels: int, kept: Sequence[int], rank: int) -> int:
    """Count the texts of the label at a rank that the corpus and the smallest generated set with it take."""
    return size // labels + -(-size // min(count for count in kept if count > rank))


def _balanced(groups: Sequence[Sequence[str]], size: int) -> list[str]:
    counts = [size // len(groups) + (place < size % len(groups)) for place in range(len(groups))]
    return [text for texts, count in zip(groups, counts, strict=True) for text in texts[:count]]


def swapped(text: str, probability: float, seed: int) -> str:
    """Return the text with some of its words, drawn at random, swapped with others.

    With the same seed, a higher probability swaps the same words and more.

    >>> swapped("a b c d", 0.0, 1), swapped("a b c d", 1.0, 1)
    ('a b c d', 'a c d b')
    """
    words = text.split()
    random = np.random.default_rng(seed)
    chances, partners = random.random(len(words)), random.integers(max(1, len(words)), size=len(words))
    for place in np.flatnonzero(chances < probability):
        other = partners[place]
        words[place], words[other] = words[other], words[place]
    return " ".join(words)
