"""`farthing meta hybrids`: how well do metrics agree with people over thousands of made-up systems?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta import data
from farthing.app.cli.meta.options import Count, Matrix, People, Resamples, Results, Scoring, Seed, Test, Where
from farthing.app.cli.typed import Option


def hybrids(
    where: Where,
    scoring: Scoring,
    people: People,
    results: Results,
    hybrids: Count = 10_000,
    statistic: Annotated[str, Option("--statistic", help="Any statistic of farthing meta correlate.")] = "pearson",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    matrix: Matrix = None,
) -> None:
    """Agreement with people over hybrid systems, which take each segment from a system drawn at random.

    Example: farthing meta hybrids judged.jsonl -m bleu,chrf --test williams
    """
    from farthing.meta.hybrid_study import correlate_hybrids
    from farthing.meta.study import Question, points
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_tables import study_table

    data.check_results(results, [matrix])
    data.check_matrix(matrix, test)
    data.wanted_specs(scoring)
    question = Question(statistic, test=None if test == "none" else test, resamples=resamples, seed=seed)
    judged = data.read(where, people)
    found = correlate_hybrids(judged, data.scored_metrics(judged, scoring), question, hybrids, seed, people.human)
    if matrix:
        data.draw_matrix(found, matrix)
    document = study_document(found, "meta-hybrids", judged.path, points(judged, found), hybrids=hybrids)
    data.emit([study_table(found, f"{hybrids} hybrid systems, seed {seed}")], document, results)
