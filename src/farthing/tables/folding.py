"""Tables that are wider than the terminal: fold their columns into blocks, or turn each row into lines."""

from __future__ import annotations

from collections.abc import Sequence

GAP = 2  # spaces between columns


def column_groups(widths: Sequence[int], room: int) -> list[list[int]]:
    """Divide the columns into blocks that fit; each begins with the first column, which holds the names.

    :returns: the columns of every block; nothing if a column does not even fit beside the names alone

    >>> column_groups([5, 10, 10, 10], 30)
    [[0, 1, 2], [0, 3]]
    >>> column_groups([25, 10], 30)
    []
    """
    groups: list[list[int]] = []
    used = room
    for place, width in enumerate(widths[1:], start=1):
        if widths[0] + GAP + width > room:
            return []
        if used + GAP + width > room:
            groups.append([0])
            used = widths[0]
        groups[-1].append(place)
        used += GAP + width
    return groups


def turned_lines(lines: Sequence[Sequence[str]], room: int) -> list[str]:
    """Turn a table on its side: the name of each row, then one line per column, or two if it is long.

    :param lines: the head, then the rows

    >>> turned_lines([["system", "bleu", "a long name"], ["a", "30.1", "5"]], 14)
    ['a', '  bleu  30.1', '  a long name', '    5']
    """
    _, *heads = lines[0]
    values = [max(len(line[place]) for line in lines[1:]) for place in range(1, len(lines[0]))]
    fits = [2 * GAP + len(head) + value <= room for head, value in zip(heads, values, strict=True)]
    column = max((len(head) for head, fit in zip(heads, fits, strict=True) if fit), default=0)
    printed: list[str] = []
    for name, *cells in lines[1:]:
        printed.append(name)
        for head, cell, fit in zip(heads, cells, fits, strict=True):
            padded = min(column, room - 2 * GAP - len(cell))
            printed += [f"  {head.ljust(padded)}  {cell}"] if fit else [f"  {head}", f"    {cell}"]
    return printed
