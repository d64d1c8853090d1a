"""How well a metric agrees with people: one front door to every statistic.

>>> human = [[70, 50, 90], [60, 55, 95]]
>>> metric = [[0.7, 0.4, 0.9], [0.5, 0.6, 0.8]]
>>> round(correlate(human, metric).value, 3)
0.914
>>> correlate(human, metric, "accuracy", average="item")
Correlation(accuracy, average=item: 0.6667 over 3 pairs)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from farthing.core.errors import UnknownName, UsageError
from farthing.core.options import checked_options, options_of
from farthing.core.specs import Spec, parse_spec
from farthing.core.types import Note
from farthing.meta.coefficients import kendall, pearson, spearman
from farthing.meta.pairwise import accuracy, calibrate, kendall_like, pairs_of
from farthing.meta.soft_accuracy import soft_pairwise_accuracy

Average: TypeAlias = Literal["none", "system", "item"]
MOST_KEPT = 60_000_000  # pairs of a calibration, which holds their differences: about 1 GB


class Undefined(UsageError):
    """A statistic that the data do not define: constant scores, too few values, no pairs."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """The agreement of a metric with people.

    :param value: the statistic
    :param pairs: how many pairs were compared (pairwise statistics) or how many outputs were (the others)
    :param threshold: the difference up to which the metric ties, if it was calibrated
    :param rows: how many rows the average is over; 1 without averaging
    :param notes: what was left out
    """

    value: float
    pairs: int
    statistic: str
    average: Average = "none"
    threshold: float | None = None
    rows: int = 1
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        return f"Correlation({self.statistic}, average={self.average}: {self.value:.4f} over {self.pairs} pairs)"


Kernel: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]  #: one value per row of people and metric
Computes: TypeAlias = Callable[[np.ndarray, np.ndarray, Average, str], Correlation]  #: of people, metric and a name


def correlate(
    human: ArrayLike,
    metric: ArrayLike,
    statistic: str | Spec = "pearson",
    average: Average = "none",
    *,
    higher_is_better: bool = True,
) -> Correlation:
    """Compare a metric's scores with human scores.

    :param human: systems x items, or one vector; NaN for a missing score
    :param metric: the same shape; a score for every output that people scored
    :param statistic: `pearson`, `spearman`, `kendall_b`, `kendall_c`, `kendall_like(threshold=25)`,
        `accuracy(epsilon=0)`, `accuracy_calibrated`, `soft_pairwise_accuracy(seed=4, permutations=1000)`
    :param average: compare all outputs with each other ("none"), only those of one system ("system"), or only those
        for one item ("item"), and average over the systems or items
    :param higher_is_better: False for a distance, whose sign is then changed
    """
    spec, compute = _statistic(statistic)
    if average not in get_args(Average):
        raise UnknownName("average", str(average), get_args(Average))
    people, scores = checked_scores(human, metric)
    return compute(people, scores if higher_is_better else -scores, average, str(spec))


def checked_scores(human: ArrayLike, metric: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both as systems x items of floats with the same gaps, or raise a sentence that says what is wrong."""
    people, scores = (np.atleast_2d(_floats(values)) for values in (human, metric))
    if people.ndim > 2 or people.shape != scores.shape:
        raise UsageError(
            f"human scores are {people.shape} and metric scores {scores.shape}: both must be systems x items"
        )
    given = ~np.isnan(people)
    if np.isinf(people).any():
        raise UsageError("a human score is infinite: use NaN for a missing one")
    wrong = np.argwhere(given & ~np.isfinite(scores))
    if len(wrong):
        system, item = wrong[0] + 1
        raise UsageError(
            f"the metric has no finite score for system {system}, item {item}, which people scored "
            f"({len(wrong)} such): score it, or make the human score NaN"
        )
    return people, np.where(given, scores, np.nan)


def _floats(values: ArrayLike) -> np.ndarray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise UsageError(f"scores must be numbers in rows of equal length: {error}") from error


def _statistic(wanted: str | Spec) -> tuple[Spec, Computes]:
    spec = parse_spec(wanted) if isinstance(wanted, str) else wanted
    if spec.name not in STATISTICS:
        raise UnknownName("statistic", spec.name, STATISTICS)
    build = STATISTICS[spec.name]
    return spec, build(**checked_options(spec.name, spec.options, options_of(build)))


def _rows(values: np.ndarray, average: Average) -> np.ndarray:
    """Return one row for all outputs that are compared with each other."""
    return {"none": values.reshape(1, -1), "system": values, "item": values.T}[average]


def _coefficient(human: np.ndarray, metric: np.ndarray, average: Average, name: str, kernel: Kernel) -> Correlation:
    """Compute the mean of one value per row."""
    people, scores = _rows(human, average), _rows(metric, average)
    sizes = np.sum(~np.isnan(people), axis=1)
    if average == "none" and sizes[0] < 3:
        raise Undefined(f"{name} needs at least three scored outputs, there are {sizes[0]}")
    values = np.where(sizes > 1, kernel(people, scores), np.nan)
    kept = ~np.isnan(values)
    if not kept.any():
        raise Undefined(_why_undefined(people, scores, name, average))
    value, count, rows = float(values[kept].mean()), int(sizes[kept].sum()), int(kept.sum())
    return Correlation(value, count, name, average, None, rows, _left_out(kept, average))


def _why_undefined(human: np.ndarray, metric: np.ndarray, name: str, average: Average) -> str:
    if average != "none":
        return f"{name} is undefined for every {average}: within each, scores are constant or fewer than two"
    constant = "human" if np.nanmin(human) == np.nanmax(human) else "metric's"
    return f"{name} is undefined: all {constant} scores are equal"


def _left_out(kept: np.ndarray, average: Average) -> tuple[Note, ...]:
    rows = tuple(int(row) for row in np.flatnonzero(~kept))
    if not rows:
        return ()
    return (Note("left out", f"{len(rows)} of {len(kept)} {average}s have constant or too few scores", rows),)


def _accuracy(human: np.ndarray, metric: np.ndarray, average: Average, name: str, epsilon: float | None) -> Correlation:
    """Compute the pairwise accuracy; without an epsilon, find the best one."""
    people, scores = _rows(human, average), _rows(metric, average)
    pairs = pairs_of(people)
    kept = pairs > 0
    if not kept.any():
        raise Undefined(f"{name} needs at least two scored outputs to compare within {_within(average)}")
    threshold = None
    if epsilon is None and pairs.sum() > MOST_KEPT:
        raise Undefined(f"calibrating ties over {pairs.sum():,} pairs needs too much memory: average by item")
    if epsilon is None:
        threshold, total = calibrate(people, scores)
    else:
        total = float(accuracy(people, scores, epsilon)[kept].sum())
    rows = int(kept.sum())
    return Correlation(total / rows, int(pairs.sum()), name, average, threshold, rows, _left_out(kept, average))


def _within(average: Average) -> str:
    return "the data" if average == "none" else f"one {average}"


def _fixed_accuracy(epsilon: Annotated[float, "the metric ties if it differs by at most this"] = 0.0) -> Computes:
    if epsilon < 0:
        raise UsageError(f"accuracy: epsilon={epsilon} is below zero")
    return lambda human, metric, average, name: _accuracy(human, metric, average, name, epsilon)


def _calibrated_accuracy() -> Computes:
    return lambda human, metric, average, name: _accuracy(human, metric, average, name, None)


def _kendall_like(threshold: Annotated[float, "pairs whose human scores differ by this or more"] = 25.0) -> Computes:
    def compute(human: np.ndarray, metric: np.ndarray, average: Average, name: str) -> Correlation:
        agree, differ = kendall_like(_rows(human, average), _rows(metric, average), threshold)
        pairs = int(agree.sum() + differ.sum())
        if not pairs:
            raise Undefined(f"{name} needs pairs whose human scores differ by {threshold:g} or more: there is none")
        value = float((agree.sum() - differ.sum()) / pairs)
        return Correlation(value, pairs, name, average, None, int(np.sum(agree + differ > 0)))

    return compute


def _soft_accuracy(
    seed: Annotated[int, "seed of the random signs"] = 4,
    permutations: Annotated[int, "permutations per pair"] = 1000,
) -> Computes:
    if permutations < 1:
        raise UsageError(f"soft_pairwise_accuracy: permutations={permutations} is below one")

    def compute(human: np.ndarray, metric: np.ndarray, average: Average, name: str) -> Correlation:
        value = soft_pairwise_accuracy(human, metric, seed, permutations)
        if np.isnan(value):
            raise Undefined(f"{name} needs two systems that are scored on the same item")
        systems = len(human)
        return Correlation(value, systems * (systems - 1) // 2, name)

    return compute


STATISTICS: dict[str, Callable[..., Computes]] = {
    "pearson": lambda: partial(_coefficient, kernel=pearson),
    "spearman": lambda: partial(_coefficient, kernel=spearman),
    "kendall_b": lambda: partial(_coefficient, kernel=partial(kendall, variant="b")),
    "kendall_c": lambda: partial(_coefficient, kernel=partial(kendall, variant="c")),
    "kendall_like": _kendall_like,
    "accuracy": _fixed_accuracy,
    "accuracy_calibrated": _calibrated_accuracy,
    "soft_pairwise_accuracy": _soft_accuracy,
}
