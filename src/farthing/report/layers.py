"""The plot of correlation against layer, as in the paper of BERTScore."""

from __future__ import annotations

from pathlib import Path

from farthing.meta.layers import LayerTable
from farthing.report.figure import new_figure, save_figure


def draw_layers(path: str | Path, found: LayerTable) -> None:
    """Draw one thin line per group and a thick one for their mean; the best layer is marked."""
    figure, [axis] = new_figure(1, 1, (6.4, 4.2))
    for group, values in zip(found.groups, found.values.T, strict=True):
        axis.plot(found.layers, values, linewidth=1, alpha=0.6, label=group)
    axis.plot(found.layers, found.means, linewidth=2.5, color="black", label="mean")
    axis.plot([found.best], [found.means.max()], "o", color="black", markersize=8)
    axis.set_xlabel("layer")
    axis.set_ylabel("Pearson's r with human scores")
    axis.set_title(f"{found.model}: layer {found.best} is best, mean {found.means.max():.3f}")
    axis.set_xticks(found.layers)
    axis.margins(y=0.12)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8, ncols=2)
    save_figure(figure, path)
