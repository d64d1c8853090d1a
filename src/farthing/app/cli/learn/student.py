"""`farthing learn student`: make a matching student by its recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option


def student(
    recipe: Annotated[Path, Argument(help="The recipe, such as recipes/small.toml.")],
    output: options.TargetFolder = Path("student"),
    data: Annotated[Path, Option("--data", help="The folder that holds the recipe's files.")] = Path(),
    models: Annotated[
        Path | None, Option("--models", help="A folder with models by name; others are looked up as usual.")
    ] = None,
    work: Annotated[
        Path | None, Option("--work", help="The folder that keeps finished steps; by default OUTPUT.work.")
    ] = None,
    precision: Annotated[
        Literal["int8", "fp32"],
        Option("--precision", help="fp32 adds a graph in full precision, for frugalscore(model=…, precision=fp32)."),
    ] = "int8",
    threads: options.Threads = 1,
    overwrite: options.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Make a student that matches tokens (kinds match and static): teachers, distillation, training, calibration.

    The same command resumes an interrupted run after its last finished step.
    Examples:
      farthing learn student recipes/nano.toml --data data --models models -o nano
      farthing learn student recipes/small.toml --data data --models models -o small --precision fp32
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
    maker = Maker(known, data, models, kept, options.log_of(quiet))
    maker.make(output, overwrite=overwrite, precision=precision)
