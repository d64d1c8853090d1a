"""`farthing learn regress`: train an estimator, as COMET is one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli.common import CandidateColumn, Quiet, ReferenceColumns
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option

if TYPE_CHECKING:
    from farthing.core.types import Need
    from farthing.learn.data.humans import Judged
    from farthing.learn.regress.settings import RegressSettings
    from farthing.students.regressor import EstimatorShape

Inputs = Literal["reference+source", "reference", "source"]


@dataclass(frozen=True, slots=True)
class ShapeOptions:
    """How an estimator makes a score of the encoder's layers."""

    inputs: Annotated[Inputs, Option("--inputs", help="What candidates are compared with.")] = "reference+source"
    pooling: Annotated[
        Literal["mean", "max", "cls"], Option("--pooling", help="How one vector is made of those of the tokens.")
    ] = "mean"
    transform: Annotated[
        Literal["sparsemax", "softmax"], Option("--mix", help="How the weights of the layers are made to sum to 1.")
    ] = "sparsemax"
    hidden: Annotated[str, Option("--hidden", help="Widths of the head's hidden layers.")] = "384,128"

    def shape(self) -> EstimatorShape:
        """Return the shape that the options describe."""
        from farthing.core.errors import UsageError
        from farthing.students.regressor import EstimatorShape

        sides = tuple(self.inputs.split("+"))
        widths = self.hidden.split(",")
        if not all(width.strip().isdecimal() and int(width) for width in widths):
            raise UsageError(f"--hidden {self.hidden} is not a list of whole numbers above 0")
        return EstimatorShape(
            inputs=sides,  # type: ignore[arg-type]  # the option allows nothing else
            pooling=self.pooling,
            transform=self.transform,
            hidden=tuple(map(int, widths)),
        )


@dataclass(frozen=True, slots=True)
class RegressionOptions:
    """How an estimator is trained."""

    epochs: options.Epochs = 5
    batch: Annotated[int, Option("--batch", help="Rows per step.", min=1)] = 32
    rate: Annotated[float, Option("--rate", help="Learning rate of mix and head.")] = 3e-4
    encoder_rate: Annotated[float, Option("--encoder-rate", help="Learning rate of the encoder's last layer.")] = 3e-5
    decay: Annotated[float, Option("--decay", help="Share of its rate that each lower layer has.")] = 0.95
    frozen: Annotated[float, Option("--frozen", help="Epochs at the start in which the encoder stays as it is.")] = 0.3
    checks: Annotated[int, Option("--checks", help="Checks (and checkpoints) of a run.", min=1)] = 10
    patience: Annotated[int, Option("--patience", help="Stop after so many checks without a gain.", min=1)] = 2
    falling: Annotated[bool, Option("--falling", help="Let the rates fall to 0 towards the end.")] = False
    limit: Annotated[int, Option("--limit", help="Most tokens of a text.", min=8)] = 256
    seed: options.Seed = 1
    threads: options.Threads = None

    def settings(self) -> RegressSettings:
        """Return the settings that the options describe."""
        from farthing.learn.regress.settings import RegressSettings

        return RegressSettings(
            epochs=self.epochs, batch=self.batch, rate=self.rate, encoder_rate=self.encoder_rate, decay=self.decay,
            frozen=self.frozen, checks=self.checks, patience=self.patience, falling=self.falling,
            limit=self.limit, seed=self.seed, threads=self.threads,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Which rows and columns are learned from."""

    human: options.ScoreColumn = None
    by: Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all into one.")] = None
    groups: Annotated[str | None, Option("--groups", help='Only these groups, such as "*-en" or cs-en,de-en.')] = None
    candidate: CandidateColumn = None
    reference: ReferenceColumns = None
    source: Annotated[str | None, Option("--source", help="Column of the sources.")] = None

    def read(self, paths: list[str] | None, needs: tuple[Need, ...], quiet: bool) -> list[Judged]:
        """Read files of scored rows; those that cannot be used are reported."""
        from farthing.core.columns import Columns
        from farthing.files.inputs import split
        from farthing.learn.data.judgements import read_judged

        text = Columns(self.candidate, tuple(split(self.reference)), self.source)
        return [
            read_judged(
                path, human=self.human, by=self.by, groups=split(self.groups), text=text, needs=needs,
                log=options.log_of(quiet),
            )
            for path in paths or ()
        ]  # fmt: skip


def regress(
    data: Annotated[list[str], Argument(help="Scored rows, one file per data set; or what learn annotate wrote.")],
    rows: RowOptions,
    shape: ShapeOptions,
    training: RegressionOptions,
    origin: options.OriginOptions,
    encoder: Annotated[str, Option("--encoder", help="An encoder, or an estimator whose training goes on.")],
    output: options.TargetFolder = Path("estimator"),
    validation: Annotated[
        list[str] | None, Option("--validation", help="Other scored rows, to choose the best check on.")
    ] = None,
    adapter: options.AdapterChoice = None,
    augment: Annotated[
        bool, Option("--augment", help="Add outputs that fail as wholes: empty, cut off, gibberish …")
    ] = False,
    raw: Annotated[bool, Option("--raw", help="Learn the scores as they are, not standardised in each group.")] = False,
    overwrite: options.Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Train an estimator on scores. The same command resumes an interrupted run.

    Examples:
      farthing learn regress human.csv --encoder /models/minilm --inputs reference -o estimator
      farthing learn regress scored.parquet --encoder /models/e5 --adapter pfeiffer --augment -o cometinho
    """
    from farthing.learn.regress.regress import RegressPlan
    from farthing.learn.regress.regress import regress as trained

    wanted = shape.shape()
    facts = origin.facts(data, options.say)
    found = trained(
        encoder, rows.read(data, wanted.inputs, quiet), output, wanted, training.settings(),
        RegressPlan(raw, augment, adapter, facts), validation=rows.read(validation, wanted.inputs, quiet),
        overwrite=overwrite, log=options.log_of(quiet),
    )  # fmt: skip
    if found.history.is_main:
        held = found.facts["held_out"]
        shown = ", ".join(f"{name} {value:.4f}" for name, value in held.items()) if isinstance(held, dict) else ""
        options.say(
            f"{output}: {found.facts['trained_parameters']:,} of {found.facts['parameters']:,} parameters learned; "
            f"Kendall on held-out rows: {shown}"
        )
