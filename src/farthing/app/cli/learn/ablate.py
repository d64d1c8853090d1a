"""`farthing learn ablate`: measure what each source of pairs contributes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option
from farthing.tables.aligned import aligned
from farthing.tables.sheet import terminal_width


def ablate(
    pairs: Annotated[Path, Argument(help="Annotated pairs of at least two sources.")],
    start: options.StartOptions,
    training: options.TrainingOptions,
    people: options.PeopleOptions,
    output: options.TargetFolder = Path("ablation"),
    judgements: options.JudgementFiles = None,
    size: Annotated[
        int | None, Option("--size", help="Pairs of each run; by default as many as possible.", min=4)
    ] = None,
    standardise: options.Standardise = False,
    quiet: Quiet = False,
) -> str:
    """Leave out each source of pairs in turn, train, and print the change (the paper's Figure 1).

    Example: farthing learn ablate scored.parquet --student /models/bert-tiny --judgements wmt16.jsonl -o ablation
    """
    from farthing.learn.study import ablate as study

    log = options.log_of(quiet)
    settings = replace(training.settings(), standardise=standardise)
    human = people.read(judgements, log)
    runs = study.ablate(pairs, output, start.start(), settings, human=human, size=size, log=log)
    return aligned(study.ablation_rows(runs), width=terminal_width())
