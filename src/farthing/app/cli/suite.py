"""`farthing score FOLDER/`: every test set and language pair of a folder in one call."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from farthing.app.cli.common import OutputOptions, TextOptions
from farthing.core.errors import UsageError
from farthing.files.suite import read_suite
from farthing.scoring.output import Target
from farthing.scoring.score import Chosen
from farthing.scoring.suite import score_suite
from farthing.tables.sheet import terminal_width


def score_folder(
    texts: TextOptions,
    metrics: list[Chosen],
    others: Mapping[str, object],
    intervals: bool,
    seed: int,
    results: OutputOptions,
) -> str:
    """Score a folder of test sets and return what is printed.

    :param others: options that are for single test sets, with their values
    """
    if given := [name for name, value in others.items() if value]:
        raise UsageError(f"{given[0]} is for one test set, and {texts.systems[0]} is a folder of them: omit it")
    if len(texts.systems) > 1 or texts != TextOptions(texts.systems):
        raise UsageError(
            f"{texts.systems[0]} is a directory: name a file; or if it is a folder of test sets, which brings its own "
            "files, name it alone"
        )
    folders = read_suite(texts.systems[0])
    read = [path for one in folders for path in [*one.systems.values(), *one.references, one.source or "-"]]
    asked = results.output or results.with_texts
    target = Target.of(results.output, metrics, read, results.with_texts) if asked else Target()
    if target.run:
        raise UsageError(
            f"{results.output}: a run on disk holds one test set; name a .parquet, .jsonl, .csv or .tsv file"
        )
    found = score_suite(metrics, folders, intervals=intervals, seed=seed)
    if target.table:
        from farthing.files.write import write_table

        write_table(target.table, found.columns(target))
    color, width = sys.stdout.isatty(), terminal_width()
    return found.printed(results.output_format, color=color, width=width, digits=results.digits)
