"""Options and habits that commands share."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from farthing.app.cli import typed
from farthing.core import registry
from farthing.core.errors import UnknownName, UsageError
from farthing.core.specs import Spec, parse_specs

if TYPE_CHECKING:
    from farthing.files.inputs import Inputs
    from farthing.meta.comparison import Comparison

Systems = Annotated[
    list[str], typed.Argument(help="One file a system: txt, tsv, csv, jsonl (.gz too) or parquet; - is standard input.")
]
References = Annotated[list[str] | None, typed.Option("-r", "--ref", help="A file of references; may be given again.")]
SourceFile = Annotated[str | None, typed.Option("-s", "--src", help="A file of sources.")]
Metrics = Annotated[str, typed.Option("-m", "--metrics", help="Metrics, such as: bleu,chrf(word_order=2)")]
CandidateColumn = Annotated[str | None, typed.Option("--candidate", help="Column of the candidates in a table.")]
ReferenceColumns = Annotated[
    str | None, typed.Option("--reference", help="Columns of the references, with commas between.")
]
SourceColumn = Annotated[str | None, typed.Option("--source", help="Column of the sources.")]
Names = Annotated[str | None, typed.Option("--names", help="Names of the systems, with commas between.")]
StdinFormat = Annotated[
    str, typed.Option("--stdin-format", help="Format of standard input: txt, tsv, csv, jsonl or parquet.")
]
Format = Annotated[str, typed.Option("--format", "-f", help="table, json, csv or latex.")]
Output = Annotated[
    Path | None, typed.Option("-o", "--output", help="Write a row a segment to a .parquet, .jsonl, .csv or .tsv file.")
]
CacheFolder = Annotated[
    str | None, typed.Option("--cache", help="Folder that keeps encodings from one run to the next.")
]
Seed = Annotated[int, typed.Option("--seed", help="Seed of the resampling.")]
Quiet = Annotated[bool, typed.Option("--quiet", "-q", help="No progress bar.")]


def load_metrics(text: str, encoder: str | None = None, cache: str | None = None) -> tuple[list[Any], list[str]]:
    """The metrics of a comma-separated list, and their specs; the same one twice is a mistake.

    :param encoder: the model of set metrics that do not name one
    :param cache: a folder in which encoders keep what they have encoded
    """
    specs = [_with_encoder(spec, encoder) for spec in parse_specs(text)]
    twice = [str(spec) for index, spec in enumerate(specs) if spec in specs[:index]]
    if twice:
        raise UsageError(f"the metric {twice[0]} is asked for twice")
    if cache is None:
        return [registry.load(spec) for spec in specs], [str(spec) for spec in specs]
    from farthing.encoders.cache import using_cache

    with using_cache(cache):
        return [registry.load(spec) for spec in specs], [str(spec) for spec in specs]


def _with_encoder(spec: Spec, encoder: str | None) -> Spec:
    if encoder is None or "model" in spec.options or registry.factory(spec.name).info.level != "set":  # type: ignore[attr-defined]
        return spec
    return Spec(spec.name, {**spec.options, "model": encoder})


def make_inputs(
    systems: Sequence[str],
    references: Sequence[str] | None,
    source: str | None,
    candidate_column: str | None,
    reference_columns: str | None,
    source_column: str | None,
    names: str | None,
    stdin_format: str,
) -> Inputs:
    """The input that the usual options describe."""
    from farthing.files.columns import Columns
    from farthing.files.inputs import Inputs

    columns = Columns(candidate_column, tuple(_split(reference_columns)), source_column)
    return Inputs(systems, references or (), source, columns, _split(names) or None, stdin_format)


def _split(text: str | None) -> list[str]:
    return [item.strip() for item in text.split(",")] if text else []


def check_choice(kind: str, value: str, choices: Sequence[str]) -> None:
    """Raise a sentence that lists the choices."""
    if value not in choices:
        raise UnknownName(kind, value, choices)


def show(text: str) -> None:
    """Results go to standard output."""
    sys.stdout.write(text + "\n")


def check_output(output_format: str, output: Path | None) -> None:
    """Refuse a format or an output file before the work is done, not after."""
    from farthing.report.table import FORMATS

    check_choice("format", output_format, list(FORMATS))
    if output:
        from farthing.files.write import check_table_path

        check_table_path(output)


def emit(found: Comparison, output_format: str, output: Path | None) -> None:
    """Write the segments where `-o` says, and show the whole; bold only on a screen."""
    from farthing.report.table import FORMATS, as_text

    if output:
        from farthing.report.segments import write_segments

        write_segments(output, found)
    show(as_text(found, color=sys.stdout.isatty()) if output_format == "table" else FORMATS[output_format](found))


@contextlib.contextmanager
def progress_bar(what: str, quiet: bool, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A bar on standard error that counts what it is told; silent unless standard error is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda count: progress.update(task, advance=count)
