"""The teacher: any metric, or a weighted mean of several.

>>> [(part.weight, str(part.spec)) for part in parse_teacher("0.7*chrf(word_order=2) + 0.3*bleu")]
[(0.7, 'chrf(word_order=2)'), (0.3, 'bleu')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import MissingInput, SpecError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import Spec, parse_spec
from farthing.core.types import Pairs

_WEIGHT = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*\*")


@dataclass(frozen=True, slots=True)
class Part:
    """One metric of a teacher with its weight."""

    spec: Spec
    weight: float


def parse_teacher(text: str) -> list[Part]:
    """Read `spec`, or `weight*spec + weight*spec`."""
    parts = [_part(piece) for piece in _terms(text)]
    twice = [str(part.spec) for place, part in enumerate(parts) if part.spec in [other.spec for other in parts[:place]]]
    if twice:
        raise SpecError(f"the teacher names {twice[0]} twice, in {text!r}")
    if not sum(part.weight for part in parts):
        raise SpecError(f"the weights of the teacher are all zero, in {text!r}")
    return parts


def _part(text: str) -> Part:
    found = _WEIGHT.match(text)
    return Part(parse_spec(text[found.end() :] if found else text), float(found[1]) if found else 1.0)


def _terms(text: str) -> list[str]:
    """The terms of a sum: cut at every + that stands outside brackets and quotes."""
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
    """Scores pairs with every metric of a teacher; :meth:`mixed` makes one score of them.

    :param standardise: bring every metric to mean 0 and deviation 1 before the mean is taken
    """

    def __init__(self, text: str, *, standardise: bool = False) -> None:
        self.parts = parse_teacher(text)
        self.standardise = standardise and len(self.parts) > 1
        self.metrics: list[Metric] = [load_pairs_metric(part.spec) for part in self.parts]
        self.signatures: list[str] = []

    def __str__(self) -> str:
        if len(self.parts) == 1:
            return str(self.parts[0].spec)
        return " + ".join(f"{part.weight:g}*{part.spec}" for part in self.parts)

    def check(self, has_sources: bool) -> None:
        """Raise where a metric needs sources that the pairs do not have."""
        for metric in self.metrics:
            if "source" in metric.info.needs and not has_sources:
                raise MissingInput(
                    f"the teacher {metric.info.name} needs a source for every pair, and these pairs have none: "
                    "name their column with --source, or choose another teacher"
                )

    def prepare(self, stretches: Iterable[Pairs]) -> None:
        """Let every metric that wants it look at the whole corpus (say, for idf weights)."""
        whole = [[pairs] for pairs in stretches]
        states = [metric.prepare(whole) for metric in self.metrics]
        ready = zip(self.metrics, states, strict=True)
        self.metrics = [metric if state is None else metric.prepared(state) for metric, state in ready]

    def score(self, pairs: Pairs) -> np.ndarray:
        """One row a pair, one column a metric."""
        found = [metric.score(pairs) for metric in self.metrics]
        self.signatures = [str(one.signature) for one in found]
        return np.stack([np.asarray(one.segments) for one in found], axis=1)

    def mixed(self, columns: np.ndarray) -> np.ndarray:
        """The weighted mean of the columns."""
        if self.standardise:
            columns = (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-12)
        weights = np.array([part.weight for part in self.parts])
        mean: np.ndarray = columns @ (weights / weights.sum())
        return mean

    def names(self) -> Sequence[str]:
        """A column name for every metric."""
        return [f"score_{part.spec.name}_{place}" for place, part in enumerate(self.parts, start=1)]
