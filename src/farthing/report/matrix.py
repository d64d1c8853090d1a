"""Significance matrices: which metric beats which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Matrix
from farthing.report.figure import new_figure, save_figure
from farthing.tables.grid import MISSING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def significance_matrix(
    path: str | Path,
    p_values: Mapping[str, np.ndarray],
    metrics: Sequence[str],
    values: Mapping[str, Sequence[float | None]],
    alpha: float = 0.05,
) -> None:
    """Draw one matrix per group, metrics in the order of their values; in a filled cell, the row beats the column.

    :param values: by group, the value of each metric
    """
    wide = min(3, len(p_values))
    high = -(-len(p_values) // wide)
    side = 1.2 + 0.55 * len(metrics)
    figure, axes = new_figure(high, wide, (max(2.6, side) * wide, max(2.4, side) * high))
    for axis, (group, matrix) in zip(axes, p_values.items(), strict=False):
        order = sorted(range(len(metrics)), key=lambda place: -_number(values[group][place]))
        labels = [f"{metrics[place]}  {_shown(values[group][place])}" for place in order]
        _panel(axis, matrix[np.ix_(order, order)], [metrics[place] for place in order], labels, alpha)
        axis.set_title(group, fontsize=9)
    for axis in axes[len(p_values) :]:
        axis.set_axis_off()
    figure.suptitle(f"p-values of “the row is better than the column” (green: below {alpha:g})", fontsize=9)
    save_figure(figure, path)


def _panel(axis: Axes, p_values: Matrix, names: Sequence[str], labels: Sequence[str], alpha: float) -> None:
    axis.imshow(np.where(p_values < alpha, -np.log10(np.maximum(p_values, 1e-4)), 0), cmap="Greens", vmin=0, vmax=4)
    for row, line in enumerate(p_values):
        for column, p_value in enumerate(line):
            if row != column:
                color = "white" if p_value < 0.002 else "black"
                axis.text(column, row, _short(p_value), ha="center", va="center", fontsize=7, color=color)
    axis.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=7)
    axis.set_yticks(range(len(names)), labels, fontsize=7)


def _number(value: float | None) -> float:
    return float("-inf") if value is None else value


def _shown(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}"


def _short(p_value: float) -> str:
    return "<.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0") if p_value < 0.9995 else "1"
