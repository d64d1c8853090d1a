"""`farthing meta select`: which metric picks the system that people would have picked?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta import data
from farthing.app.cli.meta.options import Count, People, Results, Scoring, Seed, Where
from farthing.app.cli.typed import Option


def select(
    where: Where,
    scoring: Scoring,
    people: People,
    results: Results,
    hybrids: Count = 10_000,
    draws: Annotated[int, Option("--draws", min=1, help="How often systems are drawn.")] = 100_000,
    drawn: Annotated[int, Option("--drawn", min=2, help="How many systems are drawn each time.")] = 100,
    seed: Seed = 0,
) -> None:
    """Model selection among hybrid systems: Hits@1, mean reciprocal rank and the human score that is lost.

    Example: farthing meta select judged.jsonl -m bleu,chrf
    """
    from farthing.meta.hybrid_study import select_hybrids
    from farthing.report.meta_documents import selection_document
    from farthing.report.meta_tables import MEASURES, selection_notes, selection_table

    data.check_results(results)
    data.wanted_specs(scoring)
    judged = data.read(where, people)
    scored = data.scored_metrics(judged, scoring)
    found = select_hybrids(judged, scored, hybrids, draws, drawn, seed, people.human)
    tables = [selection_table(found, measure) for measure in MEASURES]
    data.emit(tables, selection_document(found, judged.path), results, selection_notes(found))
