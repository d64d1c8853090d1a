"""`farthing learn table`: what the students keep of their teacher."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from farthing.app.cli import typed
from farthing.app.cli.common import Quiet, show
from farthing.app.cli.learn import common
from farthing.tables.aligned import aligned

if TYPE_CHECKING:
    from farthing.learn.study.table import Measured, Summary


def table(
    data: Annotated[list[str], typed.Argument(help="Judged pairs, one file a data set.")],
    teacher: Annotated[str, typed.Option("--teacher", help="The metric that was learnt.")],
    student: Annotated[list[str], typed.Option("--student", help="A student's folder or spec; may be given again.")],
    other: Annotated[
        list[str] | None, typed.Option("--metric", help="Any other metric to show; may be given again.")
    ] = None,
    column: Annotated[str | None, typed.Option("--human", help="The column of human scores.")] = None,
    only: Annotated[
        str | None, typed.Option("--only", help="The groups (language pairs) that end so, such as -en.")
    ] = None,
    output: Annotated[Path | None, typed.Option("-o", "--output", help="Also write everything as JSON.")] = None,
    quiet: Quiet = False,
) -> None:
    """Agreement with people and with the teacher, runtime and parameters (the paper's Table 1).

    Then, for every student: performance retained, speed-up, parameter ratio.
    Example: farthing learn table wmt16.jsonl --teacher "bertscore(model=…)" --student student --metric chrf
    """
    from farthing.files.write import write_text
    from farthing.learn.data.humans import read_judged
    from farthing.learn.study.table import measure_table, summarise

    sets = [read_judged(path, column, only) for path in data]
    rows = measure_table(sets, teacher, student, other or (), (lambda text: None) if quiet else common.say)
    summary = summarise(rows)
    if output:
        content = {"rows": [asdict(row) for row in rows], "summary": [asdict(one) for one in summary]}
        write_text(output, json.dumps(content, indent=2) + "\n")
    show(aligned([_shown(row) for row in rows]) + "\n\n" + aligned([_summary(one) for one in summary]))


def _short(name: str) -> str:
    """A spec with the last part of its folder only."""
    return name if "/" not in name else f"{name.partition('=')[0]}={name.rpartition('/')[2]}"


def _shown(row: Measured) -> dict[str, str]:
    cells = {"": _short(row.name), "role": row.role}
    for name in row.human:
        cells[f"people:{name}"] = f"{100 * row.human[name]:.1f}"
        cells[f"teacher:{name}"] = f"{100 * row.teacher[name]:.1f}"
    return {**cells, "seconds": f"{row.seconds:.2f}", "parameters": f"{row.parameters / 1e6:.1f}M"}


def _summary(one: Summary) -> dict[str, str]:
    return {
        "student": _short(one.name),
        "performance retained": f"{100 * one.retained:.1f} %",
        "speed-up": f"{one.speed_up:.1f}x",
        "parameters": f"{one.parameter_ratio:.1f}x fewer",
    }
