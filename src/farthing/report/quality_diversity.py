"""Systems as points: quality to the right, diversity upwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import UsageError
from farthing.core.specs import parse_specs
from farthing.core.types import Scores
from farthing.report.figure import check_figure_path, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The parts of a metric that measure quality and diversity.
AXES = {
    "markevaluate": ("schnabel_quality", "schnabel_diversity"),
    "impar": ("precision", "recall"),
    "prd": ("precision", "recall"),
}
_MARKS = "osD^vP*Xph<>"


def check_quality_diversity(path: str | Path, specs: str) -> None:
    """Refuse a picture that cannot be drawn, before the work is done."""
    check_figure_path(path)
    if not {spec.name for spec in parse_specs(specs)} & set(AXES):
        raise UsageError(f"--plot shows quality against diversity: ask for one of {', '.join(AXES)}")


def quality_diversity(path: str | Path, scores: Sequence[Scores]) -> None:
    """Draw the systems, one panel per metric that tells quality from diversity."""
    panels = {name: [found for found in scores if found.metric == name] for name in AXES}
    panels = {name: found for name, found in panels.items() if found}
    figure, axes = new_figure(1, len(panels), (4.2 * len(panels), 4.2))
    for axis, (name, found) in zip(axes, panels.items(), strict=True):
        _panel(axis, name, found)
    save_figure(figure, path)


def _panel(axis: Axes, name: str, found: Sequence[Scores]) -> None:
    quality, diversity = AXES[name]
    for place, scores in enumerate(found):
        axis.plot(
            float(scores.parts[quality]),
            float(scores.parts[diversity]),
            _MARKS[place % len(_MARKS)],
            color=f"C{place % 10}",
            label=scores.system,
            markersize=8,
        )
    axis.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal", title=name)
    axis.set_xlabel(f"quality ({quality})")
    axis.set_ylabel(f"diversity ({diversity})")
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small", loc="lower left")
