"""Options that the commands of `farthing learn` share, in groups that a command takes as one parameter each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from farthing.app.cli.common import CandidateColumn, ReferenceColumns
from farthing.app.cli.typed import Option
from farthing.core.columns import Columns
from farthing.core.progress import Log, silent_log
from farthing.learn.adapters.methods import AdapterMethod

if TYPE_CHECKING:
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.cross.start import Start
    from farthing.learn.data.humans import Judged

ScoreColumn = Annotated[
    str | None, Option("--human", "--score", help="Column of the scores, such as score or judges.gpt4.")
]
TargetFolder = Annotated[Path, Option("-o", "--output", help="The folder to write.")]
Overwrite = Annotated[bool, Option("--overwrite", help="Replace the folder if it already exists.")]
Epochs = Annotated[float, Option("--epochs", help="Passes over the pairs.")]
Rate = Annotated[float, Option("--rate", help="Highest learning rate.")]
Seed = Annotated[int, Option("--seed", help="Seed of everything that is drawn.")]
Threads = Annotated[int | None, Option("--threads", help="Cores to use.", min=1)]
Depth = Annotated[int | None, Option("--depth", help="Keep only the first N layers of the student.", min=1)]
Standardise = Annotated[
    bool, Option("--standardise", help="Learn standardised scores (faster); the head gives them back on their scale.")
]
AdapterChoice = Annotated[
    AdapterMethod | None,
    Option("--adapter", help="Train only an adapter inside the encoder, and the head."),
]
JudgementFiles = Annotated[
    list[str] | None, Option("--judgements", help="A file of judged pairs; may be given again.")
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What a cross-encoder starts from."""

    student: Annotated[
        str,
        Option("--student", help="An encoder's folder or name, or layers x width: 2x128, 4x256, 4x512, 8x512."),
    ] = "2x128"
    depth: Depth = None
    tokenizer: Annotated[
        str | None, Option("--tokenizer", help="For a shape: the folder whose tokenizer it uses.")
    ] = None  # fmt: skip

    def start(self) -> Start:
        """Return the start that the options describe; a name that does not exist is an error."""
        from farthing.learn.cross.start import start_of

        return start_of(self.student, self.depth, self.tokenizer)


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How a cross-encoder is trained."""

    epochs: Epochs = 3
    batch: Annotated[int, Option("--batch", help="Pairs per step.", min=1)] = 32
    rate: Rate = 3e-5
    limit: Annotated[int, Option("--limit", help="Most tokens of a pair.", min=8)] = 256
    seed: Seed = 1
    threads: Threads = None

    def settings(self) -> CrossSettings:
        """Return the settings that the options describe."""
        from farthing.learn.cross.settings import CrossSettings

        return CrossSettings(
            epochs=self.epochs,
            batch=self.batch,
            rate=self.rate,
            limit=self.limit,
            seed=self.seed,
            threads=self.threads,
        )


@dataclass(frozen=True, slots=True)
class FinetuningOptions(TrainingOptions):
    """How a cross-encoder is trained on human scores."""

    epochs: Epochs = 4
    rate: Rate = 2e-5


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """Which human scores of a file of judged pairs are used."""

    human: ScoreColumn = None
    by: Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all into one.")] = None
    groups: Annotated[str | None, Option("--groups", help='Only these groups, such as "*-en" or cs-en,de-en.')] = None
    candidate: CandidateColumn = None
    reference: ReferenceColumns = None

    def read(self, paths: Sequence[str] | None, log: Log) -> list[Judged]:
        """Read files of judged pairs; rows that cannot be used are reported to the log."""
        from farthing.files.inputs import split
        from farthing.learn.data.judgements import read_judged

        text, groups = Columns(self.candidate, tuple(split(self.reference))), split(self.groups)
        return [
            read_judged(path, human=self.human, by=self.by, groups=groups, text=text, log=log) for path in paths or ()
        ]


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Which columns of a table hold the pairs and their scores."""

    score: ScoreColumn = None
    candidate: CandidateColumn = None
    reference: ReferenceColumns = None

    def columns(self) -> Columns:
        """Return the columns of texts that the options name."""
        from farthing.files.inputs import split

        return Columns(self.candidate, tuple(split(self.reference)))


def say(text: str) -> None:
    """Print a line for the person at the terminal on standard error; results go to standard output."""
    sys.stderr.write(text + "\n")


def log_of(quiet: bool) -> Log:
    """Return what takes the lines about progress: standard error, or nothing."""
    return silent_log if quiet else say
