"""Plain tables of texts for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from farthing.tables.sheet import SheetCell, text_lines


def aligned(rows: Sequence[Mapping[str, str]], *, width: int | None = None) -> str:
    """Format rows with the same keys as aligned columns under their names; the first column is flush left.

    >>> print(aligned([{"student": "tiny", "r": ".9"}]))
    student   r
    tiny     .9
    """
    names = list(rows[0])
    lines = [names, *([row[name] for name in names] for row in rows)]
    return "\n".join(text_lines([[SheetCell(text) for text in line] for line in lines], rule=False, width=width))
