"""Chunks: every row once, every text encoded once, memory within the limit where that can be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from farthing.encoders.chunks import chunks

ROWS = st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=4), max_size=40)


@given(ROWS, st.integers(1, 30))
def test_each_text_is_encoded_once_and_there_when_it_is_needed(rows: list[list[int]], limit: int) -> None:
    seen: list[int] = []
    encoded: list[int] = []
    held: set[int] = set()
    for chunk in chunks(rows, [3] * 13, limit):
        encoded += chunk.new
        held |= set(chunk.new)
        for row in chunk.rows:
            assert set(rows[row]) <= held
        seen += chunk.rows
        assert set(chunk.done) <= held
        held -= set(chunk.done)
    assert sorted(seen) == list(range(len(rows)))
    assert len(encoded) == len(set(encoded))
    assert not held


def test_five_candidates_of_a_reference_stay_together() -> None:
    rows = [[10 + number, number % 4] for number in range(20)]  # references 0 to 3 come round again and again
    found = list(chunks(rows, [1] * 40, limit=12))
    for chunk in found:
        assert {rows[row][1] for row in chunk.rows} & {
            rows[r][1] for c in found if c is not chunk for r in c.rows
        } == set()
