"""Options that the commands of `farthing meta` share, in groups that a command takes as one parameter each."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

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


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters of the kinds above are taken apart into their options."""
    hints = typing.get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters = [
        one
        for parameter in inspect.signature(function).parameters.values()
        for one in (_parameters(groups[parameter.name]) if parameter.name in groups else [_typed(parameter, hints)])
    ]

    def command(**given: Any) -> None:
        taken = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)}) for name, kind in groups.items()
        }
        function(**taken, **given)

    command.__doc__, command.__name__ = function.__doc__, function.__name__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _parameters(kind: Any) -> list[inspect.Parameter]:
    hints = typing.get_type_hints(kind, include_extras=True)
    empty = inspect.Parameter.empty
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
    ]


def _typed(parameter: inspect.Parameter, hints: dict[str, Any]) -> inspect.Parameter:
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[parameter.name])
