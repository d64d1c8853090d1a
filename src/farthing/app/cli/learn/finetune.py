"""`farthing learn finetune`: train a student on human scores."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option
from farthing.core.errors import UsageError
from farthing.tables.sheet import terminal_width

if TYPE_CHECKING:
    from farthing.learn.cross.finetune import Finetuned
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.data.humans import Judged


@dataclass(frozen=True, slots=True)
class Method:
    """How human scores are learned."""

    normalise: Annotated[
        Literal["zscore", "range", "none"], Option("--normalise", help="How the scores of each set are scaled.")
    ] = "zscore"
    freeze: Annotated[
        bool, Option("--freeze", help="Train only the head, which suits little data and tiny students.")
    ] = False  # fmt: skip
    adapter: options.AdapterChoice = None
    against: options.AgainstChoice = "reference"


def finetune(
    data: Annotated[list[str], Argument(help="Judged pairs, one file per data set.")],
    people: options.PeopleOptions,
    method: Method,
    training: options.FinetuningOptions,
    origin: options.OriginOptions,
    student: Annotated[
        list[str] | None,
        Option("--student", help="A distilled folder, an encoder or a shape such as 2x128; may be given again."),
    ] = None,
    output: options.TargetFolder = Path("finetuned"),
    validation: Annotated[
        list[str] | None, Option("--validation", help="Other judged pairs, to choose the epoch on.")
    ] = None,
    leave_one_out: Annotated[
        bool, Option("--leave-one-out", help="The paper's Table 2: train on each set, test on each other.")
    ] = False,
    seeds: Annotated[int, Option("--seeds", help="Runs per cell of that table.", min=1)] = 3,
    overwrite: options.Overwrite = False,
    quiet: Quiet = False,
) -> str | None:
    """Fine-tune a student on scores of people or of a judge, and keep the best epoch.

    Examples:
      farthing learn finetune wmt15.jsonl --validation wmt16.jsonl --student student -o finetuned
      farthing learn finetune a.jsonl b.jsonl c.jsonl --leave-one-out --student /models/bert-tiny --student student
      farthing learn finetune verdicts.csv --against source --scored-by "MODEL-X, prompt direct" --student /models/e5
    """
    from farthing.learn.cross.start import start_of

    settings = replace(training.settings(), warm_up=0.0, checks=max(1, round(training.epochs)))
    students = student or ["2x128"]
    for name in students:  # a wrong name is told before anything is read
        start_of(name)
    log = options.log_of(quiet)
    sets, watched = (people.read(files, log, method.against) for files in (data, validation))
    if leave_one_out:
        if method.adapter:
            raise UsageError("--leave-one-out trains whole students: leave out --adapter")
        return _leave_one_out(students, sets, output, settings, method, seeds, quiet)
    if len(students) > 1:
        raise UsageError("give one --student, or --leave-one-out to compare several")
    from farthing.learn.cross import finetune as learn

    found = learn.finetune(
        start_of(students[0]), sets, output, settings, validation=watched, **asdict(method),
        facts=origin.facts(data, options.say), overwrite=overwrite, log=log,
    )  # fmt: skip
    _tell(found, output)
    return None


def _tell(found: Finetuned, output: Path) -> None:
    best = found.scores.best
    values = ", ".join(f"{name} {value:.4f}" for name, value in found.scores.rows[best].items())
    options.say(f"{output}: epoch {best + 1} is the best; Pearson with the scores: {values}")


def _leave_one_out(
    students: list[str],
    sets: list[Judged],
    output: Path,
    settings: CrossSettings,
    method: Method,
    seeds: int,
    quiet: bool,
) -> str:
    from farthing.learn.cross.start import start_of
    from farthing.learn.study import leave_one_out as study
    from farthing.tables.aligned import aligned

    starts = {Path(one).name: start_of(one) for one in students}
    scores = study.leave_one_out(
        starts, sets, output.with_name(f"{output.name}.run"), settings, seeds=seeds, normalise=method.normalise,
        freeze=method.freeze, log=options.log_of(quiet),
    )  # fmt: skip
    return aligned(study.transfer_rows(scores), width=terminal_width())
