"""Scatter plots of metrics against people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Segments
from farthing.report.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that colour-blind people can tell apart (Okabe and Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")


def scatter(
    path: str | Path,
    human: Segments,
    metrics: Mapping[str, Segments],
    groups: Sequence[str],
    captions: Mapping[str, str],
    human_name: str = "human score",
) -> None:
    """Draw one panel per metric, one dot per output and one colour per group.

    :param captions: by metric, the title of its panel, such as its correlation
    """
    wide = min(3, len(metrics))
    high = -(-len(metrics) // wide)
    figure, axes = new_figure(high, wide, (3.6 * wide, 3.4 * high))
    for axis, (name, scores) in zip(axes, metrics.items(), strict=False):
        _dots(axis, human, scores, groups)
        axis.set_title(captions.get(name, name), fontsize=9)
        axis.set_xlabel(human_name, fontsize=8)
        axis.set_ylabel(name, fontsize=8)
        axis.tick_params(labelsize=7)
    for axis in axes[len(metrics) :]:
        axis.set_axis_off()
    if (count := len(set(groups))) > 1:
        handles, labels = axes[0].get_legend_handles_labels()
        style = {"fontsize": 8, "frameon": False, "markerscale": 2}
        figure.legend(handles, labels, loc="outside lower center", ncols=min(8, count), **style)
    save_figure(figure, path)


def _dots(axis: Axes, human: Segments, scores: Segments, groups: Sequence[str]) -> None:
    own = np.array(groups)
    size = 9 if len(human) > 300 else 24
    for place, group in enumerate(dict.fromkeys(groups)):
        rows = (own == group) & ~np.isnan(human) & ~np.isnan(scores)
        color = COLORS[place % len(COLORS)]
        axis.scatter(human[rows], scores[rows], s=size, alpha=0.45, linewidths=0, color=color, label=group)
