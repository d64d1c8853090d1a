"""Scatter plots of metrics against people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from farthing.report.figure import new_figure, save_figure

# Colours that stay apart for colour-blind eyes (Okabe and Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")


def scatter(
    path: str | Path,
    human: np.ndarray,
    metrics: Mapping[str, np.ndarray],
    groups: Sequence[str],
    captions: Mapping[str, str],
    human_name: str = "human score",
) -> None:
    """Draw one panel a metric, a dot an output, a colour a group.

    :param captions: by metric what stands above its panel, such as its correlation
    """
    wide = min(3, len(metrics))
    high = -(-len(metrics) // wide)
    figure, axes = new_figure(high, wide, (3.6 * wide, 3.4 * high))
    names = list(dict.fromkeys(groups))
    own = np.array(groups)
    size = 9 if len(human) > 300 else 24
    for axis, (name, scores) in zip(axes, metrics.items(), strict=False):
        for place, group in enumerate(names):
            rows = (own == group) & ~np.isnan(human) & ~np.isnan(scores)
            axis.scatter(
                human[rows],
                scores[rows],
                s=size,
                alpha=0.45,
                linewidths=0,
                color=COLORS[place % len(COLORS)],
                label=group,
            )
        axis.set_title(captions.get(name, name), fontsize=9)
        axis.set_xlabel(human_name, fontsize=8)
        axis.set_ylabel(name, fontsize=8)
        axis.tick_params(labelsize=7)
    for axis in axes[len(metrics) :]:
        axis.set_axis_off()
    if len(names) > 1:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=min(8, len(names)),
            fontsize=8,
            frameon=False,
            markerscale=2,
        )
    save_figure(figure, path)
