"""`farthing meta correlate`: how well do metrics agree with people?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli.meta import data
from farthing.app.cli.meta.options import Matrix, People, Resamples, Results, Scoring, Seed, Test, Where
from farthing.app.cli.typed import Option

if TYPE_CHECKING:
    from farthing.meta.study import Points, Study

Statistic = Annotated[
    str | None,
    Option(
        "--statistic",
        help="pearson, spearman, kendall_b, kendall_c, kendall_like(threshold=25), accuracy(epsilon=0), "
        "accuracy_calibrated or soft_pairwise_accuracy; pearson unless said.",
    ),
]
Average = Annotated[
    Literal["none", "system", "item"] | None, Option("--average", help="Compare within systems or items.")
]
Preferences = Annotated[
    str | None, Option("--preferences", help="A table of better and worse systems: lp, segment, better, worse.")
]


def correlate(
    where: Where,
    scoring: Scoring,
    people: People,
    results: Results,
    statistic: Statistic = None,
    average: Average = None,
    level: Annotated[Literal["segment", "system"], Option("--level", help="Outputs or whole systems.")] = "segment",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: Seed = 0,
    preferences: Preferences = None,
    scatter: Annotated[Path | None, Option("--scatter", help="Draw metrics against people: png, pdf or svg.")] = None,
    matrix: Matrix = None,
) -> None:
    """Agreement of metrics with human scores, per group (language pair), mean and pooled.

    Example: farthing meta correlate wmt16.jsonl -m bleu,chrf --test williams
    """
    from farthing.meta.read.preferences import STATISTIC
    from farthing.meta.study import Question, points, study
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_tables import study_table

    data.check_results(results, (scatter, matrix))
    data.check_matrix(matrix, test)
    data.wanted_specs(scoring)
    prefers = bool(preferences) or data.only_prefers(where)
    question = Question(
        statistic or (STATISTIC if prefers else "pearson"),
        average or ("item" if prefers else "none"),
        level,
        None if test == "none" else test,
        resamples,
        seed,
    )
    judged = data.read(where, people, preferences)
    found = study(judged, data.scored_metrics(judged, scoring), question, people.human)
    shown = points(judged, found)
    if scatter:
        _draw_scatter(found, shown, scatter)
    if matrix:
        data.draw_matrix(found, matrix)
    data.emit([study_table(found)], study_document(found, "meta-correlate", judged.path, shown), results)


def _draw_scatter(found: Study, shown: Points, path: Path) -> None:
    from farthing.meta.study import POOLED
    from farthing.report.scatter import scatter

    captions = {}
    for metric in found.metrics:
        cells = found.cells[metric.name]
        whole = cells[POOLED].found if POOLED in cells else cells[found.groups[0]].found
        value = "" if whole is None else f" {whole.value:.3f}"
        direction = "" if metric.higher_is_better else " (lower is better)"
        captions[metric.name] = f"{metric.name}{direction}: {found.question.statistic}{value}"
    scatter(path, shown.human, shown.metrics, shown.groups, captions, f"human: {found.human}")
