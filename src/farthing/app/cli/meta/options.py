"""Options that the commands of `farthing meta` share, in groups that a command takes as one parameter each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli import common
from farthing.app.cli.typed import Argument, Option

Test = Annotated[
    Literal["williams", "permutation", "bootstrap", "none"], Option("--test", help="How metrics are told apart.")
]
Resamples = Annotated[int, Option("--resamples", min=1, help="Permutations or bootstrap samples.")]
Count = Annotated[int, Option("--hybrids", min=3, help="How many hybrid systems are made in each group.")]
Matrix = Annotated[Path | None, Option("--matrix", help="Draw who beats whom (needs --test): png, pdf or svg.")]
Seed = Annotated[int, Option("--seed", min=0, help="Seed of all that is drawn.")]


@dataclass(frozen=True, slots=True)
class Where:
    """The file and its columns."""

    data: Annotated[str, Argument(help="Human judgements: jsonl, tsv, csv (.gz too), parquet, or a folder of WMT's.")]
    by: Annotated[str | None, Option("--by", help="Column of the groups, such as lp; none puts all into one.")] = None
    groups: Annotated[str | None, Option("--groups", help="Only these groups, such as cs-en,de-en.")] = None
    system: Annotated[str | None, Option("--system", help="Column of the systems.")] = None
    segment: Annotated[str | None, Option("--segment", help="Column of the segments.")] = None
    candidate: common.CandidateColumn = None
    reference: common.ReferenceColumns = None
    source: common.SourceColumn = None


@dataclass(frozen=True, slots=True)
class People:
    """Where the human scores are."""

    human: Annotated[str | None, Option("--human", help="Column of human scores, such as score or scores.fluency.")] = (
        None
    )
    judgements: Annotated[
        str | None, Option("--judgements", help="A table of human scores for the outputs: lp, system, segment, score.")
    ] = None
    ref: Annotated[str | None, Option("-r", "--ref", help="References of a table of MQM errors, by seg_id.")] = None


@dataclass(frozen=True, slots=True)
class Scoring:
    """Where the metrics' scores come from."""

    metrics: Annotated[str | None, Option("-m", "--metrics", help="Metrics, such as: bleu,chrf(word_order=2)")] = None
    score_file: Annotated[
        list[str] | None,
        Option("--score-file", help="Scores made elsewhere: name=file (a number a line) or name=table:column; again."),
    ] = None
    lower: Annotated[str | None, Option("--lower", help="Names of score files in which lower is better.")] = None
    scores: Annotated[
        Path | None, Option("--scores", help="Folder in which scores are kept; by default the user's cache.")
    ] = None
    fresh: Annotated[bool, Option("--fresh", help="Score anew, whatever was kept.")] = False
    quiet: common.Quiet = False


@dataclass(frozen=True, slots=True)
class Results:
    """How results are shown and where they go."""

    output_format: Annotated[
        Literal["table", "json", "csv", "latex"], Option("-f", "--format", help="Form of the result.")
    ] = "table"
    output: Annotated[Path | None, Option("-o", "--output", help="Write all results to a .json file for reports.")] = (
        None
    )
