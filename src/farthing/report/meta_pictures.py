"""Pictures of a study: metrics against people, and which metric beats which."""

from __future__ import annotations

from pathlib import Path

from farthing.core.errors import UsageError
from farthing.meta.points import ScatterPoints
from farthing.meta.study import POOLED, Study
from farthing.report.matrix import significance_matrix
from farthing.report.scatter import scatter


def draw_scatter(path: str | Path, found: Study, points: ScatterPoints) -> None:
    """Draw every metric's scores against the human scores."""
    captions = {metric.name: _caption(found, metric.name, metric.higher_is_better) for metric in found.metrics}
    scatter(path, points.human, points.metrics, points.groups, captions, f"human: {found.human}")


def _caption(found: Study, metric: str, higher_is_better: bool) -> str:
    cells = found.cells[metric]
    whole = cells[POOLED].found if POOLED in cells else cells[found.groups[0]].found
    value = "" if whole is None else f" {whole.value:.3f}"
    return f"{metric}{'' if higher_is_better else ' (lower is better)'}: {found.question.statistic}{value}"


def draw_matrix(path: str | Path, found: Study) -> None:
    """Draw one significance matrix per group."""
    if not found.p_values:
        raise UsageError("there are no p-values to draw: give at least two metrics that can be tested")
    names = [metric.name for metric in found.metrics]
    values = {group: [_value(found, name, group) for name in names] for group in found.p_values}
    significance_matrix(path, found.p_values, names, values, found.question.alpha)


def _value(found: Study, metric: str, group: str) -> float | None:
    correlation = found.cells[metric][group].found
    return None if correlation is None else correlation.value
