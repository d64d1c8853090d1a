"""`farthing learn student`: a matching student by its recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import common


def student(
    recipe: Annotated[Path, typed.Argument(help="The recipe, such as recipes/small.toml.")],
    output: common.Target = Path("student"),
    data: Annotated[Path, typed.Option("--data", help="The folder below which the recipe's files are.")] = Path(),
    models: Annotated[
        Path | None, typed.Option("--models", help="A folder with models by name; else they are found as usual.")
    ] = None,
    work: Annotated[
        Path | None, typed.Option("--work", help="Where finished steps are kept for a run that is stopped.")
    ] = None,
    threads: common.Threads = 1,
    overwrite: common.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Make a student that matches tokens (kinds match and static): teachers, distillation, training, calibration.

    A run that was stopped goes on from its last finished step.
    Example: farthing learn student recipes/nano.toml --data data --models models -o nano
    """
    from farthing.files.folders import check_new
    from farthing.learn.match.recipe import read_student_recipe
    from farthing.learn.train.processes import check_training_extra

    known = read_student_recipe(recipe)
    check_new(output, overwrite)
    check_training_extra()
    import torch

    torch.set_num_threads(threads or 1)
    from farthing.learn.match.make import Maker

    kept = work or output.with_name(f"{output.name}.work")
    Maker(known, data, models, kept, (lambda line: None) if quiet else common.say).make(output, overwrite=overwrite)
