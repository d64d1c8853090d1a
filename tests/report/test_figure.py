"""Figures: axes row by row, files that are whole, and names that are refused before the work is done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.core.errors import MissingExtra, OutputError, UsageError
from farthing.report.figure import check_figure_path, new_figure, save_figure

pytest.importorskip("matplotlib")


def test_axes_come_row_by_row() -> None:
    figure, axes = new_figure(2, 3, (6, 4))
    assert len(axes) == 6
    places = [axis.get_subplotspec() for axis in axes]
    assert [(place.rowspan.start, place.colspan.start) for place in places] == [
        (r, c) for r in range(2) for c in range(3)
    ]
    assert tuple(figure.get_size_inches()) == (6, 4)


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.PDF", b"%PDF"), ("a.svg", b"<?xml")])
def test_the_suffix_is_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    save_figure(new_figure(1, 1, (1, 1))[0], tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_names_are_refused_early(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of picture"):
        check_figure_path(tmp_path / "x.bmp")
    with pytest.raises(OutputError, match="does not exist"):
        check_figure_path(tmp_path / "no" / "x.png")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match="plots"):
        check_figure_path(tmp_path / "x.png")
    with pytest.raises(MissingExtra, match="plots"):
        new_figure(1, 1, (1, 1))
