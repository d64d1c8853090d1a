"""Where a run's scores go besides the terminal: a table of segments, or a folder that keeps the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.errors import OutputError, UsageError
from farthing.core.metric import SetMetric

if TYPE_CHECKING:
    from farthing.scoring.comparison import Comparison, ComparisonRow
    from farthing.scoring.score import Chosen


@dataclass(frozen=True, slots=True)
class Target:
    """What `-o` names: a table file, a folder for the run, or nothing."""

    table: Path | None = None
    run: Path | None = None

    @classmethod
    def of(cls, text: str, metrics: Sequence[Chosen]) -> Target:
        """Tell a folder (`runs/monday/`) from a file (`scores.parquet`), and refuse what cannot be written."""
        path = Path(text)
        if text.endswith(("/", "\\")) or not path.suffix:
            if not path.absolute().parent.is_dir():
                raise OutputError(f"{path}: the folder {path.parent} does not exist; make it first")
            return cls(run=path)
        from farthing.files.write import check_table_path

        if judges := [one.metric.info.name for one in metrics if isinstance(one.metric, SetMetric)]:
            raise UsageError(
                f"{judges[0]} judges the whole set and gives no score per segment: omit -o, use --format json"
            )
        check_table_path(path)
        return cls(table=path)

    def write(self, found: Comparison) -> None:
        """Write the table of segments; the folder of a run was written while it was scored."""
        if self.table:
            from farthing.files.write import write_table

            write_table(self.table, segment_columns(found))


def segment_columns(found: Comparison) -> dict[str, np.ndarray]:
    """The columns of a table of segments: system, row (from 1), then one column per metric and part."""
    blocks = [_block(row) for row in found.rows]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _block(row: ComparisonRow) -> dict[str, np.ndarray]:
    values: dict[str, np.ndarray] = {}
    for cell in row.cells:
        columns = cell.scores.columns()
        if not columns:
            raise UsageError(f"{cell.scores.metric} gives no score per segment; use --format json instead of -o")
        # The same metric with other options gets its signature's hash into the name.
        clash = any(name in values for name in columns)
        mark = cell.scores.signature.short.partition("#")[2]
        values |= {f"{name}_{mark}" if clash else name: column for name, column in columns.items()}
    count = len(next(iter(values.values())))
    return {"system": np.array([row.system] * count), "row": np.arange(1, count + 1), **values}
