"""`farthing meta correlate`: how well do metrics agree with people?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from farthing.app.cli.meta.options import (
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

Statistic = Annotated[
    str | None,
    Option(
        "--statistic",
        help="pearson (the default), spearman, kendall_b, kendall_c, kendall_like(threshold=25), accuracy(epsilon=0), "
        "accuracy_calibrated or soft_pairwise_accuracy.",
    ),
]
Averaged = Literal["none", "system", "item"]
Average = Annotated[Averaged | None, Option("--average", help="Compare only within systems or items.")]
Preferences = Annotated[
    str | None,
    Option("--preferences", help="A file with better and worse systems: columns lp, segment, better, worse."),
]

OverOption = Annotated[
    str | None, Option("--over", help="Try values of an option of the metrics, and name the best: k=1,2,3.")
]


def correlate(
    data: DataOptions,
    scoring: ScoreOptions,
    people: PeopleOptions,
    results: ResultOptions,
    statistic: Statistic = None,
    average: Average = None,
    level: Annotated[Literal["segment", "system"], Option("--level", help="Outputs or whole systems.")] = "segment",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    preferences: Preferences = None,
    scatter: Annotated[Path | None, Option("--scatter", help="Draw metrics against people: png, pdf or svg.")] = None,
    matrix: Matrix = None,
    over: OverOption = None,
) -> str:
    """Measure how well metrics agree with human scores, per group (language pair), on average and pooled.

    Metrics of whole sets, such as markevaluate, are compared at --level system: a system's outputs are one set.
    Examples:
      farthing meta correlate wmt16.jsonl -m bleu,chrf --test williams
      farthing meta correlate wmt18.jsonl --level system -m "markevaluate(part=petersen),fid" --over k=1,2,3
    """
    from farthing.meta.over import Over, spread_specs, with_best
    from farthing.meta.points import scatter_points
    from farthing.meta.question import Question
    from farthing.meta.read.formats import only_prefers
    from farthing.meta.study import study
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_pictures import draw_matrix, draw_scatter
    from farthing.report.meta_tables import study_table
    from farthing.report.results import Results

    results.check(data.data, [scatter, matrix])
    check_matrix(matrix, test)
    tried = Over.of(over) if over else None
    specs = spread_specs(scoring.specs(), tried)
    counted, within = _usual(statistic, average, bool(preferences) or only_prefers(data.data))
    question = Question(counted, within, level, None if test == "none" else test, resamples, seed)
    judged = data.read(people, preferences)
    run = results.opened(judged, scoring, specs)
    found = with_best(study(judged, scoring.gather(judged, run, specs), question, people.human), scoring.specs(), tried)
    points = scatter_points(judged, found)
    if scatter:
        draw_scatter(scatter, found, points)
    if matrix:
        draw_matrix(matrix, found)
    document = study_document(found, "meta-correlate", judged.path, points)
    return results.show(Results([study_table(found)], document), run)


def _usual(statistic: str | None, average: Averaged | None, prefers: bool) -> tuple[str, Averaged]:
    """Fill in what was not asked for.

    :param prefers: people have said which of two outputs is better, not how good each is
    """
    from farthing.meta.read.preferences import STATISTIC

    return statistic or (STATISTIC if prefers else "pearson"), average or ("item" if prefers else "none")
