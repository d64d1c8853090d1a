"""`farthing score`: how good is each system?"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.registry import DEFAULT
from farthing.files.inputs import Inputs
from farthing.scoring.comparison import Comparison
from farthing.scoring.output import Target
from farthing.scoring.score import MOST_ROWS, Chosen, choose
from farthing.scoring.score import score as score_systems
from farthing.tables.sheet import terminal_width


def score(
    texts: common.TextOptions,
    labels: common.LabelOptions,
    kept: common.KeptOptions,
    engine: common.EngineOptions,
    rows: common.RowOptions,
    form: common.OutputOptions,
    models: common.ModelOptions,
    metrics: common.Metrics = DEFAULT,
    fail_under: common.FailUnder = None,
    ci: Annotated[bool, typed.Option("--ci", help="95 % bootstrap intervals (1000 samples).")] = False,
    resegment: common.Resegment = False,
    plot: common.Plot = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> str:
    """Score one or more systems with one or more metrics.

    Examples:
      farthing score hyp.txt -r ref.txt -m bleu,chrf --ci
      farthing score hyp.txt -s src.txt
      farthing score hyp.txt -r ref.txt --judgements few.jsonl
    """
    _check_plot(plot, metrics)
    chosen = choose(metrics, encoder=models.encoder, cache=models.cache)
    if any(map(os.path.isdir, texts.systems)):
        others = {"--fail-under": fail_under, "--plot": plot, "--resegment": resegment, "--explain": kept.asked}
        return _score_folder(texts, chosen, others, ci, seed, form)
    check = _gate(fail_under, chosen) if fail_under else None
    files = Inputs.named(**asdict(texts))
    asked = form.output or form.with_texts or kept.explain or kept.align
    target = kept.target(form.output, chosen, files, form.with_texts) if asked else Target()
    inputs = common.resegmented(files) if resegment else files
    spool = target.spool(chosen) if target.table else None
    whole = labels.judgements or form.output_format == "json" or (target.table and not spool)
    found = score_systems(
        chosen, inputs, intervals=ci, seed=seed, run=target.run, **asdict(kept),
        most_rows=None if whole else MOST_ROWS, each=None if spool is None else spool.add,
    )  # fmt: skip
    if plot:
        _draw(plot, found)
    if target.table or rows.on_error == "skip":
        rows.keep(target)
        target.write(found, inputs, spool)
    if labels.judgements:
        return labels.printed(found, inputs, form.output_format, terminal_width(), form.digits)
    printed = found.printed(form.output_format, color=sys.stdout.isatty(), width=terminal_width(), digits=form.digits)
    if check:
        check(found, printed)
    return f"{printed}\n\n{target.explained(chosen)}" if kept.explain and form.output_format == "table" else printed


def _score_folder(
    texts: common.TextOptions,
    chosen: list[Chosen],
    others: Mapping[str, object],
    ci: bool,
    seed: int,
    form: common.OutputOptions,
) -> str:
    from farthing.app.cli.suite import score_folder

    return score_folder(texts, chosen, others, ci, seed, form)


def _check_plot(plot: Path | None, metrics: str) -> None:
    if plot is None:
        return
    from farthing.report.quality_diversity import check_quality_diversity

    check_quality_diversity(plot, metrics)


def _draw(plot: Path, found: Comparison) -> None:
    from farthing.report.quality_diversity import quality_diversity

    quality_diversity(plot, [cell.scores for row in found.rows for cell in row.cells])


def _gate(fail_under: list[str], chosen: Sequence[Chosen]) -> Callable[[Comparison, str], None]:
    """Read the thresholds before anything is scored; return what checks them."""
    from farthing.scoring.gate import check_thresholds, read_thresholds

    thresholds = read_thresholds(fail_under, chosen)
    return lambda found, printed: check_thresholds(found, thresholds, printed)
