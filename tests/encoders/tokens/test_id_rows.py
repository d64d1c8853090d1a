"""Ids of several texts in one array against lists."""

from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from farthing.encoders.tokens.id_rows import IdRows, appended, interleaved

ROWS = st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=1, max_size=8)


@given(ROWS)
def test_chosen_wrapped_and_cut_texts_are_those_of_lists(rows: list[list[int]]) -> None:
    found = IdRows.of(rows)
    assert list(found) == rows
    assert [found[row] for row in range(len(found))] == rows
    order = np.argsort([hash((row, 7)) % 13 for row in range(len(rows))], kind="stable")
    chosen = found.chosen(order)
    assert list(chosen) == [rows[row] for row in order.tolist()]
    assert list(chosen.cut(2)) == [rows[row][:2] for row in order.tolist()]
    assert list(chosen.cut(2).wrapped([101], [102, 103])) == [[101, *rows[row][:2], 102, 103] for row in order.tolist()]


@given(ROWS, ROWS)
def test_texts_behind_and_among_others(some: list[list[int]], others: list[list[int]]) -> None:
    assert list(appended(IdRows.of(some), IdRows.of(others))) == [*some, *others]
    chosen = np.arange(len(some) + len(others)) % 2 == 0
    chosen[:] = np.argsort(np.arange(len(chosen)) * 7 % 11, kind="stable") < len(some)
    found, first, second = list(interleaved(chosen, IdRows.of(some), IdRows.of(others))), iter(some), iter(others)
    assert found == [next(first) if one else next(second) for one in chosen.tolist()]


@given(ROWS, st.integers(1, 4))
def test_joined_texts(rows: list[list[int]], size: int) -> None:
    sizes = np.array([size] * (len(rows) // size) + [len(rows) % size, 0])
    bounds = np.cumsum(sizes).tolist()
    expected = [list(chain(*rows[end - count : end])) for end, count in zip(bounds, sizes.tolist(), strict=True)]
    assert list(IdRows.of(rows).joined(sizes)) == expected
