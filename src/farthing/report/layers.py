"""The plot of correlation against layer, as in the paper of BERTScore."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.meta.layers import LayerTable
from farthing.report.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_layers(path: str | Path, found: Sequence[LayerTable]) -> None:
    """Draw one model with a line per group, or several models with a line for the mean of each; best layers are marked.

    Layers of several models are drawn as shares of their depth, so that models of different depths can be compared.
    """
    figure, [axis] = new_figure(1, 1, (6.4, 4.2))
    if len(found) == 1:
        _groups(axis, found[0])
    else:
        _models(axis, found)
    axis.set_ylabel("Pearson's r with human scores")
    axis.margins(y=0.12)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8, ncols=2)
    save_figure(figure, path)


def _groups(axis: Axes, found: LayerTable) -> None:
    for group, values in zip(found.groups, found.values.T, strict=True):
        axis.plot(found.layers, values, linewidth=1, alpha=0.6, label=group)
    axis.plot(found.layers, found.means, linewidth=2.5, color="black", label="mean")
    axis.plot([found.best], [found.means.max()], "o", color="black", markersize=8)
    axis.set_xlabel("layer")
    axis.set_title(f"{found.model}: layer {found.best} is best, mean {found.means.max():.3f}")
    axis.set_xticks(found.layers)


def _models(axis: Axes, found: Sequence[LayerTable]) -> None:
    for place, one in enumerate(found):
        depth = max(one.layers[-1], 1)
        name = f"{Path(one.model).name}, best {one.best} of {one.layers[-1]}"
        axis.plot([layer / depth for layer in one.layers], one.means, marker=".", color=f"C{place}", label=name)
        axis.plot([one.best / depth], [one.means.max()], "o", color=f"C{place}", markersize=8)
    axis.set_xlabel("layer, as a share of the model's depth")
    axis.set_title("BERTScore at every layer, mean over the groups")
