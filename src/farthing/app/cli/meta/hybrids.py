"""`farthing meta hybrids`: how well do metrics agree with people over thousands of made-up systems?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli.meta.options import (
    Count,
    DataOptions,
    Matrix,
    PeopleOptions,
    Resamples,
    ResultOptions,
    ScoreOptions,
    Seed,
    Test,
    check_matrix,
)
from farthing.app.cli.typed import Option


def hybrids(
    data: DataOptions,
    scoring: ScoreOptions,
    people: PeopleOptions,
    results: ResultOptions,
    hybrids: Count = 10_000,
    statistic: Annotated[str, Option("--statistic", help="Any statistic of farthing meta correlate.")] = "pearson",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    matrix: Matrix = None,
) -> str:
    """Measure agreement with people over hybrid systems, which take each segment from a randomly drawn system.

    Example: farthing meta hybrids judged.jsonl -m bleu,chrf --test williams
    """
    from farthing.meta.hybrid_study import correlate_hybrids
    from farthing.meta.points import scatter_points
    from farthing.meta.question import Question
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_pictures import draw_matrix
    from farthing.report.meta_tables import study_table
    from farthing.report.results import Results

    results.check(data.data, [matrix])
    check_matrix(matrix, test)
    scoring.specs()
    question = Question(statistic, test=None if test == "none" else test, resamples=resamples, seed=seed)
    judged = data.read(people)
    run = results.opened(judged, scoring)
    found = correlate_hybrids(judged, scoring.gather(judged, run), question, hybrids, seed, people.human)
    if matrix:
        draw_matrix(matrix, found)
    points = scatter_points(judged, found)
    document = study_document(found, "meta-hybrids", judged.path, points, hybrids=hybrids)
    return results.show(Results([study_table(found, f"{hybrids} hybrid systems, seed {seed}")], document), run)
