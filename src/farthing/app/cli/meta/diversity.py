"""`farthing meta diversity`: do set metrics notice mode collapse and broken sentences?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli import common
from farthing.app.cli.common import check_choice
from farthing.app.cli.typed import Argument, Option
from farthing.core.errors import UsageError
from farthing.core.progress import no_bar, watched
from farthing.files.inputs import split
from farthing.scoring.score import choose
from farthing.tables.sheet import terminal_width

if TYPE_CHECKING:
    from farthing.metrics.sets.base import VectorSetMetric

ALL = "markevaluate,impar,prd,fid"


def diversity(
    corpus: Annotated[str, Argument(help="A table with a column of texts and one of labels (topics, genres).")],
    text: Annotated[str, Option("--text", help="The column of texts.")] = "text",
    label: Annotated[str, Option("--label", help="The column of labels.")] = "label",
    header: Annotated[str | None, Option("--header", help="Names of all columns of a .tsv without a header.")] = None,
    metrics: Annotated[
        str, Option("-m", "--metrics", help="Set metrics, such as markevaluate,fid.", joined=True, completes="metric")
    ] = ALL,
    encoder: Annotated[str | None, Option("--encoder", help="Model of the metrics that do not name one.")] = None,
    experiments: Annotated[
        str, Option("--experiments", help="Some of collapse,swap,neighbours.")
    ] = "collapse,swap,neighbours",
    size: Annotated[int, Option("--size", min=20, help="Samples in each set.")] = 2000,
    swaps: Annotated[str | None, Option("--swaps", help="Probabilities of a swap, by default 0,0.1,0.25 to 1.")] = None,
    seeds: Annotated[int, Option("--seeds", min=1, help="Repeat with so many seeds: mean changes with intervals.")] = 1,
    plots: Annotated[Path | None, Option("--plots", help="Draw each experiment into this folder.")] = None,
    prefix: Annotated[str, Option("--prefix", help="Prefix of the plots' file names.")] = "",
    output_format: Annotated[
        Literal["table", "json", "csv"], Option("--format", "-f", help="Form of the result.")
    ] = "table",
    seed: Annotated[int, Option("--seed", min=0, help="Seed of all random draws, or the first of several.")] = 0,
    quiet: common.Quiet = False,
) -> str:
    """Drop topics from a set, swap the words of its texts, change k, and see how every score moves.

    Example: farthing meta diversity news.tsv --text sentence --label topic --plots plots
    Example: farthing meta diversity news.tsv --text sentence --label topic --experiments swap --size 10000 --seeds 5
    """
    from farthing.meta.diversity import EXPERIMENTS, PROBABILITIES, Plan
    from farthing.meta.read.labelled import read_labelled
    from farthing.meta.repeated import repeat_experiments, repeated_document
    from farthing.report.experiments import draw_experiment, experiment_table, repeated_table
    from farthing.report.figure import check_figure_path
    from farthing.report.results import Results

    wanted = split(experiments)
    for name in wanted:
        check_choice("experiment", name, EXPERIMENTS)
    if plots is not None:
        check_figure_path(plots / "plot.png")
    plan = Plan(size, seed, _probabilities(swaps) if swaps else PROBABILITIES)
    loaded = _set_metrics(metrics, encoder)
    labelled = read_labelled(corpus, text, label, _header(header))
    found = []
    for one in repeat_experiments(labelled, loaded, wanted, plan, seeds, watched() or no_bar):
        found.append(one)
        if plots is not None:
            draw_experiment(plots / f"{prefix}{one.runs[0].name}.png", one.mean())
    tables = [repeated_table(one) if seeds > 1 else experiment_table(one.runs[0]) for one in found]
    return Results(tables, repeated_document(found)).printed(output_format, width=terminal_width())


def _probabilities(text: str) -> tuple[float, ...]:
    try:
        found = tuple(map(float, text.split(",")))
    except ValueError:
        found = ()
    if len(found) < 2 or not all(0 <= one <= 1 for one in found):
        raise UsageError(f"--swaps {text} is not a list of at least two probabilities, such as 0,0.5,1")
    return found


def _header(text: str | None) -> list[str] | None:
    return [name.strip() for name in text.split(",")] if text else None


def _set_metrics(metrics: str, encoder: str | None) -> list[VectorSetMetric]:
    from farthing.metrics.sets.base import VectorSetMetric

    chosen = [one.metric for one in choose(metrics, encoder=encoder)]
    if pairs := [metric.info.name for metric in chosen if not isinstance(metric, VectorSetMetric)]:
        raise UsageError(f"{pairs[0]} judges pairs; experiments on diversity are for set metrics, such as {ALL}")
    return [metric for metric in chosen if isinstance(metric, VectorSetMetric)]
