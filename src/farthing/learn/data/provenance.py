"""Who gave the scores that a student learns from, and under which licence: what its card says of them."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.progress import Log
from farthing.files.read import format_of, records
from farthing.learn.data.licence import is_non_commercial
from farthing.learn.data.store import read_notes

JUDGE_COLUMNS = ("judge_model", "judge_prompt", "judge_date")  # of a table of kept verdicts, see judge/store.py
TEACHER = "teacher"  #: the note, and the fact of a student's folder, that names who gave the scores
LICENCE = "licence"  #: the note of the teacher's licence in a file that `learn annotate` wrote


def teacher_facts(paths: Sequence[str], log: Log, told: str | None = None) -> dict[str, object]:
    """Return what files of scored pairs say of their teacher; a licence without commercial use is warned of.

    :param told: who gave the scores, instead of what the files say
    """
    notes = [_notes(path) for path in paths]
    teacher = told or " + ".join(dict.fromkeys(note[TEACHER] for note in notes if TEACHER in note))
    licence = " + ".join(dict.fromkeys(note[LICENCE] for note in notes if note.get(LICENCE)))
    facts: dict[str, object] = {}
    if teacher:
        facts[TEACHER] = teacher
    if licence:
        facts["teacher_licence"] = licence
    if is_non_commercial(licence):
        facts["non_commercial"] = True
        log(f"warning: the teacher's licence ({licence}) allows no commercial use; the card says so")
    return facts


def _notes(path: str) -> dict[str, str]:
    return read_notes(path) if format_of(path) == "parquet" else judge_notes(path)


def judge_notes(path: str) -> dict[str, str]:
    """Say who judged, if the table was kept by a judge: its model, its prompt and the dates, for the student's card."""
    told: dict[str, set[str]] = {name: set() for name in JUDGE_COLUMNS}
    for _, record in records(path):
        if not {*JUDGE_COLUMNS} <= {*record}:
            return {}
        for name, values in told.items():
            values.add(str(record[name]))
    models, prompts, dates = (sorted(values) for values in told.values())
    if not dates:
        return {}
    when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    return {TEACHER: f"judge {', '.join(models)}, prompt {', '.join(prompts)}, {when}"}
