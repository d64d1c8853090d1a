"""`farthing meta select`: which metric picks the system that people would have picked?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta.options import Count, DataOptions, PeopleOptions, ResultOptions, ScoreOptions, Seed
from farthing.app.cli.typed import Option


def select(
    data: DataOptions,
    scoring: ScoreOptions,
    people: PeopleOptions,
    results: ResultOptions,
    hybrids: Count = 10_000,
    draws: Annotated[int, Option("--draws", min=1, help="How often systems are drawn.")] = 100_000,
    drawn: Annotated[int, Option("--drawn", min=2, help="How many systems are drawn each time.")] = 100,
    seed: Seed = 0,
) -> str:
    """Let metrics select among hybrid systems: Hits@1, mean reciprocal rank and the human score that is lost.

    Example: farthing meta select judged.jsonl -m bleu,chrf
    """
    from farthing.meta.hybrid_study import select_hybrids
    from farthing.report.meta_documents import selection_document
    from farthing.report.meta_tables import MEASURES, selection_notes, selection_table
    from farthing.report.results import Results

    results.check(data.data)
    scoring.specs()
    judged = data.read(people)
    run = results.opened(judged, scoring)
    found = select_hybrids(judged, scoring.gather(judged, run), hybrids, draws, drawn, seed, people.human)
    tables = [selection_table(found, measure) for measure in MEASURES]
    return results.show(Results(tables, selection_document(found, judged.path), selection_notes(found)), run)
