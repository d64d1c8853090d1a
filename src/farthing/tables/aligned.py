"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def aligned(rows: Sequence[Mapping[str, str]]) -> str:
    """Columns of equal width under their names.

    >>> print(aligned([{"student": "tiny", "r": ".9"}]))
    student    r
    tiny      .9
    """
    names = list(rows[0])
    widths = {name: max(len(name), *(len(row[name]) for row in rows)) for name in names}
    lines = [{name: name for name in names}, *rows]
    return "\n".join(
        "  ".join(
            line[name].ljust(widths[name]) if name == names[0] else line[name].rjust(widths[name]) for name in names
        ).rstrip()
        for line in lines
    )
