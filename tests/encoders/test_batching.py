"""Batches: every row once, within the budget, no more padding than allowed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from farthing.encoders.batching import batches, padded, unique


@given(st.lists(st.integers(1, 60), max_size=80), st.integers(1, 200), st.sampled_from([0.0, 0.1, 0.5]))
def test_batches_are_a_partition_within_budget_and_slack(lengths: list[int], tokens: int, slack: float) -> None:
    found = list(batches(lengths, tokens, slack))
    assert sorted(row for batch in found for row in batch) == list(range(len(lengths)))
    for batch in found:
        longest, shortest = max(lengths[row] for row in batch), min(lengths[row] for row in batch)
        assert len(batch) == 1 or len(batch) * longest <= tokens
        assert shortest >= longest * (1 - slack)


@given(st.lists(st.text(max_size=3)))
def test_unique_can_be_undone(texts: list[str]) -> None:
    distinct, inverse = unique(texts)
    assert len(set(distinct)) == len(distinct)
    assert [distinct[place] for place in inverse] == texts


def test_padding_on_either_side() -> None:
    ids, mask = padded([[1, 2, 3], [4]], fill=9, side="left")
    assert ids.tolist() == [[1, 2, 3], [9, 9, 4]]
    assert mask.tolist() == [[1, 1, 1], [0, 0, 1]]
