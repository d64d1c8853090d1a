"""The longest common subsequence of two lists of words, by sums and products of long integers.

One integer stands for a row of the usual table: its bit j is 0 if the table grows from column j to column j + 1, so
that the number of zeros below bit j is the entry of the table (Hyyrö 2004).
"""

from __future__ import annotations

from collections.abc import Sequence


def common_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    >>> common_length("a b c d".split(), "b d a".split())
    2
    """
    return len(right) - _rows(left, right)[-1].bit_count()


def common_places(left: Sequence[str], right: Sequence[str]) -> list[int]:
    """Return where the words of one longest common subsequence stand in `left`.

    Of several it is the one that rouge-score finds: read from the end, equal words are taken, and otherwise the last
    word of `left` is dropped unless that makes the rest shorter.

    >>> common_places("a b c d".split(), "b d a".split())
    [1, 3]
    """
    rows = _rows(left, right)
    i, j = len(left), len(right)
    places: list[int] = []
    while i and j:
        if left[i - 1] == right[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif _entry(rows[i], j - 1) > _entry(rows[i - 1], j):
            j -= 1
        else:
            i -= 1
    return places[::-1]


def _rows(left: Sequence[str], right: Sequence[str]) -> list[int]:
    """Return the rows of the table, one per prefix of `left`, the empty one included."""
    places: dict[str, int] = {}
    for column, word in enumerate(right):
        places[word] = places.get(word, 0) | 1 << column
    full = (1 << len(right)) - 1
    rows = [full]
    for word in left:
        row = rows[-1]
        matched = row & places.get(word, 0)
        rows.append(((row + matched) | (row - matched)) & full)
    return rows


def _entry(row: int, column: int) -> int:
    return column - (row & ((1 << column) - 1)).bit_count()
