"""The Pareto front, by comparing every point with every other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from farthing.bench.pareto import pareto_front

POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@given(POINTS)
def test_the_front_is_what_nothing_beats(points: list[tuple[int, int]]) -> None:
    def beaten(one: tuple[int, int]) -> bool:
        return any(cost <= one[0] and quality >= one[1] and (cost, quality) != one for cost, quality in points)

    front = pareto_front([cost for cost, _ in points], [quality for _, quality in points])
    assert sorted(front) == [place for place, one in enumerate(points) if not beaten(one)]
    assert [points[place] for place in front] == sorted(points[place] for place in front)
