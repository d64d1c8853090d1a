"""`farthing learn finetune`: a student learns from people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet, show
from farthing.app.cli.learn import common

if TYPE_CHECKING:
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.data.humans import Judged


def finetune(
    data: Annotated[list[str], typed.Argument(help="Judged pairs, one file a data set.")],
    student: Annotated[
        list[str] | None,
        typed.Option("--student", help="A distilled folder, an encoder or a size; may be given again."),
    ] = None,
    output: common.Target = Path("finetuned"),
    validation: Annotated[
        list[str] | None, typed.Option("--validation", help="Other judged pairs to choose the epoch on.")
    ] = None,
    column: Annotated[str | None, typed.Option("--human", help="The column of human scores.")] = None,
    only: Annotated[
        str | None, typed.Option("--only", help="The groups (language pairs) that end so, such as -en.")
    ] = None,
    normalise: Annotated[
        Literal["zscore", "range", "none"], typed.Option("--normalise", help="How each set's scores are scaled.")
    ] = "zscore",
    freeze: Annotated[
        bool, typed.Option("--freeze", help="Train the head alone: for few data and tiny students.")
    ] = False,
    protocol: Annotated[
        bool, typed.Option("--leave-one-out", help="The paper's Table 2: train on each set, test on each other.")
    ] = False,
    seeds: Annotated[int, typed.Option("--seeds", help="Runs a cell of that table.", min=1)] = 3,
    epochs: common.Epochs = 4,
    batch: common.Batch = 32,
    rate: common.Rate = 2e-5,
    limit: common.Limit = 256,
    seed: common.Seed = 1,
    threads: common.Threads = None,
    overwrite: common.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Fine-tune a student on human scores and keep the best epoch.

    Examples:
      farthing learn finetune wmt15.jsonl --validation wmt16.jsonl --student student -o finetuned
      farthing learn finetune a.jsonl b.jsonl c.jsonl --leave-one-out --student /models/bert-tiny --student student
    """
    from farthing.core.errors import UsageError
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.data.humans import read_judged

    settings = CrossSettings(
        epochs=epochs,
        batch=batch,
        rate=rate,
        warm_up=0.0,
        limit=limit,
        checks=max(1, round(epochs)),
        seed=seed,
        threads=threads,
    )
    students = student or ["tiny"]
    sets = [read_judged(path, column, only) for path in data]
    if protocol:
        _protocol(students, sets, output, settings, seeds, normalise, freeze, quiet)
        return
    if len(students) > 1:
        raise UsageError("give one --student, or --leave-one-out to compare several")
    held = [read_judged(path, column, only) for path in validation or ()]
    _finetune(students[0], sets, held, output, settings, normalise, freeze, overwrite)


def _finetune(
    student: str,
    sets: list[Judged],
    validation: list[Judged],
    output: Path,
    settings: CrossSettings,
    normalise: Literal["zscore", "range", "none"],
    freeze: bool,
    overwrite: bool,
) -> None:
    from farthing.learn.cross import finetune as learn
    from farthing.learn.cross.start import start_of

    found = learn.finetune(
        start_of(student),
        sets,
        output,
        settings,
        validation=validation,
        normalise=normalise,
        freeze=freeze,
        overwrite=overwrite,
    )
    best = found.scores.best
    values = ", ".join(f"{name} {value:.4f}" for name, value in found.scores.rows[best].items())
    common.say(f"{output}: epoch {best + 1} is the best; Pearson with people: {values}")


def _protocol(
    students: list[str],
    sets: list[Judged],
    output: Path,
    settings: CrossSettings,
    seeds: int,
    normalise: Literal["zscore", "range", "none"],
    freeze: bool,
    quiet: bool,
) -> None:
    from farthing.learn.cross.start import start_of
    from farthing.learn.study.protocol import as_rows, leave_one_out
    from farthing.tables.aligned import aligned

    cells = leave_one_out(
        {Path(one).name: start_of(one) for one in students},
        sets,
        output.with_name(f"{output.name}.run"),
        settings,
        seeds=seeds,
        normalise=normalise,
        freeze=freeze,
        say=(lambda text: None) if quiet else common.say,
    )
    show(aligned(as_rows(cells)))
