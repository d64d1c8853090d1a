"""Options that the commands of `farthing meta` share, in groups that a command takes as one parameter each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli import common
from farthing.app.cli.typed import Argument, Option
from farthing.core.errors import UsageError
from farthing.core.specs import Spec
from farthing.files.inputs import split
from farthing.tables.sheet import terminal_width

if TYPE_CHECKING:
    from farthing.meta.judgements import Judgements
    from farthing.meta.kept import ScoreStore
    from farthing.meta.scored import Scored
    from farthing.meta.study_run import StudyRun
    from farthing.report.results import Results

Test = Annotated[
    Literal["williams", "permutation", "bootstrap", "none"],
    Option("--test", help="Test metrics against each other."),
]
Resamples = Annotated[int, Option("--resamples", min=1, help="Permutations or bootstrap samples.")]
Count = Annotated[int, Option("--hybrids", min=3, help="How many hybrid systems are made in each group.")]
Matrix = Annotated[
    Path | None, Option("--matrix", help="Draw which metric beats which (needs --test): png, pdf or svg.")
]
Seed = Annotated[int, Option("--seed", min=0, help="Seed of all random draws.")]


@dataclass(frozen=True, slots=True)
class DataOptions:
    """The file and its columns."""

    data: Annotated[
        str,
        Argument(
            help="Human judgements: jsonl, tsv, csv (.gz too), parquet, or a folder as WMT publishes it.",
            completes="file",
        ),
    ]
    by: Annotated[
        str | None, Option("--by", help="Column of the groups, such as lp; none puts all rows into one group.")
    ] = None
    groups: Annotated[
        str | None, Option("--groups", help="Only these groups, with wildcards: cs-en,de-en or '*-en'.")
    ] = None
    system: Annotated[str | None, Option("--system", help="Column of the systems.")] = None
    segment: Annotated[str | None, Option("--segment", help="Column of the segments.")] = None
    candidate: common.CandidateColumn = None
    reference: common.ReferenceColumns = None
    source: common.SourceColumn = None

    def read(self, people: PeopleOptions, preferences: str | None = None) -> Judgements:
        """Read the judgements."""
        from farthing.core.columns import Columns
        from farthing.meta.read.formats import read_judgements
        from farthing.meta.read.human import HumanColumns

        text = Columns(self.candidate, tuple(split(self.reference)), self.source)
        human = (people.human,) if people.human else ()
        return read_judgements(
            self.data,
            HumanColumns(text, self.system, self.segment, self.by, human),
            judgements=people.judgements,
            preferences=preferences,
            references=people.ref,
            groups=split(self.groups),
        )


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """Where the human scores are."""

    human: Annotated[str | None, Option("--human", help="Column of human scores, such as score or scores.fluency.")] = (
        None
    )
    judgements: Annotated[
        str | None,
        Option("--judgements", help="A file with human scores of the outputs: columns lp, system, segment, score."),
    ] = None
    ref: Annotated[
        str | None, Option("-r", "--ref", help="A file with the references of a table of MQM errors, by seg_id.")
    ] = None


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Where the metrics' scores come from."""

    metrics: Annotated[str | None, common.MetricsOption] = None
    score_file: Annotated[
        list[str] | None,
        Option(
            "--score-file",
            help="Scores made elsewhere: name=file (one number per line) or name=table:column; may be given again.",
        ),
    ] = None
    lower: Annotated[str | None, Option("--lower", help="Names of score files in which lower is better.")] = None
    scores: Annotated[
        Path | None, Option("--scores", help="Folder that keeps scores; by default the user's cache.")
    ] = None
    fresh: Annotated[bool, Option("--fresh", help="Score again, even if scores were kept.")] = False
    quiet: common.Quiet = False

    def specs(self) -> list[Spec]:
        """Return the metrics to compute."""
        from farthing.meta.gathered import wanted_metrics

        return wanted_metrics(self.metrics, self.score_file or ())

    def store(self, run: StudyRun | None = None) -> ScoreStore:
        """Return the store of kept scores: the folder of the run, if there is one."""
        from farthing.meta.kept import ScoreStore

        folder = self.scores or (run and run.parts)
        return ScoreStore(folder, self.fresh) if folder else ScoreStore.usual(self.fresh)

    def gather(
        self, judgements: Judgements, run: StudyRun | None = None, specs: Sequence[Spec] | None = None
    ) -> list[Scored]:
        """Return the scores of all metrics.

        :param run: keeps them
        :param specs: the metrics to compute, if they are not those that the user named
        """
        from farthing.meta.gathered import gather_scores

        files, lower = self.score_file or (), split(self.lower)
        own = self.specs() if specs is None else specs
        if run is None:
            return gather_scores(judgements, own, files, lower, self.store())
        with run.resumable():
            found = gather_scores(judgements, own, files, lower, self.store(run))
            run.keep(judgements, found)
        return found


@dataclass(frozen=True, slots=True)
class ResultOptions:
    """How results are shown and where they go."""

    output_format: Annotated[
        Literal["table", "json", "csv", "latex"], Option("-f", "--format", help="Form of the result.")
    ] = "table"
    digits: common.Digits = None
    output: Annotated[
        Path | None,
        Option("-o", "--output", help="Write all results to a .json file for reports, or scores and results to run/."),
    ] = None
    overwrite: common.Overwrite = False

    def check(self, read: str, pictures: Sequence[Path | None] = ()) -> None:
        """Refuse a file or a picture that cannot be written, before the work is done.

        :param read: the file of judgements, which is never overwritten
        """
        from farthing.files.write import check_not_input
        from farthing.report.figure import check_figure_path
        from farthing.report.results import check_results_path

        if self.output is not None:
            check_results_path(self.output)
            check_not_input(self.output, [read])
        for picture in pictures:
            if picture is not None:
                check_figure_path(picture)

    def opened(
        self, judgements: Judgements, scoring: ScoreOptions | None = None, specs: Sequence[Spec] | None = None
    ) -> StudyRun | None:
        """Start or resume the run, if a folder was named for it.

        :param specs: the metrics to compute, if they are not those that the user named
        """
        from farthing.files.rows import is_folder
        from farthing.meta.study_run import StudyRun

        if self.output is None or not is_folder(self.output):
            return None
        own = (scoring.specs() if scoring else []) if specs is None else specs
        files = (scoring.score_file if scoring else None) or ()
        return StudyRun.open(self.output, judgements, own, files, overwrite=self.overwrite)

    def show(self, results: Results, run: StudyRun | None = None) -> str:
        """Write the results, and return what is printed."""
        if run is not None:
            run.close(results.document)
        elif self.output is not None:
            results.write(self.output)
        return results.printed(self.output_format, width=terminal_width(), digits=self.digits)


def check_matrix(matrix: Path | None, test: str) -> None:
    """Refuse a matrix of p-values without a test."""
    if matrix and test == "none":
        raise UsageError("--matrix shows p-values: name a test with --test")
