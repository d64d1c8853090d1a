"""Figures of matplotlib, without a window and without its global state."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import MissingExtra, OutputError, UsageError
from farthing.files.write import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".pdf", ".svg")


def new_figure(high: int, wide: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Make a figure and its axes, row by row."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("a plot", "plots") from error
    figure = Figure(figsize=size, layout="constrained")
    return figure, list(figure.subplots(high, wide, squeeze=False).ravel())


def check_figure_path(path: str | Path) -> None:
    """Refuse, before the work is done, a figure that could not be drawn or written."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: unknown kind of picture (there are: {', '.join(SUFFIXES)})")
    if not Path(path).parent.is_dir():
        raise OutputError(f"{path}: the folder {Path(path).parent} does not exist; make it first")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra("a plot", "plots") from error


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure completely, or not at all."""
    with replacing(path) as stream:
        figure.savefig(stream, format=Path(path).suffix[1:].lower(), dpi=160)
