"""Score by metrics of whole sets; those that compare the same samples share their encoding and their neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from farthing.core.metric import SetMetric
from farthing.core.progress import Bar, no_bar
from farthing.core.types import Scores, Sets
from farthing.metrics.sets.base import VectorSetMetric, score_set_systems


def score_sets(
    metrics: Mapping[str, SetMetric],
    systems: Sequence[Sets],
    *,
    intervals: bool,
    seed: int,
    resamples: int = 0,
    bar: Bar | None = None,
) -> dict[str, list[Scores]]:
    """Score every system by every metric; metrics and results are by spec.

    :param resamples: how many samples an interval is computed from; 0 takes each metric's own number
    """
    scores: dict[str, list[Scores]] = {}
    for normaliser in dict.fromkeys(metric.normaliser for metric in metrics.values()):
        group = {spec: metric for spec, metric in metrics.items() if metric.normaliser == normaliser}
        texts = next(iter(group.values())).normalised_sets(systems)
        rows = _score_group(group, texts, intervals=intervals, resamples=resamples, seed=seed, bar=bar or no_bar)
        scores |= {spec: [group[spec].signed(one) for one in row] for spec, row in rows.items()}
    return scores


def _score_group(
    metrics: Mapping[str, SetMetric], systems: Sequence[Sets], *, intervals: bool, resamples: int, seed: int, bar: Bar
) -> dict[str, list[Scores]]:
    together = {spec: metric for spec, metric in metrics.items() if isinstance(metric, VectorSetMetric)}
    rows = score_set_systems(
        list(together.values()), systems, intervals=intervals, resamples=resamples, seed=seed, bar=bar
    )
    scores = dict(zip(together, rows, strict=True))
    others = {spec: metric for spec, metric in metrics.items() if spec not in together}
    return scores | {spec: [metric.score_sets(sets) for sets in systems] for spec, metric in others.items()}
