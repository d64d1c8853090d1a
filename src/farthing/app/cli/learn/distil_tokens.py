"""`farthing learn distil-tokens`: train a student on a finished student's token vectors, then on scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option


def distil_tokens(
    pairs: Annotated[Path, Argument(help="The file that farthing learn annotate wrote.")],
    student: Annotated[str, Option("--student", help="The encoder to start from: its folder or name.")],
    teacher: Annotated[str, Option("--teacher", help="A student of the kind match or static.")] = "small",
    output: options.TargetFolder = Path("student"),
    depth: options.Depth = None,
    epochs: Annotated[int, Option("--epochs", help="Passes over the texts.", min=1)] = 3,
    rate: options.Rate = 1e-3,
    seed: options.Seed = 1,
    overwrite: options.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Train a student that matches tokens: first on the teacher's token vectors, then a head on the pairs' scores.

    Teacher and student must have the same vocabulary.
    Example: farthing learn distil-tokens scored.parquet --student /models/bert-tiny --teacher small -o student
    """
    from farthing.learn.train.processes import check_training_extra

    check_training_extra()
    from farthing.learn.match.distil import TokenDistillation, distil_by_tokens

    plan = TokenDistillation(teacher, student, depth, epochs=epochs, rate=rate, seed=seed)
    pearson = distil_by_tokens(pairs, output, plan, overwrite=overwrite, log=options.log_of(quiet))
    options.say(f"{output}: Pearson {pearson:.4f} with the scores it learned from")
