"""A student's scores as a metric gives them, with notes and a signature."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.metric import check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.students.match import Student, texts_of


def student_scores(student: Student, info: MetricInfo, signature: Signature, systems: Sequence[Pairs]) -> list[Scores]:
    """Score several systems; a text that they share, such as a reference, is read once."""
    for pairs in systems:
        check_pairs(info, pairs)
    reading = student.read(text for pairs in systems for text in texts_of(pairs))
    found = []
    for pairs in systems:
        segments = student.scores(pairs, reading)
        notes = (*empty_notes(pairs), *student.notes(pairs, reading))
        found.append(Scores(float(segments.mean()), segments, signature, notes=notes, system=pairs.system))
    return found
