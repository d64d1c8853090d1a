"""`farthing learn table`: show what the students retain of their teacher."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option
from farthing.tables.aligned import aligned
from farthing.tables.sheet import terminal_width

if TYPE_CHECKING:
    from farthing.learn.study.table import MetricMeasures


def table(
    data: Annotated[list[str], Argument(help="Judged pairs, one file per data set.")],
    teacher: Annotated[
        list[str], Option("--teacher", help="The metric that was learned; may be given again.", completes="metric")
    ],
    student: Annotated[list[str], Option("--student", help="A student's folder or spec; may be given again.")],
    people: options.PeopleOptions,
    metrics: Annotated[
        str | None,
        Option("-m", "--metrics", help="Other metrics to show, such as bleu,chrf.", joined=True, completes="metric"),
    ] = None,
    output: Annotated[Path | None, Option("-o", "--output", help="Also write everything as JSON.")] = None,
    quiet: Quiet = False,
) -> str:
    """Show the agreement with people and with the teacher, the runtime and the parameters (the paper's Table 1).

    Then, for every student: performance retained, speed-up, parameter ratio.
    Example: farthing learn table wmt16.jsonl --teacher "bertscore(model=FOLDER)" --student student -m chrf
    """
    from farthing.core.specs import parse_specs
    from farthing.files.write import check_not_input
    from farthing.learn.study import table as study

    if output:
        check_not_input(output, data)
    others = [str(spec) for spec in parse_specs(metrics)] if metrics else []
    log = options.log_of(quiet)
    tables = study.measure_tables(people.read(data, log), teacher, student, others, log)
    if output:
        study.write_measures(output, *tables.values())
    parts = [part for rows in tables.values() for part in (study.measure_rows(rows), _summary(rows))]
    return "\n\n".join(aligned(part, width=terminal_width()) for part in parts)


def _summary(rows: Sequence[MetricMeasures]) -> list[dict[str, str]]:
    from farthing.learn.study.table import summarise, summary_rows

    return summary_rows(summarise(rows))
