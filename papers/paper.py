"""Run the tables and figures of a paper, and keep what they print.

    make paper NAME=bertscore                   every caption that has no stored result yet
    make paper NAME=bertscore ITEM=table11      one of them, again
    make paper NAME=bertscore METRICS=light     with the metrics that need neither torch nor a model

Data and models are found in --human, --corpora and --models; what cannot be shared goes to --yours.
"""

from __future__ import annotations

import argparse
import csv
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalogue import RESULTS, Item, Paper, Result, ResultTable, paper_names


@dataclass(frozen=True)
class Places:
    """Where things are, by the names that commands use for them in braces."""

    folders: Mapping[str, Path]
    metrics: str

    def command(self, text: str) -> list[str]:
        """Return the arguments of a command."""
        named = {name: str(path) for name, path in self.folders.items()}
        return [argument.format(**named) for argument in shlex.split(text.replace("{metrics}", self.metrics))]

    def shown(self, text: str) -> str:
        """Return a command as the page shows it, with names in the place of folders."""
        names = {name: name.upper() for name in self.folders}
        return text.replace("{metrics}", self.metrics).format(**names)

    def tidied(self, text: str) -> str:
        """Take the folders out of what was printed."""
        for path in self.folders.values():
            text = text.replace(f"{path}/", "")
        return text


def run_item(paper: Paper, item: Item, places: Places) -> Result:
    """Run the commands of an item, and return what they print."""
    for text in item.first:
        target, command = _redirected(places.command(text))
        printed = _output(command)
        if target:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            Path(target).write_text(printed, encoding="utf-8")
    outputs = [places.tidied(_output(places.command(text))) for text in item.run]
    tables = [table for text in outputs for table in tables_of(text)]
    rest = "" if tables else "\n".join(outputs).strip()
    from farthing import __version__

    return Result([places.shown(text) for text in (*item.first, *item.run)], tables, rest, __version__)


def _redirected(command: list[str]) -> tuple[str, list[str]]:
    """Split `command > file` into the file and the command."""
    return (command[-1], command[:-2]) if ">" in command else ("", command)


def _output(command: Sequence[str]) -> str:
    first, *rest = command
    programs = {"farthing": [sys.executable, "-m", "farthing"], "python": [sys.executable]}
    done = subprocess.run(
        [*programs[first], *rest], capture_output=True, encoding="utf-8", check=False, env={**os.environ}
    )
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)}\n{done.stderr.strip()}")
    return done.stdout


def tables_of(text: str) -> list[ResultTable]:
    """Read CSV tables that are separated by empty lines; a text that is not of that form has none.

    >>> tables_of("metric,a\\nbleu,0.5\\n")
    [ResultTable(head=['metric', 'a'], rows=[['bleu', 0.5]])]
    >>> tables_of("no table")
    []
    """
    tables = []
    for block in text.strip().split("\n\n"):
        lines = list(csv.reader(block.splitlines()))
        if len(lines) < 2 or len({len(line) for line in lines}) > 1 or len(lines[0]) < 2:
            return []
        tables.append(ResultTable(lines[0], [[_cell(cell) for cell in line] for line in lines[1:]]))
    return tables


def _cell(text: str) -> str | float | None:
    try:
        return round(float(text), 6) if text else None
    except ValueError:
        return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("name", choices=paper_names())
    parser.add_argument("item", nargs="?", help="such as table11; by default all without a stored result")
    parser.add_argument("--metrics", default="full", help="a list of metrics in the paper's file: full or light")
    parser.add_argument("--heavy", action="store_true", help="also run what takes hours")
    for name in ("human", "corpora", "models", "yours", "build"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    paper = Paper.read(options.name)
    folders = {name: getattr(options, name).resolve() for name in ("human", "corpora", "models", "yours", "build")}
    here = Path(__file__).resolve().parent
    fixed = {"papers": here, "images": here.parent / "docs" / "images" / "papers"}
    places = Places({**folders, **fixed}, paper.metrics[options.metrics])
    fixed["images"].mkdir(parents=True, exist_ok=True)
    folders["build"].mkdir(parents=True, exist_ok=True)
    chosen = [paper.experiment(paper.items[options.item])] if options.item else waiting(paper, heavy=options.heavy)
    for item in chosen:
        print(f"{paper.name} {item.name}", flush=True)
        run_item(paper, item, places).write(RESULTS / paper.name / f"{item.name}.json")


def waiting(paper: Paper, *, heavy: bool) -> list[Item]:
    """Return the experiments that have no stored result."""
    items = [item for item in paper.items.values() if item.run and paper.result(item) is None]
    return [item for item in items if heavy or not item.heavy]


if __name__ == "__main__":
    main()
