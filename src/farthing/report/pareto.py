"""Quality against cost: one dot per metric, the front as a line, every point named."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.bench.bench import BenchResult
from farthing.bench.data import BenchData
from farthing.bench.rows import BenchRow
from farthing.core.errors import UsageError
from farthing.report.figure import new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

ON_FRONT, BEHIND = "#0072B2", "#888888"
_COSTS = {"time": "ms per segment (log)", "memory": "peak memory, MB (log)"}
_DOT = 10_000  # what covering a dot counts, in pixels
_LINE = 100  # what covering the line of the front counts
# where a name may stand, in points from its dot, and to which side it runs
_PLACES = [(x, y, side) for (x, side), y in product(((7, "left"), (-7, "right")), (0, 9, -9, 18, -18, 27, -27))]


def check_pareto(path: str | Path, data: Sequence[BenchData]) -> None:
    """Refuse a picture without quality, before the work is done."""
    if not any(one.human for one in data):
        raise UsageError(f"{path} would show quality against cost, but the data have no human scores")


def draw_pareto(path: str | Path, found: BenchResult) -> None:
    """Draw quality against time and against memory, one row of panels per data set."""
    figure, axes = new_figure(len(found.data), len(_COSTS), (12, 4.6 * len(found.data)))
    panels = product(found.data, _COSTS)
    names: list[tuple[Axes, list[Annotation]]] = []
    for axis, (data, cost) in zip(axes, panels, strict=True):
        rows = [row for row in found.rows if row.data == data.name and row.quality is not None]
        names.append((axis, _panel(axis, cost, rows, found.front(data.name, cost))))
        axis.set_title(f"{data.name}, {len(data)} segments", fontsize=10)
        axis.set_xlabel(_COSTS[cost])
        axis.set_ylabel(f"{found.plan.statistic} with people")
    figure.draw_without_rendering()  # the layout must stand before names can keep out of each other's way
    for axis, some in names:
        _spread_names(axis, some)
    save_figure(figure, path)


def _panel(axis: Axes, cost: str, rows: Sequence[BenchRow], front: Sequence[BenchRow]) -> list[Annotation]:
    """Draw the dots and the front; return the names, which are still to be placed."""
    from matplotlib.patheffects import Normal, Stroke
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.margins(x=0.35, y=0.15)
    axis.grid(alpha=0.3, which="both", linewidth=0.5)
    line = [_point(row, cost) for row in front]
    costs, qualities = [x for x, _ in line], [y for _, y in line]
    axis.plot(costs, qualities, drawstyle="steps-post", color=ON_FRONT, linewidth=1, alpha=0.6, zorder=1)
    names = []
    for row in rows:
        color = ON_FRONT if row in front else BEHIND
        point = _point(row, cost)
        axis.plot(*point, "o" if row.kind == "metric" else "s", color=color, markersize=6, zorder=2)
        weight = "bold" if row in front else "normal"
        name = axis.annotate(row.label, point, (7, 0), textcoords="offset points", fontsize=8, color=color)
        name.set(weight=weight, path_effects=[Stroke(linewidth=3, foreground="white"), Normal()])  # above the lines
        names.append(name)
    return names


def _point(row: BenchRow, cost: str) -> tuple[float, float]:
    return (1e3 * row.seconds if cost == "time" else row.memory.median / 1e6), row.quality or 0.0


def _spread_names(axis: Axes, names: Sequence[Annotation]) -> None:
    """Move each name to the place beside its dot where it covers the least of other names, dots and the frame."""
    frame = axis.get_window_extent()
    dots = [axis.transData.transform(name.xy) for name in names]
    taken: list[Bbox] = []
    for name in names:
        costs = []
        for x, y, side in _PLACES:
            name.set(position=(x, y), ha=side, va="center")
            box = name.get_window_extent()
            padded = box.padded(3)
            covered = sum(_overlap(box, other) for other in taken) + _DOT * sum(padded.contains(*dot) for dot in dots)
            outside = box.width * box.height - _overlap(box, frame)
            # the line of the front goes on to the right of its names' dots
            crossed = _LINE if name.get_fontweight() == "bold" and y == 0 and side == "left" else 0
            costs.append((covered + outside + crossed + abs(y), x, y, side))
        _, x, y, side = min(costs)
        name.set(position=(x, y), ha=side, va="center")
        taken.append(name.get_window_extent())


def _overlap(first: Bbox, second: Bbox) -> float:
    """Return the area that two boxes share."""
    wide = min(first.x1, second.x1) - max(first.x0, second.x0)
    high = min(first.y1, second.y1) - max(first.y0, second.y0)
    return float(max(0.0, wide) * max(0.0, high))
