"""Training pairs from any table that `farthing score` reads, with the scores of people, of a judge or of a metric."""

from __future__ import annotations

from pathlib import Path

from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError
from farthing.core.progress import Log, silent_log
from farthing.files.read import format_of, records
from farthing.learn.data.judgements import read_judged
from farthing.learn.data.provenance import judge_notes
from farthing.learn.data.store import SCORE, TEXTS, PairTable, read_pairs
from farthing.meta.read.cells import SCORE as SCORES

DOCUMENT = "document"  # pairs with the same one are held out together


def read_any_pairs(
    path: str | Path,
    *,
    scored: bool = False,
    score: str | None = None,
    columns: Columns | None = None,
    log: Log = silent_log,
) -> PairTable:
    """Read pairs from a file that `farthing learn` wrote, or from any other table.

    :param scored: require scores
    :param score: the column of the scores, such as score or judges.gpt4, by default the first of the usual names
    :param columns: the names of the columns of texts
    :param log: is told which rows are left out because they lack a text or a score
    """
    if _is_ours(str(path), scored) and score is None and columns in (None, Columns()):
        return read_pairs(path, scored=scored)
    if not scored:
        return _with_texts(str(path), columns or Columns())
    judged = read_judged(path, human=score, by="none", text=columns, least=2, log=log)
    candidates, references, scores = judged.flat()
    # A system's output and another's for the same segment must not stand on both sides of a split.
    columns_of = {TEXTS[0]: candidates, TEXTS[1]: references, SCORE: scores.tolist(), DOCUMENT: references}
    return PairTable(columns_of, judge_notes(str(path)))


def _is_ours(path: str, scored: bool) -> bool:
    """Tell whether a file has the columns that we write, or is to be refused as one that lacks them."""
    if Path(path).is_dir():  # a run of pairs
        return True
    if format_of(path) != "parquet":
        return False
    names = {name for _, record in _first(path) for name in record}
    has_scores = not scored or SCORE in names or not names & set(SCORES)
    return not names or (set(TEXTS) <= names and has_scores)


def _first(path: str) -> list[tuple[int, dict[str, object]]]:
    """Return the first record of a file, if it has one."""
    try:
        return [next(iter(records(path)))]
    except StopIteration:
        return []


def _with_texts(path: str, columns: Columns) -> PairTable:
    """Read candidates with each of their references, and all other columns that hold texts."""
    reader: RowReader | None = None
    rows: list[dict[str, object]] = []
    for number, record in records(path):
        reader = reader or RowReader(path, columns, record)
        row = reader.row(number, record)
        if not row.references:
            raise InputError("the row has no reference", path=path, line=number, remedy="name it with --reference")
        used = {reader.candidate, *reader.references}
        others = {name: value for name, value in record.items() if name not in used}
        content = {DOCUMENT: row.source or row.references[0], **others}
        rows += [{TEXTS[0]: row.candidate, TEXTS[1]: reference, **content} for reference in row.references]
    names = dict.fromkeys(name for row in rows for name in row)
    kept = [name for name in names if all(isinstance(row.get(name), str) for row in rows)]
    if not rows:
        raise InputError("there is no pair in it", path=path, remedy="give at least two rows")
    return PairTable({name: [row[name] for row in rows] for name in kept})
