"""The scale that people read: unrelated texts at 0, equal texts at 100, a straight line between them.

Three facts of its lower end can be told only when a student is finished, so they are written into its folder: the
lowest score over a calibration set, the scale of texts that the student cannot read, and the scales of precision and
recall if one of them is the score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.learn.pairs.base import TextPair
from farthing.students.head import SIDES
from farthing.students.layout import add_facts
from farthing.students.match import MatchStudent
from farthing.students.student import PairScores
from farthing.students.surface import CHRF, CharacterScale, surface_gaps

# What a failed system may say instead of a reference.
BAD_OUTPUTS: Mapping[str, Callable[[list[str]], list[str]]] = {
    "its first word": lambda words: words[:1],
    "its last word": lambda words: words[-1:],
    "one usual word": lambda words: ["The"],
    "one letter": lambda words: ["x"],
    "one mark": lambda words: ["."],
    "its first word again and again": lambda words: words[:1] * len(words),
    "its words backwards": lambda words: words[::-1],
}


def floor_of(unrelated: Segments, top: float) -> float:
    """Find the value that reads as 0: half of the unrelated pairs lie below it.

    >>> floor_of(np.array([-3.0, -2.0, -1.0, 0.0, 0.0]), top=2.0)
    -1.0
    """
    floor = float(np.median(unrelated))
    if not floor < top:
        raise UsageError("unrelated texts score as high as equal ones: the student has learned nothing")
    return floor


def write_lower_end(folder: Path, related: Sequence[TextPair], unrelated: Sequence[TextPair]) -> None:
    """Write the lowest score, the scale of unread texts and those of both sides into a finished student's folder.

    :param related: pairs that the student learned from
    :param unrelated: pairs of texts that have nothing to do with each other
    """
    student = MatchStudent(folder)
    both = [*related, *unrelated]
    scored = _scored(student, [*both, *bad_pairs([text for _, text in unrelated])])
    add_facts(folder, lowest=round(float(scored.segments.min()), 2))
    if student.against == "source":
        return  # two languages share few characters, and no output has all that its source has
    gaps = surface_gaps([one for one, _ in both], [other for _, other in both])
    scale = character_scale(gaps[:, CHRF], scored.segments[: len(both)])
    characters = {"far": round(scale.far, 4), "power": round(scale.power, 4)}
    sides = {side: scored.parts[side][len(related) : len(both)] for side in SIDES}
    add_facts(folder, characters=characters, focus={side: {"far": far_of(part)} for side, part in sides.items()})


def far_of(unrelated: Segments) -> float:
    """Return the mean gap of unrelated pairs on one side, given the part of 100 that each has there.

    >>> far_of(np.array([40.0, 60.0]))
    0.5
    """
    return round(1 - float(unrelated.mean()) / 100, 4)


def bad_pairs(references: Sequence[str]) -> Iterator[TextPair]:
    """Every reference with each of the :data:`BAD_OUTPUTS`."""
    for output in BAD_OUTPUTS.values():
        yield from ((" ".join(output(text.split())), text) for text in references)


def _scored(student: MatchStudent, pairs: Sequence[TextPair]) -> PairScores:
    """Score pairs of a candidate and what the student compares it with."""
    candidates, others = [one for one, _ in pairs], [other for _, other in pairs]
    given = Pairs.of(candidates, others) if student.against == "reference" else Pairs.of(candidates, sources=others)
    [scored] = student.score_systems([given])
    return scored


def character_scale(gaps: Segments, scores: Segments) -> CharacterScale:
    """Fit the scale on which differences in characters agree best with a student's scores (least absolute error).

    >>> gaps = np.linspace(0, 1, 50)
    >>> character_scale(gaps, 100 * (1 - (gaps / 0.9) ** 1.5))
    CharacterScale(far=0.9, power=1.5)
    """
    powers = np.arange(0.5, 4.0, 0.05)
    fars = np.arange(0.5, 1.2, 0.01)
    found = ((_error(gaps, scores, far, power), far, power) for far in fars for power in powers)
    _, far, power = min(found)
    return CharacterScale(round(float(far), 2), round(float(power), 2))


def _error(gaps: Segments, scores: Segments, far: float, power: float) -> float:
    return float(np.abs(CharacterScale(far, power).scores_of(gaps) - scores).mean())
