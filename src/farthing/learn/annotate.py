"""Phase 1b: every pair gets the teacher's score. A run that is stopped goes on where it ended."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError, OutputError
from farthing.core.types import Pairs
from farthing.files.write import replacing, write_text
from farthing.learn.data.store import SCORE, PairTable, read_pairs, write_pairs
from farthing.learn.teacher import Teacher

STRETCH = 2000  # pairs that are scored and written down at a time
Progress = Callable[[int], None]


def annotate(
    source: str | Path,
    target: str | Path,
    teacher: Teacher,
    *,
    source_column: str | None = None,
    start: Callable[[int], None] = lambda total: None,
    progress: Progress = lambda done: None,
) -> PairTable:
    """Score the pairs of one file and write them with their scores to another.

    Equal pairs are scored once. Scores are written down beside the target, stretch by stretch, and thrown
    away only when the target is complete.

    :param source_column: the column with the text that the candidate was made from, for teachers that want it
    :param start: called once with the number of distinct pairs
    :param progress: called with the number of distinct pairs that were just scored
    """
    table = read_pairs(source)
    if source_column is not None and source_column not in table.columns:
        raise InputError(
            f"no column {source_column!r}", path=str(source), remedy=f"there are: {', '.join(table.columns)}"
        )
    teacher.check(source_column is not None)
    originals = list(table.columns[source_column]) if source_column else [""] * len(table)
    rows, places = _distinct(table.candidates, table.references, originals)
    start(len(rows))
    pairs = list(_stretches(rows, source_column is not None))
    teacher.prepare(pairs)
    journal = Journal(Path(target), _digest(rows, str(teacher)))
    columns = np.concatenate([_scored(journal, number, one, teacher, progress) for number, one in enumerate(pairs)])
    _check(columns, str(source))
    annotated = _with_scores(table, teacher, columns[places], teacher.mixed(columns)[places])
    write_pairs(target, annotated)
    journal.close()
    return annotated


def _distinct(
    candidates: Sequence[str], references: Sequence[str], originals: Sequence[str]
) -> tuple[list[tuple[str, str, str]], np.ndarray]:
    known: dict[tuple[str, str, str], int] = {}
    places = [known.setdefault(row, len(known)) for row in zip(candidates, references, originals, strict=True)]
    return list(known), np.asarray(places)


def _stretches(rows: Sequence[tuple[str, str, str]], has_sources: bool) -> Iterator[Pairs]:
    for begin in range(0, len(rows), STRETCH):
        candidates, references, originals = zip(*rows[begin : begin + STRETCH], strict=True)
        yield Pairs(candidates, [[text] for text in references], originals if has_sources else None)


def _scored(journal: Journal, number: int, pairs: Pairs, teacher: Teacher, progress: Progress) -> np.ndarray:
    found = journal.find(number)
    if found is None or len(found) != len(pairs):
        found = teacher.score(pairs)
        journal.keep(number, found, teacher.signatures)
    teacher.signatures = teacher.signatures or journal.signatures()
    progress(len(pairs))
    return found


class Journal:
    """Scores that are known already, in a folder beside the target.

    :param key: changes with the pairs and the teacher; notes of another run are not used
    """

    def __init__(self, target: Path, key: str) -> None:
        if not target.absolute().parent.is_dir():
            raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")
        self.folder = target.with_name(f".{target.name}.{key}.partial")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder}: cannot be made: {error.strerror}") from error

    def find(self, number: int) -> np.ndarray | None:
        """The scores of a stretch, where it was scored before."""
        place = self.folder / f"{number:06}.npy"
        if not place.exists():
            return None
        found: np.ndarray = np.load(place, allow_pickle=False)
        return found

    def keep(self, number: int, scores: np.ndarray, signatures: Sequence[str]) -> None:
        """Write a stretch down."""
        with replacing(self.folder / f"{number:06}.npy") as stream:
            np.save(stream, scores, allow_pickle=False)
        if not number:
            write_text(self.folder / "signatures.json", json.dumps(list(signatures)))

    def signatures(self) -> list[str]:
        """How the scores were made."""
        place = self.folder / "signatures.json"
        return list(json.loads(place.read_text())) if place.exists() else []

    def close(self) -> None:
        """Everything is in the target: the notes can go."""
        shutil.rmtree(self.folder)


def _digest(rows: Sequence[tuple[str, str, str]], teacher: str) -> str:
    digest = hashlib.sha256(teacher.encode())
    for row in rows:
        digest.update("\0".join(row).encode())
    return digest.hexdigest()[:12]


def _check(columns: np.ndarray, path: str) -> None:
    if not np.isfinite(columns).all():
        row = int(np.flatnonzero(~np.isfinite(columns).all(axis=1))[0])
        raise InputError(f"the teacher's score of distinct pair {row + 1} is not a number", path=path)
    if len(columns) > 1 and np.ptp(columns, axis=0).max() < 1e-9:
        raise InputError(
            f"the teacher gives every pair the same score ({columns[0, 0]:g}): there is nothing to learn",
            path=path,
            remedy="choose other pairs or another teacher",
        )


def _with_scores(table: PairTable, teacher: Teacher, columns: np.ndarray, mixed: np.ndarray) -> PairTable:
    kept = {name: column for name, column in table.columns.items() if not name.startswith(SCORE)}
    parts = dict(zip(teacher.names(), columns.T.tolist(), strict=True)) if columns.shape[1] > 1 else {}
    notes = {
        **table.notes,
        "teacher": str(teacher),
        "signature": " + ".join(teacher.signatures),
        "standardised": str(teacher.standardise).lower(),
    }
    return PairTable({**kept, SCORE: mixed.tolist(), **parts}, notes)
