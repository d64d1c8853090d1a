"""`farthing meta disagree`: which outputs do metrics and people see differently?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta.options import DataOptions, PeopleOptions, ResultOptions, ScoreOptions
from farthing.app.cli.typed import Option
from farthing.core.specs import parse_specs


def disagree(
    data: DataOptions,
    scoring: ScoreOptions,
    people: PeopleOptions,
    results: ResultOptions,
    top: Annotated[int, Option("--top", min=1, help="How many outputs are listed for each pair of judges.")] = 5,
    between: Annotated[
        str | None, Option("--between", help="Compare only these: metrics of -m, and people for the human scores.")
    ] = None,
) -> str:
    """List the outputs that one metric ranks high and another one, or people, low.

    Examples:
      farthing meta disagree wmt16.jsonl -m bleu,frugalscore --top 3
      farthing meta disagree wmt16.jsonl -m bleu,chrf --between bleu,people --format json
    """
    from farthing.meta.disagreement import study_disagreements
    from farthing.report.disagreements import disagreement_document, disagreement_notes, disagreement_tables
    from farthing.report.results import Results

    results.check(data.data)
    scoring.specs()
    chosen = [str(spec) for spec in parse_specs(between)] if between else []
    judged = data.read(people)
    run = results.opened(judged, scoring)
    found = study_disagreements(judged, scoring.gather(judged, run), people.human, top, chosen)
    document = disagreement_document(found, judged.path)
    return results.show(Results(disagreement_tables(found), document, disagreement_notes(found)), run)
