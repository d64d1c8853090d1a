"""The charts of a report: distributions, buckets, quality and diversity, quality and cost, scores of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from farthing.report.page.buckets import BucketTable
from farthing.report.page.content import ReportContent, ReportMeasure
from farthing.report.page.svg import Axis, Plot, Point, color_class, figure
from farthing.report.quality_diversity import AXES

BINS = 40
_NAMES, _WIDE, _HIGH = 130, 640, 34  # of a row of the distributions


def distribution_chart(content: ReportContent, measure: ReportMeasure) -> str:
    """Draw how the scores of each system are distributed, one row per system, on one scale."""
    found = {
        name: np.asarray(content.scores[name, measure.label].segments, dtype=float)
        for name in content.systems
        if (name, measure.label) in content.scores and content.scores[name, measure.label].segments is not None
    }
    known = {name: scores[np.isfinite(scores)] for name, scores in found.items()}
    low, high = _ends([scores for scores in known.values() if scores.size])
    counts = {name: np.histogram(scores, BINS, (low, high))[0] for name, scores in known.items()}
    most = max((int(one.max()) for one in counts.values()), default=1) or 1
    plot = Plot(Axis(low, high, measure.label), Axis(0, most), _WIDE, 1, left=_NAMES, top=0, bottom=0)
    shapes = [_axis(plot, len(known))]
    for place, (name, one) in enumerate(counts.items()):
        shapes.append(_ridge(plot, one / most, place, name, known[name], measure))
    title = f"Distribution of {measure.label}; the line is the median"
    return figure(shapes, _WIDE, (len(known) + 1) * _HIGH, title)


def _ends(scores: Sequence[np.ndarray]) -> tuple[float, float]:
    if not scores:
        return 0.0, 1.0
    low, high = float(min(one.min() for one in scores)), float(max(one.max() for one in scores))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _axis(plot: Plot, rows: int) -> str:
    marks = [(plot.place((value, 0))[0], text) for value, text in plot.x.marks()]
    lines = "".join(f'<path class="axis" d="M{x:g} 0V{rows * _HIGH}"/>' for x, _ in marks)
    return lines + "".join(
        f'<text x="{x:g}" y="{rows * _HIGH + 14}" text-anchor="middle">{text}</text>' for x, text in marks
    )


def _ridge(plot: Plot, heights: np.ndarray, place: int, name: str, scores: np.ndarray, measure: ReportMeasure) -> str:
    floor, step = (place + 1) * _HIGH - 2, (plot.wide - plot.left - plot.right) / BINS
    tops = [f"V{floor - height * (_HIGH - 6):.1f}h{step:g}" for height in heights.tolist()]
    area = f'<path class="tone" d="M{plot.left} {floor}{"".join(tops)}V{floor}Z"/>'
    label = f'<text class="name" x="{_NAMES - 8}" y="{floor - 6}" text-anchor="end">{escape(_short(name))}</text>'
    if not scores.size:
        return f'<g class="{color_class(place)}">{label}</g>'
    median = float(np.median(scores))
    told = f"{name}: median {median:.{measure.digits}f}, {scores.size} segments"
    x = plot.place((median, 0))[0]
    line = f'<path class="stroke" d="M{x:g} {floor}v{6 - _HIGH}"/>'
    return f'<g class="{color_class(place)}"><title>{escape(told)}</title>{area}{line}{label}</g>'


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"


def bucket_chart(table: BucketTable) -> str:
    """Draw one line per system over the buckets."""
    known = [value for row in table.values for value in row if value is not None]
    if not known or len(table.buckets) < 2:
        return ""
    buckets = Axis(-0.3, len(table.buckets) - 0.7, table.unit, places=table.buckets)
    plot = Plot(buckets, Axis.around(known), 420, 220)
    shapes = plot.axes()
    for place, row in enumerate(table.values):
        points: list[Point] = [(x, value) for x, value in enumerate(row) if value is not None]
        dots = "".join(
            plot.point(point, "fill", f"{table.systems[place]}, {table.buckets[int(point[0])]}: {point[1]:.4g}")
            for point in points
        )
        shapes.append(f'<g class="{color_class(place)}">{plot.line(points, "stroke") if points else ""}{dots}</g>')
    return figure(shapes, plot.wide, plot.high, table.title)


def quality_diversity_chart(content: ReportContent, measure: ReportMeasure) -> str:
    """Draw systems as points, quality to the right and diversity upwards; nothing if the metric does not tell them."""
    if measure.info.name not in AXES:
        return ""
    names = AXES[measure.info.name]
    plot = Plot(Axis(0, 1, f"quality ({names[0]})"), Axis(0, 1, f"diversity ({names[1]})"), 420, 380)
    shapes, taken = plot.axes(), list[tuple[float, float, float]]()
    for place, system in enumerate(content.systems):
        score = content.scores.get((system, measure.label))
        if score is not None and all(name in score.numbers for name in names):
            point = score.numbers[names[0]], score.numbers[names[1]]
            told = f"{system}: quality {point[0]:.3f}, diversity {point[1]:.3f}"
            shapes.append(f'<g class="{color_class(place)}">{plot.point(point, "fill", told)}</g>')
            shapes.append(plot.name(point, system, taken))
    return figure(shapes, plot.wide, plot.high, f"Quality and diversity by {measure.label}")


def human_chart(metric: str, human: Sequence[float | None], scores: Sequence[float | None]) -> str:
    """Draw the scores of people against those of a metric."""
    points = [(h, s) for h, s in zip(human, scores, strict=True) if h is not None and s is not None]
    if not points:
        return ""
    axes = Axis.around([h for h, _ in points], "people"), Axis.around([s for _, s in points], metric)
    plot = Plot(*axes)
    size = 3 if len(points) > 300 else 6
    shapes = [*plot.axes(), f'<g class="c0" stroke-opacity="0.45">{plot.cloud(points, "dots", size)}</g>']
    return figure(shapes, plot.wide, plot.high, f"{metric} and people, {len(points)} outputs")


def pareto_chart(points: Mapping[str, Point], front: Sequence[str], cost: str, quality: str, title: str) -> str:
    """Draw quality against cost, one named point per metric; those on the front are joined by a line.

    :param points: cost and quality by label; costs are drawn on a scale of equal factors
    """
    costs, qualities = zip(*points.values(), strict=True)
    plot = Plot(Axis.around(costs, cost, log=True), Axis.around(qualities, quality), 520, 340)
    line = sorted(points[label] for label in front if label in points)
    shapes = [*plot.axes(), f'<g class="c0">{plot.steps(line, "stroke") if line else ""}</g>']
    taken: list[tuple[float, float, float]] = []
    for label, point in points.items():
        told = f"{label}: {point[0]:.4g} {cost}, {point[1]:.3f} {quality}"
        shapes.append(f'<g class="{"c0" if label in front else "c7"}">{plot.point(point, "fill", told)}</g>')
        shapes.append(plot.name(point, label, taken))
    return figure(shapes, plot.wide, plot.high, title)
