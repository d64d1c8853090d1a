"""Cutting words at segments: against every way to cut, and against the reference's own words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.align.cuts import FORBIDDEN, cut_at_segments
from farthing.core.arrays import Indices

Edits = Callable[[list[int], list[int]], int]
WORDS = st.lists(st.integers(0, 3), max_size=5).map(lambda words: np.array(words, dtype=np.int64))


def cost(words: Indices, ends: list[int], segments: list[list[Indices]], edits: Edits) -> int:
    """The edits of one way to cut."""
    pieces = [words[start:end].tolist() for start, end in pairwise([0, *ends])]
    rows = zip(pieces, segments, strict=True)
    return sum(min(edits(piece, one.tolist()) for one in references) for piece, references in rows)


@settings(max_examples=150)
@given(words=WORDS, segments=st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=4), data=st.data())
def test_no_other_way_has_fewer_edits(
    edits: Edits, words: Indices, segments: list[list[Indices]], data: st.DataObject
) -> None:
    inner = data.draw(st.lists(st.sampled_from([FORBIDDEN, 0, 1, 2]), min_size=len(words), max_size=len(words)))
    ranks = np.array([*inner, 0])
    ranks[0] = max(ranks[0], 0)
    found = cut_at_segments(words, segments, ranks)
    allowed = np.flatnonzero(ranks >= 0).tolist()
    ways = [[*ends, len(words)] for ends in combinations_with_replacement(allowed, len(segments) - 1)]
    costs = {tuple(ends): cost(words, ends, segments, edits) for ends in ways}
    best = min(costs.values())
    assert found.edits == best == costs[tuple(found.ends.tolist())]
    # Of the best ways it takes one whose cuts have the lowest ranks.
    ranked = [ranks[list(ends)].sum() for ends, value in costs.items() if value == best]
    assert ranks[found.ends].sum() == min(ranked)


def test_the_references_own_words_are_cut_where_they_were_joined() -> None:
    random = np.random.default_rng(1)
    segments = [random.integers(0, 500, random.integers(1, 40)) for _ in range(300)]
    found = cut_at_segments(np.concatenate(segments), [[one] for one in segments])
    assert found.edits == 0
    assert found.ends.tolist() == np.cumsum([len(one) for one in segments]).tolist()


@pytest.mark.parametrize("band", [8, 40, 10_000])
def test_words_that_are_missing_or_added_are_found_with_a_narrow_band(band: int) -> None:
    """The path is far from the diagonal: 20 of 80 segments are missing, or 300 words are added after 30."""
    random = np.random.default_rng(2)
    segments = [random.integers(0, 900, 12) for _ in range(80)]
    words = np.concatenate(segments[20:])
    found = cut_at_segments(words, [[one] for one in segments], band=band)
    assert found.edits == 20 * 12
    assert found.ends.tolist() == [0] * 20 + list(range(12, len(words) + 1, 12))
    words = np.concatenate([*segments[:30], 1000 + random.integers(0, 900, 300), *segments[30:]])
    found = cut_at_segments(words, [[one] for one in segments], band=band)
    assert found.edits == 300
    ends = found.ends.tolist()
    assert ends[:29] + ends[30:] == [*range(12, 349, 12), *range(672, len(words) + 1, 12)]


@pytest.mark.parametrize("seed", range(5))
def test_a_narrow_band_costs_no_edits_in_noisy_texts(seed: int) -> None:
    random = np.random.default_rng(seed)
    segments = [random.zipf(1.4, random.integers(3, 30)) % 3000 for _ in range(150)]
    words = np.concatenate(segments)
    words = words[random.random(len(words)) > 0.1]
    words = np.where(random.random(len(words)) < 0.3, random.zipf(1.4, len(words)) % 3000, words)
    references = [[one] for one in segments]
    assert cut_at_segments(words, references, band=100).edits == cut_at_segments(words, references, band=9999).edits


def test_noise_moves_few_cuts() -> None:
    random = np.random.default_rng(3)
    segments = [random.integers(0, 2000, random.integers(5, 40)) for _ in range(200)]
    words, ends = [], []
    for segment in segments:
        kept = segment[random.random(len(segment)) > 0.15]
        words += np.where(random.random(len(kept)) < 0.2, 5000 + random.integers(0, 9, len(kept)), kept).tolist()
        ends.append(len(words))
    found = cut_at_segments(np.array(words), [[one] for one in segments])
    assert np.mean(np.abs(found.ends - ends) <= 1) > 0.9


def test_several_references_are_chosen_segment_by_segment() -> None:
    segments = [[np.array([1, 2, 3]), np.array([7, 8])], [np.array([4, 5]), np.array([9, 9, 9])]]
    assert cut_at_segments(np.array([7, 8, 9, 9, 9]), segments).edits == 0
    assert cut_at_segments(np.array([1, 2, 3, 9, 9, 9]), segments).ends.tolist() == [3, 6]


def test_nothing_is_cut_into_nothing() -> None:
    found = cut_at_segments(np.array([], dtype=np.int64), [[np.array([1])], [np.array([], dtype=np.int64)]])
    assert (found.ends.tolist(), found.edits) == ([0, 0], 1)
