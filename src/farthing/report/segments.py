"""One row a system and segment: the scores that `-o` writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from farthing.core.errors import UsageError
from farthing.files.write import write_table

if TYPE_CHECKING:
    from farthing.meta.comparison import Comparison, ComparisonRow


def segment_columns(found: Comparison) -> dict[str, Any]:
    """The columns: system, row (from 1), then a column for every metric and part."""
    blocks = [_block(row) for row in found.rows]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _block(row: ComparisonRow) -> dict[str, Any]:
    values: dict[str, np.ndarray] = {}
    for cell in row.cells:
        columns = cell.scores.columns()
        if not columns:
            raise UsageError(f"{cell.scores.metric} gives no score a segment; use --format json instead of -o")
        # The same metric with other options gets its signature's hash into the name.
        clash = any(name in values for name in columns)
        mark = cell.scores.signature.short.partition("#")[2]
        values |= {f"{name}_{mark}" if clash else name: column for name, column in columns.items()}
    count = len(next(iter(values.values())))
    return {"system": np.array([row.system] * count), "row": np.arange(1, count + 1), **values}


def write_segments(path: Path, found: Comparison) -> None:
    """Write the segments' scores to a table file, whole or not at all."""
    write_table(path, segment_columns(found))
