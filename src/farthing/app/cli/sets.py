"""Metrics that judge a whole set, beside those that judge pairs, in one call of `farthing score`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farthing.app.cli.common import progress_bar
from farthing.core.errors import UsageError
from farthing.core.types import Scores

if TYPE_CHECKING:
    from farthing.files.inputs import Inputs
    from farthing.meta.comparison import Comparison


def check_sets(metrics: Sequence[Any], inputs: Inputs, output: Path | None, plot: Path | None) -> None:
    """Refuse what cannot be done before the work begins."""
    judges = [metric.info.name for metric in metrics if metric.info.level == "set"]
    others = [metric.info.name for metric in metrics if metric.info.level != "set"]
    if plot:
        from farthing.report.figure import check_figure_path
        from farthing.report.quality_diversity import PARTS

        check_figure_path(plot)
        if not set(judges) & set(PARTS):
            raise UsageError(f"--plot shows quality against diversity: ask for one of {', '.join(PARTS)}")
    if judges and output:
        raise UsageError(f"{judges[0]} judges the whole set and gives no score a segment: leave -o, use --format json")
    if others:
        from farthing.files.sets import any_vectors

        if path := any_vectors([*inputs.systems, *inputs.references], inputs.columns):
            raise UsageError(f"{path} holds vectors, but {others[0]} compares texts")


def score_all(metrics: Sequence[Any], inputs: Inputs, *, intervals: bool, seed: int, quiet: bool) -> list[list[Scores]]:
    """Every metric on every system: pairs stretch by stretch, sets whole."""
    pairs = [place for place, metric in enumerate(metrics) if metric.info.level != "set"]
    sets = [place for place, metric in enumerate(metrics) if metric.info.level == "set"]
    found: dict[int, list[Scores]] = {}
    if pairs:
        found |= zip(pairs, _score_pairs([metrics[place] for place in pairs], inputs, intervals, quiet), strict=True)
    if sets:
        judged = _score_sets([metrics[place] for place in sets], inputs, intervals, seed, quiet)
        found |= zip(sets, judged, strict=True)
    return [found[place] for place in range(len(metrics))]


def _score_pairs(metrics: list[Any], inputs: Inputs, intervals: bool, quiet: bool) -> list[list[Scores]]:
    from farthing.metrics.together import score_together

    with progress_bar("scoring", quiet) as progress:
        return score_together(metrics, inputs.stretches, keep_statistics=intervals, progress=progress)


def _score_sets(metrics: list[Any], inputs: Inputs, intervals: bool, seed: int, quiet: bool) -> list[list[Scores]]:
    from farthing.files.sets import read_sets
    from farthing.metrics.sets import score_systems

    systems = read_sets(inputs.systems, inputs.references, inputs.names, inputs.columns, inputs.stdin_format)
    return score_systems(
        metrics,
        systems,
        intervals=intervals,
        seed=seed,
        bar=lambda what, total: progress_bar(what, quiet, total),
    )


def draw(found: Comparison, plot: Path | None) -> None:
    """Quality against diversity, where it was asked for."""
    if plot:
        from farthing.report.quality_diversity import quality_diversity

        quality_diversity(plot, [cell.scores for row in found.rows for cell in row.cells])
