"""`farthing meta diversity`: do set metrics see mode collapse and broken sentences?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from farthing.app.cli import common
from farthing.app.cli.common import check_choice, show
from farthing.app.cli.typed import Argument, Option
from farthing.core.errors import UsageError
from farthing.report.progress import bars
from farthing.scoring.score import choose

ALL = "markevaluate,impar,prd,fid"


def diversity(
    corpus: Annotated[str, Argument(help="A table with a column of texts and one of labels (topics, genres).")],
    text: Annotated[str, Option("--text", help="The column of texts.")] = "text",
    label: Annotated[str, Option("--label", help="The column of labels.")] = "label",
    header: Annotated[str | None, Option("--header", help="Names of all columns of a .tsv without a header.")] = None,
    metrics: Annotated[str, Option("-m", "--metrics", help="Set metrics.")] = ALL,
    encoder: Annotated[str | None, Option("--encoder", help="Model of the metrics that do not name one.")] = None,
    experiments: Annotated[
        str, Option("--experiments", help="Some of collapse, swap and neighbours, with commas between.")
    ] = "collapse,swap,neighbours",
    size: Annotated[int, Option("--size", min=20, help="Samples in each set.")] = 2000,
    plots: Annotated[Path | None, Option("--plots", help="Draw each experiment into this folder.")] = None,
    prefix: Annotated[str, Option("--prefix", help="What the plots' names begin with.")] = "",
    output_format: Annotated[str, Option("--format", "-f", help="table or json.")] = "table",
    seed: Annotated[int, Option("--seed", min=0, help="Seed of all draws.")] = 0,
    quiet: common.Quiet = False,
) -> None:
    """Drop topics from a set, swap the words of its texts, change k, and see how every score moves.

    Example: farthing meta diversity news.tsv --text sentence --label topic --plots plots
    """
    from farthing.meta.diversity import EXPERIMENTS, run_experiments
    from farthing.meta.read.labelled import read_labelled
    from farthing.metrics.sets.base import VectorSetMetric

    check_choice("format", output_format, ["table", "json"])
    wanted = [name.strip() for name in experiments.split(",")]
    for name in wanted:
        check_choice("experiment", name, EXPERIMENTS)
    _check_plots(plots)
    chosen = [one.metric for one in choose(metrics, encoder=encoder)]
    loaded = [metric for metric in chosen if isinstance(metric, VectorSetMetric)]
    if pairs := [metric.info.name for metric in chosen if metric not in loaded]:
        raise UsageError(f"{pairs[0]} judges pairs; experiments on diversity are for set metrics, such as {ALL}")
    columns = [name.strip() for name in header.split(",")] if header else None
    data = read_labelled(corpus, text, label, columns)
    found = []
    for experiment in run_experiments(data, loaded, wanted, size=size, seed=seed, bar=bars(quiet)):
        found.append(experiment)
        _emit(experiment, output_format, plots, prefix)
    if output_format == "json":
        _document(found)


def _check_plots(plots: Path | None) -> None:
    if plots is not None:
        from farthing.report.figure import check_figure_path

        check_figure_path(plots / "plot.png")


def _emit(experiment: Any, output_format: str, plots: Path | None, prefix: str) -> None:
    from farthing.report.experiments import draw_experiment, experiment_table
    from farthing.tables.grid import grid_text

    if plots is not None:
        draw_experiment(plots / f"{prefix}{experiment.name}.png", experiment)
    if output_format == "table":
        show(grid_text(experiment_table(experiment)) + "\n")


def _document(found: list[Any]) -> None:
    from farthing.core.version import __version__
    from farthing.meta.diversity import experiment_document

    document = {"farthing": __version__, "experiments": [experiment_document(each) for each in found]}
    show(json.dumps(document, ensure_ascii=False, indent=1))
