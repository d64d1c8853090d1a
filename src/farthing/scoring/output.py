"""Where a run's scores go besides the terminal: a table of segments, or a folder that keeps the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import OutputError, UsageError
from farthing.core.metric import SetMetric

if TYPE_CHECKING:
    from farthing.scoring.comparison import Comparison
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

            write_table(self.table, found.columns("segment"))
