"""`farthing score`: how good is each system?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.registry import DEFAULT
from farthing.files.inputs import Inputs
from farthing.scoring.comparison import Comparison
from farthing.scoring.output import Target
from farthing.scoring.score import Chosen, choose
from farthing.scoring.score import score as score_systems
from farthing.tables.sheet import terminal_width


def score(
    texts: common.TextOptions,
    metrics: common.Metrics = DEFAULT,
    fail_under: common.FailUnder = None,
    ci: Annotated[bool, typed.Option("--ci", help="95 % bootstrap intervals (1000 samples).")] = False,
    output_format: common.Format = "table",
    digits: common.Digits = None,
    output: common.Output = None,
    overwrite: common.Overwrite = False,
    plot: Annotated[
        Path | None, typed.Option("--plot", help="Draw quality against diversity (set metrics): png, pdf, svg.")
    ] = None,
    encoder: common.EncoderName = None,
    cache: common.CacheFolder = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> str:
    """Score one or more systems with one or more metrics.

    Example: farthing score hyp.txt -r ref.txt -m bleu,chrf --ci
    """
    if plot:
        from farthing.report.quality_diversity import check_quality_diversity

        check_quality_diversity(plot, metrics)
    inputs = Inputs.named(**asdict(texts))
    chosen = choose(metrics, encoder=encoder, cache=cache)
    check = _gate(fail_under, chosen) if fail_under else None
    target = Target.of(output, chosen) if output else Target()
    found = score_systems(chosen, inputs, intervals=ci, seed=seed, run=target.run, overwrite=overwrite)
    if plot:
        from farthing.report.quality_diversity import quality_diversity

        quality_diversity(plot, [cell.scores for row in found.rows for cell in row.cells])
    if output:
        target.write(found)
    printed = found.printed(
        output_format, color=sys.stdout.isatty(), width=terminal_width(), digits=digits
    )  # fmt: skip
    if check:
        check(found, printed)
    return printed


def _gate(fail_under: list[str], chosen: Sequence[Chosen]) -> Callable[[Comparison, str], None]:
    """Read the thresholds before anything is scored; return what checks them."""
    from farthing.scoring.gate import check_thresholds, read_thresholds

    thresholds = read_thresholds(fail_under, chosen)
    return lambda found, printed: check_thresholds(found, thresholds, printed)
