"""Cut one sequence of words at the boundaries of another's segments, with as few edits as possible.

The cost of a cut is the sum of the edit distances between the pieces and their segments, each to the closest of its
references, as in mwerSegmenter. One dynamic programme runs over the words of the references; its row holds, for every
place in the output, the least cost so far and the place where the current segment began. Only places near a rough path
are looked at: the one through pairs of words that occur once on either side. If the best path comes near the edge of
this band, it is computed again with a wider one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from farthing.core.arrays import Indices

BAND = 2000  # places on each side of the rough path, at first
MOST = 1 << 26  # places that are remembered in all segments together, which bounds the memory
FORBIDDEN = -1

# A number holds, from its highest bits: edits, the ranks of the cuts so far, and the beginning of the current segment.
_RANK, _EDIT = 1 << 20, 1 << 36
_NEVER = 1 << 60


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where the sequence is cut (one place per segment: its end), and how many edits remain."""

    ends: Indices
    edits: int


def cut_at_segments(
    words: Indices, segments: Sequence[Sequence[Indices]], ranks: Indices | None = None, band: int = BAND
) -> Cuts:
    """Cut a sequence of words into as many pieces as there are segments.

    :param words: numbers of words
    :param segments: for each segment its references, as numbers of words
    :param ranks: for each place, of which there is one more than words: which of several equally good cuts is taken,
        from 0 (best) to 2, or FORBIDDEN
    :param band: places on each side of the rough path that are looked at first

    >>> cut_at_segments(np.array([1, 2, 9, 3]), [[np.array([1, 2])], [np.array([3])]]).ends.tolist()
    [2, 4]
    """
    ranks = np.full(len(words) + 1, 1) if ranks is None else ranks
    most = max(BAND, MOST // max(1, len(segments)))
    path = _rough_path(words, [references[0] for references in segments])
    while True:
        windows = [(max(0, start - band), min(len(words) + 1, end + band + 2)) for start, end in pairwise(path)]
        cuts = _cut(words, segments, ranks, windows)
        margin = band // 8
        near = [
            (low > 0 and end < low + margin) or (high <= len(words) and end > high - margin)
            for (low, high), end in zip(windows, cuts.ends, strict=True)
        ]
        if not any(near[:-1]) or 2 * band > most:
            return cuts
        band *= 2


def _rough_path(words: Indices, segments: Sequence[Indices]) -> list[int]:
    """Return about where each segment begins in the words, and where the last one ends."""
    places = _once(np.concatenate(segments))
    shared = sorted((place, other) for pair, other in _once(words).items() if (place := places.get(pair)) is not None)
    anchors = _rising(shared)
    ends = np.cumsum([0, *(len(segment) for segment in segments)])
    known = np.array([(0, 0), *anchors, (max(1, ends[-1]), len(words))])
    path = np.interp(ends, known[:, 0], known[:, 1]).astype(int)
    return [0, *path[1:-1].tolist(), len(words)]


def _once(words: Indices) -> dict[tuple[int, int], int]:
    """Return the place of every pair of neighbours that occurs once."""
    pairs = list(pairwise(words.tolist()))
    counts = Counter(pairs)
    return {pair: place for place, pair in enumerate(pairs) if counts[pair] == 1}


def _rising(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of points, sorted by the first number, whose second number rises."""
    ends: list[int] = []  # the lowest second number with which a run of each length ends
    holders: list[int] = []  # the point that has it
    before: list[int] = []  # the point before each point
    for number, (_, height) in enumerate(points):
        length = bisect_left(ends, height)
        before.append(holders[length - 1] if length else -1)
        ends[length : length + 1] = [height]
        holders[length : length + 1] = [number]
    place = holders[-1] if holders else -1
    run = []
    while place >= 0:
        run.append(points[place])
        place = before[place]
    return run[::-1]


def _cut(
    words: Indices, segments: Sequence[Sequence[Indices]], ranks: Indices, windows: Sequence[tuple[int, int]]
) -> Cuts:
    penalty = np.where(ranks < 0, _NEVER, ranks.astype(np.int64) * _RANK * (2 * len(segments) < _EDIT // _RANK))
    costs, low = np.zeros(1, dtype=np.int64), 0  # before the first segment, only the first place is reached
    begins: list[Indices] = []
    for references, (start, stop) in zip(segments, windows, strict=True):
        entry = np.full(stop - start, _NEVER, dtype=np.int64)
        kept = costs[max(0, start - low) :][: stop - max(start, low)]
        shift = max(0, low - start)
        entry[shift : shift + len(kept)] = kept
        entry += np.arange(len(entry)) * (entry < _NEVER)
        ends = [_segment(entry, words[start : stop - 1], reference) for reference in references]
        best = np.minimum.reduce(ends) if len(ends) > 1 else ends[0]
        begins.append((best & (_RANK - 1)).astype(np.int32) + np.int32(start))
        costs = np.minimum((best & -_RANK) + penalty[start:stop], _NEVER)
        low = start
    edits = int(costs[-1] >> 36)
    return Cuts(_traced(begins, windows, len(words)), edits)


def _segment(entry: Indices, words: Indices, reference: Indices) -> Indices:
    """Return the least cost of every end of a segment, given that of every beginning.

    Costs are kept less one edit per place, so that an inserted word costs nothing and is a running minimum.
    """
    slope = np.arange(len(entry), dtype=np.int64) * _EDIT
    row = np.minimum.accumulate(entry - slope)
    matches = {word: (words == word) * np.int64(_EDIT) for word in set(reference.tolist())}
    for word in reference.tolist():
        skipped = row + _EDIT
        np.minimum(skipped[1:], row[:-1] - matches[word], out=skipped[1:])
        row = np.minimum.accumulate(skipped)
    return np.asarray(row + slope)


def _traced(begins: Sequence[Indices], windows: Sequence[tuple[int, int]], count: int) -> Indices:
    """Follow the beginnings of the segments back from the end."""
    ends = np.empty(len(begins), dtype=np.int64)
    place = count
    for number in range(len(begins) - 1, -1, -1):
        ends[number] = place
        place = int(begins[number][place - windows[number][0]])
    return ends
