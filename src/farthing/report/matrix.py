"""Significance matrices: which metric beats which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from farthing.report.figure import new_figure, save_figure


def significance_matrix(
    path: str | Path,
    p_values: Mapping[str, np.ndarray],
    metrics: Sequence[str],
    values: Mapping[str, Sequence[float | None]],
    alpha: float = 0.05,
) -> None:
    """Draw one square matrix a group, metrics ordered by their value; a filled cell says that the row beats the column.

    :param values: by group the value of each metric
    """
    wide = min(3, len(p_values))
    high = -(-len(p_values) // wide)
    side = 1.2 + 0.55 * len(metrics)
    figure, axes = new_figure(high, wide, (max(2.6, side) * wide, max(2.4, side) * high))
    for axis, (group, matrix) in zip(axes, p_values.items(), strict=False):
        order = sorted(range(len(metrics)), key=lambda place: -_number(values[group][place]))
        shown = matrix[np.ix_(order, order)]
        axis.imshow(np.where(shown < alpha, -np.log10(np.maximum(shown, 1e-4)), 0), cmap="Greens", vmin=0, vmax=4)
        for row, line in enumerate(shown):
            for column, p_value in enumerate(line):
                if row != column:
                    color = "white" if p_value < 0.002 else "black"
                    axis.text(column, row, _short(p_value), ha="center", va="center", fontsize=7, color=color)
        names = [metrics[place] for place in order]
        axis.set_xticks(range(len(names)), names, rotation=40, ha="right", fontsize=7)
        labels = [f"{name}  {_number(values[group][place]):.3f}" for name, place in zip(names, order, strict=True)]
        axis.set_yticks(range(len(names)), labels, fontsize=7)
        axis.set_title(group, fontsize=9)
    for axis in axes[len(p_values) :]:
        axis.set_axis_off()
    figure.suptitle(f"p-values of “the row is better than the column” (green: below {alpha:g})", fontsize=9)
    save_figure(figure, path)


def _number(value: float | None) -> float:
    return float("-inf") if value is None else value


def _short(p_value: float) -> str:
    return "<.001" if p_value < 0.001 else f"{p_value:.3f}".removeprefix("0") if p_value < 0.9995 else "1"
