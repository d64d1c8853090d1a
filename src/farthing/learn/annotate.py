"""Give every pair the teacher's score. An interrupted run is resumed by the same call."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.arrays import Indices, Matrix, Segments
from farthing.core.columns import Columns
from farthing.core.digest import digest_json
from farthing.core.errors import InputError, OutputError
from farthing.core.types import Pairs
from farthing.files.fingerprint import fingerprint
from farthing.files.inputs import Given
from farthing.files.journal import Journal
from farthing.files.rows import close_rows, drop_parts, is_folder, keep_columns, open_rows, resumable
from farthing.files.run_folder import PARTS
from farthing.files.write import check_not_input
from farthing.learn.data.licence import teacher_licence
from farthing.learn.data.store import PAIRS, SCORE, PairTable, read_pairs, write_pairs
from farthing.learn.data.tables import read_any_pairs
from farthing.learn.teacher import Teacher
from farthing.scoring.identity import contents, identity, versions
from farthing.scoring.score import score


def annotate(
    source: str | Path,
    target: str | Path,
    teacher: Teacher,
    *,
    source_column: str | None = None,
    text_columns: Columns | None = None,
    licence: str | None = None,
    overwrite: bool = False,
) -> PairTable:
    """Score the pairs of one file, which may be any table, and write them with their scores to another.

    Equal pairs are scored once. Until the target is complete, the scores are kept beside it, in the folder of a run;
    if the target is a folder, inside it.

    :param source_column: the column with the text that the candidate was made from, for teachers that need it
    :param text_columns: the names of the columns of texts, if they are not the usual ones
    :param licence: the teacher's licence; by default what the folders of its models say
    :param overwrite: replace an earlier run in the folder
    """
    check_not_input(target, [str(source)])
    table = read_any_pairs(source, columns=text_columns)
    teacher.check(source_column is not None)
    distinct = _distinct(table, source_column, str(source))
    journal = _opened(Path(target), teacher, table, overwrite) if is_folder(target) else None
    if journal is not None and journal.complete:
        drop_parts(journal)
        return read_pairs(target, scored=True)
    folder = _run_folder(Path(target), teacher, distinct.pairs) if journal is None else journal.folder / PARTS
    with resumable(folder if journal is None else journal.folder):
        columns, signatures = _scored(teacher, distinct.pairs, folder, str(source))
        mixed = teacher.mixed(columns)[distinct.places]
        licence = licence or teacher_licence(part.spec for part in teacher.parts)
        annotated = _with_scores(table, teacher, signatures, columns[distinct.places], mixed, licence)
        _write(annotated, Path(target), journal)
    shutil.rmtree(folder)
    return annotated


def _scored(teacher: Teacher, pairs: Pairs, folder: Path, path: str) -> tuple[Matrix, list[str]]:
    """Return one column of scores for each part of the teacher, and their signatures."""
    cells = score(teacher.metrics, Given([pairs]), run=folder).rows[0].cells
    columns = np.stack([np.asarray(cell.scores.segments) for cell in cells], axis=1)
    _check(columns, path)
    return columns, [str(cell.scores.signature) for cell in cells]


def _opened(target: Path, teacher: Teacher, table: PairTable, overwrite: bool) -> Journal:
    """Start a run of annotated pairs in a folder, or resume it there."""
    metrics = {chosen.spec: contents(chosen.spec) for chosen in teacher.metrics}
    given = digest_json([{name: list(column) for name, column in table.columns.items()}, dict(table.notes)])
    about = {**versions(), "teacher": str(teacher), "standardised": teacher.standardise, "metrics": metrics}
    return open_rows(target, PAIRS, {**about, "input": given}, overwrite=overwrite)


def _write(annotated: PairTable, target: Path, journal: Journal | None) -> None:
    if journal is None:
        write_pairs(target, annotated)
        return
    keep_columns(journal, annotated.columns, annotated.notes)
    close_rows(journal, {"pairs": len(annotated), **annotated.notes})


@dataclass(frozen=True, slots=True)
class DistinctPairs:
    """Every different pair once, and which of them each row is."""

    pairs: Pairs
    places: Indices


def _distinct(table: PairTable, source_column: str | None, path: str) -> DistinctPairs:
    originals = [""] * len(table) if source_column is None else table.texts(source_column, path)
    known: dict[tuple[str, str, str], int] = {}
    rows = zip(table.candidates, table.references, originals, strict=True)
    places = np.asarray([known.setdefault(row, len(known)) for row in rows])
    references = [[reference] for _, reference, _ in known]
    sources = None if source_column is None else [original for _, _, original in known]
    return DistinctPairs(Pairs([candidate for candidate, _, _ in known], references, sources), places)


def _run_folder(target: Path, teacher: Teacher, pairs: Pairs) -> Path:
    """Name the folder of the unfinished run: other texts, another teacher or other weights are another folder."""
    if not target.absolute().parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")
    metrics = {chosen.spec: identity(chosen.spec) for chosen in teacher.metrics}
    key = digest_json([metrics, fingerprint(Given([pairs]))])
    return target.with_name(f".{target.name}.{key}.partial")


def _check(columns: Matrix, path: str) -> None:
    if not np.isfinite(columns).all():
        row = int(np.flatnonzero(~np.isfinite(columns).all(axis=1))[0])
        raise InputError(f"the teacher's score of distinct pair {row + 1} is not a number", path=path)
    if len(columns) > 1 and np.ptp(columns, axis=0).max() < 1e-9:
        raise InputError(
            f"the teacher gives every pair the same score ({columns[0, 0]:g}): there is nothing to learn",
            path=path,
            remedy="choose other pairs or another teacher",
        )


def _with_scores(
    table: PairTable,
    teacher: Teacher,
    signatures: Sequence[str],
    columns: Matrix,
    mixed: Segments,
    licence: str | None,
) -> PairTable:
    kept = {name: column for name, column in table.columns.items() if not name.startswith(SCORE)}
    parts = dict(zip(teacher.names(), columns.T.tolist(), strict=True)) if columns.shape[1] > 1 else {}
    notes = {
        **table.notes,
        "teacher": str(teacher),
        "signature": " + ".join(signatures),
        "standardised": str(teacher.standardise).lower(),
        **({"licence": licence} if licence else {}),
    }
    return PairTable({**kept, SCORE: mixed.tolist(), **parts}, notes)
