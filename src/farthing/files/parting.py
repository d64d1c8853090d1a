"""Find where two files stop corresponding, if their numbers of lines differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from farthing.core.columns import InputRow
from farthing.core.errors import UsageError

LOOKED_AT = 20_000  # lines of each file, which bounds the time
SAMPLE = 100  # lines whose counterpart is looked for, to learn how similar counterparts are
WINDOW = 20  # how many lines away from its place it is looked for
MERGED = 12  # most lines of one file that a line of the other is compared with
APART = 0.1  # counterparts must be more similar than other lines by so much, or nothing can be told


def lengths_differ(files: Sequence[tuple[str, Iterable[InputRow]]], *, systems: int, references: int) -> UsageError:
    """Return the error for files of different lengths, which says where two of them part.

    :param files: the names and the rows of all files: first of the systems, then of the references, then of the sources
    """
    texts = [[_text(row) for row in rows] for _, rows in files]
    other = next(place for place, held in enumerate(texts) if len(held) != len(texts[0]))
    names = (files[0][0], files[other][0])
    message = f"line counts differ: {names[0]} has {len(texts[0])}, {names[1]} has {len(texts[other])}"
    place = where_they_part(names, texts[0][:LOOKED_AT], texts[other][:LOOKED_AT])
    resegment = systems <= other < systems + references
    hint = "; --resegment cuts the outputs at the references' segments" if resegment else ""
    return UsageError(f"{message} (every file needs one line per segment){place}{hint}")


def _text(row: InputRow) -> str:
    return row.candidate or (row.references[0] if row.references else row.source or "")


def where_they_part(names: Sequence[str], first: Sequence[str], second: Sequence[str]) -> str:
    """Say which line is the first without its counterpart; nothing if that cannot be told.

    >>> where_they_part(("a", "b"), ["one cat", "a dog", "my bird"], ["one cat", "my bird"])
    '; they correspond up to line 1, then line 2 of a has no counterpart in b'
    """
    longer, shorter = (0, 1) if len(first) >= len(second) else (1, 0)
    long, short = (first, second) if longer == 0 else (second, first)
    common = corresponding(short, long)
    if common is None:
        return _longer_lines(names[shorter], short, names[longer], long)
    if common and _merged(short, long, common - 1) > 1:
        common -= 1  # a line that holds several is similar to the first of them, too
    upto = f"; they correspond up to line {common}, then" if common else ";"
    here = common + 1
    if common == len(short):
        return f"{upto} {names[longer]} goes on"
    if (count := _merged(short, long, common)) > 1:
        return f"{upto} line {here} of {names[shorter]} holds lines {here} to {common + count} of {names[longer]}"
    if dice(short[common], long[here]) > dice(short[common], long[common]):
        return f"{upto} line {here} of {names[longer]} has no counterpart in {names[shorter]}"
    return f"{upto} line {here} of one is not line {here} of the other"


def _merged(short: Sequence[str], long: Sequence[str], place: int) -> int:
    """Count the lines that a line of the shorter text holds: more than one only if they fit clearly better."""
    fits = [dice(short[place], " ".join(long[place : place + count])) for count in range(1, MERGED + 1)]
    best = int(np.argmax(fits))
    following = dice(short[place], long[place + 1]) if place + 1 < len(long) else 0.0
    return best + 1 if fits[best] > max(fits[0], following) + APART else 1


def _longer_lines(name: str, short: Sequence[str], other: str, long: Sequence[str]) -> str:
    """Say that the lines of one file are paragraphs, if the files hold about as much text as each other."""
    ours, theirs = (sum(map(len, texts)) for texts in (short, long))
    if not ours or not theirs or not 0.5 < ours / theirs < 2:
        return ""
    return f"; a line of {name} is as long as {ours / len(short) / (theirs / len(long)):.1f} lines of {other}"


def corresponding(short: Sequence[str], long: Sequence[str]) -> int | None:
    """Count the lines at the start of two texts that belong together; None if that cannot be told.

    Lines that belong together are more similar than others, so the sum of (similarity - what lies halfway) rises as
    long as they do, and falls after that.
    """
    if not short:
        return 0
    high, low = _levels(short, long)
    if high - low < APART:
        return None
    gains = np.array([dice(*pair) for pair in zip(short, long, strict=False)]) - (high + low) / 2
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    return int(np.argmax(sums))


def _levels(short: Sequence[str], long: Sequence[str]) -> tuple[float, float]:
    """Return how similar lines are to the best of those around, and to the best of as many lines from elsewhere."""
    high, low = [], []
    for place in np.unique(np.linspace(0, len(short) - 1, min(SAMPLE, len(short))).astype(int)):
        centre = round(place * len(long) / len(short))
        near = [*range(max(0, place - 1), place + 2), *range(max(0, centre - WINDOW), centre + WINDOW + 1)]
        around = [dice(short[place], long[other]) for other in near if other < len(long)]
        far = (centre + len(long) // 2 + step for step in range(-WINDOW, WINDOW + 1))
        high.append(max(around))
        low.append(float(np.mean([dice(short[place], long[other % len(long)]) for other in far])))
    return float(np.mean(high)), float(np.mean(low))


def dice(first: str, second: str) -> float:
    """Return the share of three-letter pieces that two lines have in common.

    >>> dice("abcd", "abcd"), dice("abcd", "wxyz")
    (1.0, 0.0)
    """
    ours, theirs = _pieces(first), _pieces(second)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


@lru_cache(maxsize=1024)
def _pieces(line: str) -> frozenset[str]:
    padded = f" {' '.join(line.lower().split())} "
    return frozenset(padded[place : place + 3] for place in range(max(1, len(padded) - 2)))
