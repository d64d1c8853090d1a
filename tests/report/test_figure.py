"""Figures: written in every format completely or not at all, other names refused early."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.core.errors import MissingExtra, OutputError, UsageError
from farthing.report.figure import SUFFIXES, check_figure_path, new_figure, save_figure

pytest.importorskip("matplotlib")

STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


def test_names_are_refused_early(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of picture"):
        check_figure_path(tmp_path / "x.bmp")
    with pytest.raises(OutputError, match="does not exist"):
        check_figure_path(tmp_path / "no" / "x.png")


def test_a_refusal_names_what_there_is(tmp_path: Path) -> None:
    for name in ("x", "x.jpg", "png"):
        with pytest.raises(UsageError, match=r"\(there are: .png, .pdf, .svg\)"):
            check_figure_path(tmp_path / name)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".SVG"])
def test_every_format_is_written(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"figure{suffix}"
    check_figure_path(path)
    save_figure(new_figure(1, 1, (1, 1))[0], path)
    assert path.read_bytes().startswith(STARTS[suffix.lower()])


def test_axes_go_row_by_row() -> None:
    figure, axes = new_figure(2, 3, (3, 2))
    assert figure.axes == axes
    places = [axis.get_subplotspec() for axis in axes]
    assert [(place.rowspan.start, place.colspan.start) for place in places if place] == [
        (row, column) for row in range(2) for column in range(3)
    ]


def test_a_figure_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.png").write_text("old")
    figure, _ = new_figure(1, 1, (1, 1))

    def fail(stream: object, **options: object) -> None:
        stream.write(b"half")  # type: ignore[attr-defined]
        raise RuntimeError

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(RuntimeError):
        save_figure(figure, tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    assert (tmp_path / "a.png").read_text() == "old"


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r"pip install 'farthing\[plots\]'"):
        new_figure(1, 1, (1, 1))
    with pytest.raises(MissingExtra, match=r"pip install 'farthing\[plots\]'"):
        check_figure_path(tmp_path / "x.png")
