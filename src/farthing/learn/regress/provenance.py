"""Who gave the scores that an estimator learns from, and under which licence."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.progress import Log
from farthing.files.read import format_of
from farthing.learn.data.licence import is_non_commercial
from farthing.learn.data.store import read_notes

LICENCE = "licence"  #: the note of the teacher's licence in a file that `learn annotate` wrote


def teacher_facts(paths: Sequence[str], log: Log) -> dict[str, object]:
    """Return what files of annotated pairs say of their teacher; a licence without commercial use is warned of."""
    notes = [read_notes(path) for path in paths if format_of(path) == "parquet"]
    teachers = " + ".join(dict.fromkeys(note["teacher"] for note in notes if "teacher" in note))
    licence = " + ".join(dict.fromkeys(note[LICENCE] for note in notes if note.get(LICENCE)))
    facts: dict[str, object] = {}
    if teachers:
        facts["teacher"] = teachers
    if licence:
        facts["teacher_licence"] = licence
    if is_non_commercial(licence):
        facts["non_commercial"] = True
        log(f"warning: the teacher's licence ({licence}) allows no commercial use; the card says so")
    return facts
