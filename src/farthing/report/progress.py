"""Progress bars on standard error; silent unless standard error is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from farthing.core.progress import Bar, Progress, no_bar


def shown_bars(quiet: bool) -> Bar | None:
    """Return bars for a person at a terminal; None if nobody watches."""
    return None if quiet or not sys.stderr.isatty() else _rich_bar


def bars(quiet: bool) -> Bar:
    """Return the same, or bars that show nothing if nobody watches."""
    return shown_bars(quiet) or no_bar


@contextmanager
def _rich_bar(title: str, total: int | None = None) -> Iterator[Progress]:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=total)
        yield lambda count: shown.update(task, advance=count)
