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
    output: common.Output = None,
    with_texts: common.WithTexts = False,
    overwrite: common.Overwrite = False,
    resegment: common.Resegment = False,
    cache: common.CacheFolder = None,
    seed: common.Seed = 12345,
    quiet: common.Quiet = False,
) -> str:
    """Compare two or more systems on the same segments.

    Example: farthing compare a.txt b.txt -r ref.txt -m bleu,chrf --test randomization
    """
    files = Inputs.named(**asdict(texts))
    if len(files.names) < 2:
        raise UsageError("compare needs at least two systems (farthing score takes one)")
    if baseline is not None and baseline not in files.names:
        raise UnknownName("baseline", baseline, files.names)
    chosen = choose(metrics, cache=cache)
    target = Target.of(output, chosen, files.paths(), with_texts) if output or with_texts else Target()
    inputs = common.resegmented(files) if resegment else files
    found = score(
        chosen, inputs, test=test, baseline=baseline, resamples=resamples, seed=seed, run=target.run,
        overwrite=overwrite, bar=shown_bars(quiet),
    )  # fmt: skip
    if target.table:
        target.write(found, inputs)
    return found.printed(output_format, color=sys.stdout.isatty())
