"""`farthing meta correlate`: how well do metrics agree with people?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from farthing.app.cli import common
from farthing.app.cli.meta import data as shared
from farthing.app.cli.typed import Option

if TYPE_CHECKING:
    from farthing.meta.study import Points, Study

Test = Annotated[
    Literal["williams", "permutation", "bootstrap", "none"], Option("--test", help="How metrics are told apart.")
]
Resamples = Annotated[int, Option("--resamples", min=1, help="Permutations or bootstrap samples.")]


def correlate(
    data: shared.Data,
    metrics: shared.Metrics = None,
    score_file: shared.ScoreFiles = None,
    lower: shared.Lower = None,
    statistic: Annotated[
        str | None,
        Option(
            "--statistic",
            help="pearson, spearman, kendall_b, kendall_c, kendall_like(threshold=25), accuracy(epsilon=0), "
            "accuracy_calibrated or soft_pairwise_accuracy; pearson unless said.",
        ),
    ] = None,
    average: Annotated[
        Literal["none", "system", "item"] | None, Option("--average", help="Compare within systems or items.")
    ] = None,
    level: Annotated[Literal["segment", "system"], Option("--level", help="Outputs or whole systems.")] = "segment",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: shared.Seed = 0,
    human: shared.Human = None,
    judgements: shared.Judged = None,
    preferences: shared.Better = None,
    ref: shared.ReferenceFile = None,
    by: shared.By = None,
    groups: shared.Groups = None,
    system: shared.SystemColumn = None,
    segment: shared.SegmentColumn = None,
    candidate: common.CandidateColumn = None,
    reference: common.ReferenceColumns = None,
    source: common.SourceColumn = None,
    scores: shared.Kept = None,
    fresh: shared.Fresh = False,
    output_format: shared.Format = "table",
    output: shared.Results = None,
    scatter: Annotated[Path | None, Option("--scatter", help="Draw metrics against people: png, pdf, svg.")] = None,
    matrix: Annotated[Path | None, Option("--matrix", help="Draw who beats whom (needs --test).")] = None,
    quiet: common.Quiet = False,
) -> None:
    """Agreement of metrics with human scores, per group (language pair), mean and pooled.

    Example: farthing meta correlate wmt16.jsonl -m bleu,chrf --test williams
    """
    from farthing.core.errors import UsageError
    from farthing.meta.preferences import STATISTIC
    from farthing.meta.study import Question, points, study
    from farthing.report.figure import check_figure_path
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_tables import study_table

    shared.check_results(output)
    for picture in filter(None, (scatter, matrix)):
        check_figure_path(picture)
    if matrix and test == "none":
        raise UsageError("--matrix shows p-values: name a test with --test")
    shared.wanted_specs(metrics, score_file)
    origin = shared.Source(
        data, human, judgements, preferences, ref, by, groups, system, segment, candidate, reference, source
    )
    prefers = origin.prefers()
    question = Question(
        statistic or (STATISTIC if prefers else "pearson"),
        average or ("item" if prefers else "none"),
        level,
        None if test == "none" else test,
        resamples,
        seed,
    )
    judged = origin.read()
    scored = shared.scored_metrics(judged, metrics, score_file, lower, shared.make_store(scores, fresh), quiet)
    found = study(judged, scored, question, human)
    shown = points(judged, found)
    if scatter:
        _draw_scatter(found, shown, scatter)
    if matrix:
        draw_matrix(found, matrix)
    document = study_document(found, "meta-correlate", judged.path, shown)
    shared.emit([study_table(found)], [], document, output_format, output)


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


def draw_matrix(found: Study, path: Path) -> None:
    """One significance matrix a group."""
    from farthing.core.errors import UsageError
    from farthing.report.matrix import significance_matrix

    if not found.p_values:
        raise UsageError("there are no p-values to draw: give at least two metrics that can be tested")
    values = {
        group: [None if (cell := found.cells[m.name][group].found) is None else cell.value for m in found.metrics]
        for group in found.p_values
    }
    names = [metric.name for metric in found.metrics]
    significance_matrix(path, found.p_values, names, values, found.question.alpha)
