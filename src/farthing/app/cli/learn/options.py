"""Options that the commands of `farthing learn` share, in groups that a command takes as one parameter each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from farthing.app.cli.common import CandidateColumn, ReferenceColumns
from farthing.app.cli.typed import Option
from farthing.core.columns import SOURCE, Columns
from farthing.core.progress import Log, silent_log
from farthing.core.types import Need
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
AgainstChoice = Annotated[
    Need, Option("--against", help="What candidates are compared with: their column of this name.")
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
class OriginOptions:
    """Where the scores that a student learns from come from; its card tells."""

    scored_by: Annotated[
        str | None, Option("--scored-by", help="Who gave the scores, for the card: a judge, its prompt and the date.")
    ] = None
    licence: Annotated[str | None, Option("--licence", help="The licence, for the card.")] = None

    def facts(self, paths: Sequence[str], log: Log) -> dict[str, object]:
        """Return the facts for the student's folder; kept verdicts and annotated pairs name their judge or teacher."""
        from farthing.learn.data.provenance import teacher_facts

        return {**teacher_facts(paths, log, self.scored_by), **({"licence": self.licence} if self.licence else {})}


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """Which human scores of a file of judged pairs are used."""

    human: ScoreColumn = None
    by: Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all into one.")] = None
    groups: Annotated[str | None, Option("--groups", help='Only these groups, such as "*-en" or cs-en,de-en.')] = None
    candidate: CandidateColumn = None
    reference: ReferenceColumns = None

    def read(self, paths: Sequence[str] | None, log: Log, against: Need = "reference") -> list[Judged]:
        """Read files of judged pairs; rows that cannot be used are reported to the log.

        :param against: what candidates are compared with
        """
        from farthing.files.inputs import split
        from farthing.learn.data.judgements import read_judged

        text, groups = compared_columns(self.candidate, self.reference, against), split(self.groups)
        return [
            read_judged(path, human=self.human, by=self.by, groups=groups, text=text, log=log) for path in paths or ()
        ]


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Which columns of a table hold the pairs and their scores."""

    score: ScoreColumn = None
    candidate: CandidateColumn = None
    reference: ReferenceColumns = None

    def columns(self, against: Need = "reference") -> Columns:
        """Return the columns of texts that the options name."""
        return compared_columns(self.candidate, self.reference, against)


def compared_columns(candidate: str | None, reference: str | None, against: Need) -> Columns:
    """Return the columns of candidates and of what they are compared with; sources are read as references are."""
    from farthing.files.inputs import split

    return Columns(candidate, tuple(split(reference)) or (SOURCE[:1] if against == "source" else ()))


def say(text: str) -> None:
    """Print a line for the person at the terminal on standard error; results go to standard output."""
    sys.stderr.write(text + "\n")


def log_of(quiet: bool) -> Log:
    """Return what takes the lines about progress: standard error, or nothing."""
    return silent_log if quiet else say
