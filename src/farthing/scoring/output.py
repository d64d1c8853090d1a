"""Where a run's scores go besides the terminal: a table of segments, or a folder that keeps the whole run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from farthing.core.errors import OutputError, UsageError
from farthing.core.metric import Metric, SetMetric

if TYPE_CHECKING:
    import numpy as np

    from farthing.files.inputs import Source
    from farthing.scoring.comparison import Comparison
    from farthing.scoring.score import Chosen
    from farthing.scoring.spool import SegmentSpool

PLACES = ("system", "row")
Column: TypeAlias = "Sequence[object] | np.ndarray"


@dataclass(frozen=True, slots=True)
class Target:
    """What `-o` names: a table file, a folder for the run, or nothing.

    :param with_texts: the table has the texts, ids and signatures, too
    """

    table: Path | None = None
    run: Path | None = None
    with_texts: bool = False

    @classmethod
    def of(
        cls,
        text: str | None,
        metrics: Sequence[Chosen],
        inputs: Sequence[str] = (),
        with_texts: bool = False,
        explain: bool = False,
    ) -> Target:
        """Tell a folder (`runs/monday/`) from a file (`scores.parquet`), and refuse what cannot be written.

        :param inputs: the files that are read, which are never overwritten
        :param explain: marks of words are stored, too, which only a folder can hold
        """
        from farthing.files.write import check_not_input, check_table_path

        if explain:
            _check_explain(text, metrics)
        if not text:
            raise UsageError("--with-texts adds columns to the table that -o writes: name one, such as -o scores.csv")
        path = Path(text)
        check_not_input(path, inputs)
        if _is_folder(text):
            if not path.absolute().parent.is_dir():
                raise OutputError(f"{path}: the folder {path.parent} does not exist; make it first")
            return cls(run=path)
        if judges := [one.metric.info.name for one in metrics if isinstance(one.metric, SetMetric)]:
            raise UsageError(
                f"{judges[0]} judges the whole set and gives no score per segment: omit -o, use --format json"
            )
        check_table_path(path)
        return cls(table=path, with_texts=with_texts)

    @property
    def rejects(self) -> Path:
        """The file for rows that were skipped: in the folder of the run, beside the table, or else here."""
        from farthing.files.run_folder import REJECTS

        if self.run:
            return self.run / REJECTS
        return self.table.with_name(f"{self.table.stem}.{REJECTS}") if self.table else Path(REJECTS)

    def spool(self, metrics: Sequence[Chosen]) -> SegmentSpool | None:
        """Return what takes the rows of the table as they are scored; None if they must wait for the last one."""
        from farthing.scoring.spool import SegmentSpool

        pairs = [one.metric for one in metrics if isinstance(one.metric, Metric)]
        late = any(metric.needs_all_rows or metric.changes_segments for metric in pairs)
        return None if self.table is None or self.with_texts or late else SegmentSpool(self.table)

    def write(self, found: Comparison, inputs: Source, spool: SegmentSpool | None = None) -> None:
        """Write the table of segments; the folder of a run was written while it was scored.

        :param spool: has the rows, if they are not all in memory
        """
        if spool is not None:
            with spool:
                spool.write()
        elif self.table:
            from farthing.files.write import write_table

            write_table(self.table, self.columns(found, inputs))

    def explained(self, metrics: Sequence[Chosen]) -> str:
        """Return the line that tells where the marks of words are."""
        return f"marks of words by {', '.join(explaining(metrics))}: {self.run} (farthing report {self.run} shows them)"

    def columns(self, found: Comparison, inputs: Source) -> dict[str, Column]:
        """Return the columns of the table."""
        scores = found.columns("segment")
        if not self.with_texts:
            return dict(scores)
        places = {name: scores.pop(name) for name in PLACES}
        return {**places, **text_columns(inputs), **scores, **_signatures(found, len(places["row"]))}


def _is_folder(text: str) -> bool:
    return text.endswith(("/", "\\")) or not Path(text).suffix


def _check_explain(text: str | None, metrics: Sequence[Chosen]) -> None:
    """Raise a sentence if there is no folder for the marks, or no metric that makes any."""
    if not text or not _is_folder(text):
        raise UsageError("--explain stores the marks of words in a run: name its folder, such as -o run/")
    if not explaining(metrics):
        names = ", ".join(one.metric.info.name for one in metrics)
        raise UsageError(f"{names} cannot say which words are wrong: use a metric that matches tokens, -m frugalscore")


def explaining(metrics: Sequence[Chosen]) -> list[str]:
    """Return the specs of the metrics that can say which words are wrong."""
    return [one.spec for one in metrics if one.metric.explains]


def text_columns(inputs: Source) -> dict[str, Column]:
    """Return the texts and ids of all systems in columns that can be read again; several references are numbered."""
    stretches = list(inputs.stretches())
    systems = [[stretch[place] for stretch in stretches] for place in range(len(inputs.names))]
    parts = [part for system in systems for part in system]
    most = max((len(row) for part in parts for row in part.references), default=0)
    names = ["reference"] if most == 1 else [f"reference_{number + 1}" for number in range(most)]
    return {
        **_column("id", [part.ids for part in parts]),
        **_column("source", [part.sources for part in parts]),
        "candidate": [text for part in parts for text in part.candidates],
        **{
            name: [row[place] if place < len(row) else None for part in parts for row in part.references]
            for place, name in enumerate(names)
        },
    }


def _column(name: str, parts: Sequence[Sequence[str] | None]) -> dict[str, Column]:
    """Return a column, or none if a part of it is missing."""
    held = [part for part in parts if part is not None]
    return {name: [value for part in held for value in part]} if len(held) == len(parts) else {}


def _signatures(found: Comparison, count: int) -> dict[str, Column]:
    cells = found.rows[0].cells
    names = ["signature"] if len(cells) == 1 else [f"signature_{number + 1}" for number in range(len(cells))]
    return {name: [str(cell.scores.signature)] * count for name, cell in zip(names, cells, strict=True)}
