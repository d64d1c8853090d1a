"""`farthing learn table`: show what the students retain of their teacher."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli.common import Quiet
from farthing.app.cli.learn import options
from farthing.app.cli.typed import Argument, Option
from farthing.tables.aligned import aligned
from farthing.tables.sheet import terminal_width


def table(
    data: Annotated[list[str], Argument(help="Judged pairs, one file per data set.")],
    teacher: Annotated[str, Option("--teacher", help="The metric that was learned.", completes="metric")],
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
    from farthing.learn.study import table as study

    others = [str(spec) for spec in parse_specs(metrics)] if metrics else []
    log = options.log_of(quiet)
    rows = study.measure_table(people.read(data, log), teacher, student, others, log)
    if output:
        study.write_measures(output, rows)
    return (
        aligned(study.measure_rows(rows), width=terminal_width())
        + "\n\n"
        + aligned(study.summary_rows(study.summarise(rows)), width=terminal_width())
    )
