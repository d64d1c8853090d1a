"""Axes and shapes."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as some

from farthing.report.page.svg import Axis, Plot, axis_ticks, color_class, figure


@given(some.floats(-1e6, 1e6), some.floats(1e-3, 1e6))
def test_ticks_are_few_round_and_inside(low: float, span: float) -> None:
    found = axis_ticks(low, low + span)
    assert 1 <= len(found) <= 7
    assert all(low - span * 1e-6 <= value <= low + span * (1 + 1e-6) for value in found)


def test_a_logarithmic_axis_has_equal_factors() -> None:
    axis = Axis(1, 100, log=True)
    assert axis.part(10) == pytest.approx(0.5)
    assert [text for _, text in axis.marks()] == ["1", "2", "5", "10", "20", "50", "100"]
    around = Axis.around([1, 1000], log=True)
    assert around.low < 1 < 1000 < around.high


def test_points_stand_between_the_edges() -> None:
    plot = Plot(Axis(0, 10), Axis(0, 1))
    assert plot.place((0, 0)) == (plot.left, plot.high - plot.bottom)
    assert plot.place((10, 1)) == (plot.wide - plot.right, plot.top)


def test_a_figure_is_well_formed_whatever_the_names() -> None:
    plot = Plot(Axis(0, 1, "<x>"), Axis(0, 1, '"y" & z'))
    taken: list[tuple[float, float, float]] = []
    shapes = [*plot.axes(), plot.point((0.5, 0.5), "fill", "<&>"), plot.cloud([(0.1, 0.2)], "dots")]
    names = [plot.name((0.5, 0.5), f"<name> {number}", taken) for number in range(9)]
    shapes += [plot.line([(0, 0), (1, 1)], "stroke"), plot.steps([(0, 0), (1, 1)], "stroke"), *names]
    tree = ElementTree.fromstring(figure(shapes, 420, 300, "a <title>"))
    assert tree.find("figcaption").text == "a <title>"  # type: ignore[union-attr]
    boxes = [(x, y) for x, y, _ in taken]
    assert len(set(boxes[:7])) == 7  # names keep out of each other's way as long as there is room
    assert "style=" not in "".join(shapes)  # which the page's policy forbids


def test_places_of_an_axis_have_names() -> None:
    assert Axis(-0.3, 1.3, places=("1–9", "10+")).marks() == [(0, "1–9"), (1, "10+")]
    assert color_class(9) == "c1"
    assert math.isclose(Axis(5, 5).part(5), 0)
