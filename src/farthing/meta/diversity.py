"""Do set metrics notice mode collapse and swapped words, and how do they depend on k? Experiments on labelled texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.progress import Bar, no_bar
from farthing.core.types import Sets
from farthing.core.version import __version__
from farthing.meta.read.labelled import Labelled, split_evenly, split_labels, swapped
from farthing.meta.text_vectors import TextVectors
from farthing.metrics.sets.base import VectorSetMetric, score_set_systems
from farthing.metrics.sets.impar import Impar
from farthing.metrics.sets.markevaluate import SCORES, MarkEvaluate

Role: TypeAlias = Literal["quality", "diversity", "whole"]
Course: TypeAlias = Literal["falls", "stays", "rises"]

PROBABILITIES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
NEIGHBOURS = (1, 2, 3, 5, 10, 20, 40)
EXPERIMENTS = ("collapse", "swap", "neighbours")
LEAST = 0.02  # a score that moves by less (for FID: less than this share of its first value) has not moved
SHOULD: dict[Course, str] = {"falls": "fall", "stays": "stay", "rises": "rise"}
LEVEL = 0.25  # a score that should stay may move by this share of its partner's change

ROLES: dict[str, Role] = {
    "schnabel_quality": "quality",
    "schnabel_diversity": "diversity",
    "precision": "quality",
    "recall": "diversity",
}
_EXPECTED: dict[str, dict[Role, Course]] = {
    "collapse": {"quality": "stays", "diversity": "falls", "whole": "falls"},
    "swap": {"quality": "falls", "diversity": "stays", "whole": "falls"},
    "neighbours": {"quality": "rises", "diversity": "rises", "whole": "rises"},
}


@dataclass(frozen=True, slots=True)
class Curve:
    """One score through the steps of an experiment.

    :param change: from the first step to the last, positive if the score got better; relative for FID
    :param right: True if it moved as it should
    """

    name: str
    role: Role
    values: tuple[float, ...]
    change: float
    expected: Course
    right: bool

    @property
    def verdict(self) -> str:
        """One line that says how the score should move and whether it does."""
        return f"{self.name} {self.change:+.3f}: should {SHOULD[self.expected]}, {'does' if self.right else 'does not'}"


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment's steps, and the course of every score through them."""

    name: str
    axis: str
    steps: tuple[float, ...]
    curves: tuple[Curve, ...]
    generated: int
    corpus: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn for an experiment.

    :param size: samples in each of the two sets; fewer if a label has too few texts
    :param swaps: the probabilities of a swap
    """

    size: int = 2000
    seed: int = 0
    swaps: tuple[float, ...] = PROBABILITIES


def run_experiments(
    data: Labelled,
    metrics: Sequence[VectorSetMetric],
    experiments: Sequence[str] = EXPERIMENTS,
    plan: Plan = Plan(),
    *,
    vectors: TextVectors | None = None,
    bar: Bar = no_bar,
) -> Iterator[Experiment]:
    """Run some of the experiments, one after another.

    :param vectors: the vectors of texts that earlier experiments with these metrics have read
    """
    if len({metric.sharing() for metric in metrics}) != 1:
        raise UsageError("the metrics of one experiment must use the same samples: give all of them the same model")
    study = _Study(data, metrics, plan, vectors or TextVectors(metrics[0], bar), bar)
    runs: dict[str, Callable[[], Experiment]] = {
        "collapse": study.collapse,
        "swap": study.swap,
        "neighbours": study.neighbours,
    }
    for name in experiments:
        yield runs[name]()


class _Study:
    def __init__(
        self, data: Labelled, metrics: Sequence[VectorSetMetric], plan: Plan, vectors: TextVectors, bar: Bar
    ) -> None:
        self.data, self.metrics, self.plan, self.vectors, self.bar = data, metrics, plan, vectors, bar

    def collapse(self) -> Experiment:
        """Remove one label after the other from the generated set, whose size stays the same."""
        split = split_labels(self.data, self.plan.size, np.random.default_rng(self.plan.seed))
        generated = [self.vectors.of(texts) for texts in split.steps]
        corpus = self.vectors.of(split.corpus)
        return self._judged("collapse", "labels in the generated set", split.kept, generated, corpus)

    def swap(self) -> Experiment:
        """Swap every word with another one, with a growing probability."""
        corpus, texts = self._halves()
        first = self.plan.seed
        steps = [[swapped(text, p, first + row) for row, text in enumerate(texts)] for p in self.plan.swaps]
        generated = [self.vectors.of(step, keep=not p) for p, step in zip(self.plan.swaps, steps, strict=True)]
        return self._judged("swap", "probability of a swap", self.plan.swaps, generated, self.vectors.of(corpus))

    def neighbours(self) -> Experiment:
        """Compare two samples of the same corpus with a growing k; one search finds the neighbours for all of them."""
        corpus, generated = map(self.vectors.of, self._halves())
        ks = [k for k in NEIGHBOURS if k < min(len(generated), len(corpus))]
        metrics = [MarkEvaluate(k=ks), *(Impar(k=k) for k in ks)]
        found = [row[0] for row in score_set_systems(metrics, [Sets(generated, corpus)], bar=self.bar)]
        values = {name: [float(found[0].parts[name if k == ks[0] else f"{name}_k{k}"]) for k in ks] for name in SCORES}
        values |= {f"impar {part}": [float(each.parts[part]) for each in found[1:]] for part in ("precision", "recall")}
        curves = judge_curves("neighbours", values)
        return Experiment("neighbours", "k", tuple(map(float, ks)), curves, len(generated), len(corpus))

    def _halves(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return split_evenly(self.data, self.plan.size, np.random.default_rng(self.plan.seed))

    def _judged(
        self, name: str, axis: str, steps: Sequence[float], generated: Sequence[np.ndarray], corpus: np.ndarray
    ) -> Experiment:
        systems = [Sets(vectors, corpus, str(step)) for step, vectors in zip(steps, generated, strict=True)]
        found = score_set_systems(self.metrics, systems, bar=self.bar)
        values: dict[str, list[float]] = {}
        for metric, row in zip(self.metrics, found, strict=True):
            prefix = "" if metric.info.name == "markevaluate" else f"{metric.info.name} "
            for part in metric.info.shown:
                values[f"{prefix}{part}"] = [float(scores.parts[part]) for scores in row]
            if not metric.info.shown:
                values[metric.info.name] = [scores.corpus for scores in row]
        curves = judge_curves(name, values)
        return Experiment(name, axis, tuple(map(float, steps)), curves, len(generated[0]), len(corpus))


def judge_curves(experiment: str, values: dict[str, list[float]]) -> tuple[Curve, ...]:
    """Judge whether every score moved as it should.

    >>> [curve.right for curve in judge_curves("collapse", {"precision": [0.9, 0.88], "recall": [0.9, 0.4]})]
    [True, True]
    """
    changes = {name: _change(name, course) for name, course in values.items()}
    largest = max((abs(change) for name, change in changes.items() if name != "fid"), default=0.0)
    curves = []
    for name, course in values.items():
        role = role_of(name)
        expected = _EXPECTED[experiment][role]
        partner = next((abs(changes[other]) for other in values if _partners(name, other)), largest)
        right = _is_right(expected, changes[name], partner)
        curves.append(Curve(name, role, tuple(course), changes[name], expected, right))
    return tuple(curves)


def role_of(name: str) -> Role:
    """Return what a score measures, by its name."""
    return ROLES.get(name.split()[-1], "whole")


def _partners(one: str, other: str) -> bool:
    """True for the quality and the diversity of the same metric."""
    family = {name: name.replace("quality", "diversity").replace("precision", "recall") for name in (one, other)}
    return one != other and family[one] == family[other]


def _change(name: str, course: Sequence[float]) -> float:
    if name == "fid":  # a distance without an upper bound: relative, with its sign changed
        return -(course[-1] - course[0]) / max(course[0], 1e-12)
    return course[-1] - course[0]


def _is_right(expected: Course, change: float, partner: float) -> bool:
    if expected == "stays":
        return abs(change) <= max(LEAST, LEVEL * partner)
    return (change <= -LEAST) if expected == "falls" else (change >= LEAST)


def experiments_document(experiments: Sequence[Experiment]) -> dict[str, object]:
    """Return experiments as values that JSON can hold."""
    return {"farthing": __version__, "experiments": [_document(one) for one in experiments]}


def _document(found: Experiment) -> dict[str, object]:
    return {
        "experiment": found.name,
        "axis": found.axis,
        "steps": list(found.steps),
        "generated": found.generated,
        "corpus": found.corpus,
        "scores": [
            {
                "name": curve.name,
                "role": curve.role,
                "values": list(curve.values),
                "change": curve.change,
                "expected": curve.expected,
                "right": curve.right,
            }
            for curve in found.curves
        ],
    }
