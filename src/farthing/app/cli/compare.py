"""`farthing compare`: is one system really better than another?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.errors import UnknownName, UsageError
from farthing.core.registry import DEFAULT
from farthing.files.inputs import Inputs
from farthing.report.progress import shown_bars
from farthing.scoring.output import Target
from farthing.scoring.resampling import PairedTest
from farthing.scoring.score import choose, score


def compare(
    texts: common.TextOptions,
    metrics: common.Metrics = DEFAULT,
    test: Annotated[PairedTest, typed.Option("--test", help="The paired test.")] = "bootstrap",
    baseline: Annotated[str | None, typed.Option("--baseline", help="The system to test against; the first.")] = None,
    resamples: Annotated[
        int, typed.Option("--resamples", min=0, help="Resamples; 0: 1000 bootstrap, 10000 randomization.")
    ] = 0,
    output_format: common.Format = "table",
    digits: common.Digits = None,
    output: common.Output = None,
    overwrite: common.Overwrite = False,
    cache: common.CacheFolder = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> str:
    """Compare two or more systems on the same segments.

    Example: farthing compare a.txt b.txt -r ref.txt -m bleu,chrf --test randomization
    """
    if len(texts.systems) < 2:
        raise UsageError("compare needs at least two systems (farthing score takes one)")
    inputs = Inputs.named(**asdict(texts))
    if baseline is not None and baseline not in inputs.names:
        raise UnknownName("baseline", baseline, inputs.names)
    chosen = choose(metrics, cache=cache)
    target = Target.of(output, chosen) if output else Target()
    found = score(
        chosen, inputs, test=test, baseline=baseline, resamples=resamples, seed=seed, run=target.run,
        overwrite=overwrite, bar=shown_bars(quiet),
    )  # fmt: skip
    if output:
        target.write(found)
    return found.printed(
        output_format, color=sys.stdout.isatty(), width=typed.terminal_width(), digits=digits
    )  # fmt: skip
