"""Plain tables of texts for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def aligned(rows: Sequence[Mapping[str, str]]) -> str:
    """Format rows with the same keys as aligned columns under their names; the first column is flush left.

    >>> print(aligned([{"student": "tiny", "r": ".9"}]))
    student    r
    tiny      .9
    """
    names = list(rows[0])
    lines = [names, *([row[name] for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(line, widths) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    rest = [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    return "  ".join([cells[0].ljust(widths[0]), *rest]).rstrip()
