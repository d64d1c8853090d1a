"""`farthing learn distil`: train a student on the teacher's scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option


def distil(
    pairs: Annotated[Path, Argument(help="Pairs with scores: what farthing learn annotate wrote, or any table.")],
    columns: options.PairOptions,
    start: options.StartOptions,
    training: options.TrainingOptions,
    origin: options.OriginOptions,
    output: options.TargetFolder = Path("student"),
    warmup: Annotated[float, Option("--warmup", help="Share of the steps in which the rate rises.")] = 0.06,
    against: options.AgainstChoice = "reference",
    standardise: options.Standardise = False,
    held_out: Annotated[float, Option("--held-out", help="Share of the pairs to check on.")] = 0.05,
    checks: Annotated[int, Option("--checks", help="Checks (and checkpoints) of a run.", min=1)] = 10,
    patience: Annotated[
        int | None, Option("--patience", help="Stop after so many checks without a gain.", min=1)
    ] = None,
    overwrite: options.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Train a small cross-encoder on annotated pairs. The same command resumes an interrupted run.

    The defaults are the paper's. Several GPUs: accelerate launch -m farthing learn distil …
    Example: farthing learn distil scored.parquet --student /models/bert-tiny -o student
    """
    from farthing.learn.cross.distil import distil as distilled
    from farthing.learn.cross.distil import is_resumed

    settings = replace(
        training.settings(), warm_up=warmup, standardise=standardise, checks=checks, patience=patience
    )  # fmt: skip
    if is_resumed(output):
        options.say(f"{output}: resuming from the last checkpoint")
    found = distilled(
        pairs, output, start.start(), settings, held=held_out, overwrite=overwrite,
        score=columns.score, columns=columns.columns(against), log=options.log_of(quiet),
        facts={**origin.facts([], options.say), "against": against},
    )  # fmt: skip
    last = found.history.last
    if found.history.is_main:
        options.say(
            f"{output}: {found.facts['parameters']:,} parameters, held-out Pearson {last.get('pearson', 0):.4f}, "
            f"Spearman {last.get('spearman', 0):.4f} with the teacher"
        )
