"""What `farthing mbr` and `farthing rerank` share: lists of candidates in, the best ones out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from farthing.app.cli import common, typed
from farthing.core.columns import Columns
from farthing.core.errors import OutputError, UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.nbest import NBest, with_sides
from farthing.files.lines import lines
from farthing.files.nbest import read_nbest
from farthing.files.write import write_text
from farthing.scoring.choices import Choices
from farthing.scoring.score import choose

Form: TypeAlias = Literal["text", "jsonl"]
OneMetric = Annotated[str, typed.Option("-m", "--metric", help="The metric that chooses.", completes="metric")]


@dataclass(frozen=True, slots=True)
class ListOptions:
    """The lists of candidates, and how they are read."""

    lists: Annotated[
        str,
        typed.Argument(
            help="A file of candidates: a table with a list in every row, or with one candidate per row and a segment "
            "id; or text with one candidate per line, lists apart by blank lines, by ids (id ||| text) or by --size."
        ),
    ]
    source_file: Annotated[str | None, typed.Option("-s", "--src", help="A file of sources, one per segment.")] = None
    size: Annotated[int | None, typed.Option("--size", help="Lines per list in a text file.", min=1)] = None
    candidate: common.CandidateColumn = None
    source: common.SourceColumn = None
    identity: Annotated[str | None, typed.Option("--id", help="Column of the segment ids.")] = None
    stdin_format: Annotated[
        str, typed.Option("--stdin-format", help="Format of standard input: txt, tsv, csv, jsonl or parquet.")
    ] = "txt"

    def read(self, references: tuple[str, ...] = ()) -> list[NBest]:
        """Read the lists and their sources.

        :param references: the columns of the references
        """
        sources = None if self.source_file is None else [text for _, text in lines(self.source_file)]
        columns = Columns(self.candidate, references, self.source, self.identity)
        segments = None if sources is None else len(sources)
        found = read_nbest(
            self.lists, columns=columns, size=self.size, segments=segments, stdin_format=self.stdin_format
        )
        return with_sides(found, sources=sources)


@dataclass(frozen=True, slots=True)
class ChoiceOptions:
    """What is written of the choices."""

    top: Annotated[int, typed.Option("--top", help="How many candidates to keep per segment.", min=1)] = 1
    form: Annotated[
        Form, typed.Option("--format", "-f", help="The texts alone, or one JSON object per segment with scores.")
    ] = "text"
    output: Annotated[
        Path | None, typed.Option("-o", "--output", help="Write to this file; .jsonl implies --format jsonl.")
    ] = None

    def check(self, *inputs: str | None) -> None:
        """Refuse, before any work is done, to write over an input."""
        if self.output and self.output.resolve() in [Path(path).resolve() for path in inputs if path]:
            raise OutputError(f"{self.output}: is an input of this command; name another file")

    def written(self, choices: Choices, quiet: bool) -> str | None:
        """Write the choices to their file, or return what is printed; notes and signature go to standard error."""
        if not quiet:
            told = [*(f"note: {note}" for note in choices.notes), str(choices.signature)]
            sys.stderr.write("".join(f"{line}\n" for line in told))
        form = "jsonl" if self.output and self.output.suffix == ".jsonl" else self.form
        text = "\n".join(_records(choices, self.top) if form == "jsonl" else _texts(choices, self.top))
        if self.output is None:
            return text
        write_text(self.output, f"{text}\n")
        return None


def load_one(spec: str, cache: str | None) -> Metric | SetMetric:
    """Load the one metric that chooses."""
    chosen = choose(spec, cache=cache)
    if len(chosen) > 1:
        raise UsageError(f"{len(chosen)} metrics were given, but one chooses")
    return chosen[0].metric


def _records(choices: Choices, top: int) -> Iterator[str]:
    for record in choices.to_dict():
        shown = {name: value for name, value in record.items() if top > 1 or name != "ranking"}
        yield json.dumps(shown, ensure_ascii=False)


def _texts(choices: Choices, top: int) -> Iterator[str]:
    """One line per chosen text; if several are kept per segment, a blank line after each segment but the last."""
    for number, choice in enumerate(choices):
        if any("\n" in text or "\r" in text for text in choice.texts):
            raise UsageError(f"a text of segment {number + 1} has a line break: use --format jsonl")
        yield from ("",) if number and top > 1 else ()
        yield from choice.texts
