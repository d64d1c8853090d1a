"""The teacher: any metric of pairs, or a weighted mean of several.

>>> [(part.weight, str(part.spec)) for part in parse_teacher("0.7*chrf(word_order=2) + 0.3*bleu")]
[(0.7, 'chrf(word_order=2)'), (0.3, 'bleu')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Matrix, Segments
from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.metric import SetMetric
from farthing.core.registry import load
from farthing.core.specs import Spec, parse_spec
from farthing.scoring.score import Chosen

_PLUS_PLUS = re.compile(r"\bchrf2?\+\+", re.IGNORECASE)
_WEIGHT = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*\*")


@dataclass(frozen=True, slots=True)
class TeacherPart:
    """One metric of a teacher with its weight."""

    spec: Spec
    weight: float


def parse_teacher(text: str) -> list[TeacherPart]:
    """Read `spec`, or `weight*spec + weight*spec`."""
    parts = [_part(piece) for piece in _terms(text)]
    twice = [str(part.spec) for place, part in enumerate(parts) if part.spec in [other.spec for other in parts[:place]]]
    if twice:
        raise SpecError(f"the teacher names {twice[0]} twice, in {text!r}")
    if not sum(part.weight for part in parts):
        raise SpecError(f"the weights of the teacher are all zero, in {text!r}")
    return parts


def _part(text: str) -> TeacherPart:
    weight = _WEIGHT.match(text)
    return TeacherPart(parse_spec(text[weight.end() :] if weight else text), float(weight[1]) if weight else 1.0)


def _terms(text: str) -> list[str]:
    """Split a sum into its terms: at every + outside brackets and quotes but that of a name such as chrf++."""
    text = _PLUS_PLUS.sub("chrfpp", text)
    terms, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            depth += (letter in "([") - (letter in ")]")
        if letter == "+" and not depth and not quote:
            terms.append("")
        else:
            terms[-1] += letter
    return terms


class Teacher:
    """The loaded metrics of a teacher, and how one score is made of theirs.

    :param standardise: bring every metric to mean 0 and deviation 1 before the mean is taken
    """

    def __init__(self, text: str, *, standardise: bool = False) -> None:
        self.parts = parse_teacher(text)
        self.standardise = standardise and len(self.parts) > 1
        self.metrics = [_loaded(part.spec) for part in self.parts]

    def __str__(self) -> str:
        if len(self.parts) == 1:
            return str(self.parts[0].spec)
        return " + ".join(f"{part.weight:g}*{part.spec}" for part in self.parts)

    def check(self, has_sources: bool) -> None:
        """Raise if a metric needs sources that the pairs do not have."""
        for chosen in self.metrics:
            if "source" in chosen.metric.info.needs and not has_sources:
                raise MissingInput(
                    f"the teacher {chosen.metric.info.name} needs a source for every pair, and these pairs have none: "
                    "name their column with --source, or choose another teacher"
                )

    def mixed(self, columns: Matrix) -> Segments:
        """Return the weighted mean of the metrics' scores.

        :param columns: one row per pair, one column per metric
        """
        if self.standardise:
            columns = (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-12)
        weights = np.array([part.weight for part in self.parts])
        return np.asarray(columns @ (weights / weights.sum()))

    def names(self) -> Sequence[str]:
        """Return a column name for every metric."""
        return [f"score_{part.spec.name}_{place}" for place, part in enumerate(self.parts, start=1)]


def _loaded(spec: Spec) -> Chosen:
    metric = load(spec)
    if isinstance(metric, SetMetric):
        raise UsageError(f"{metric.info.name} judges a set, not pairs, so it cannot teach: choose another metric")
    return Chosen(str(spec), metric)
