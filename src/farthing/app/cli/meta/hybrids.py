"""`farthing meta hybrids`: how well do metrics agree with people over thousands of made-up systems?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from farthing.app.cli import common
from farthing.app.cli.meta import data as shared
from farthing.app.cli.meta.correlate import Resamples, Test, draw_matrix
from farthing.app.cli.typed import Option

Count = Annotated[int, Option("--hybrids", min=3, help="How many hybrid systems are made in each group.")]


def hybrids(
    data: shared.Data,
    metrics: shared.Metrics = None,
    score_file: shared.ScoreFiles = None,
    lower: shared.Lower = None,
    hybrids: Count = 10_000,
    statistic: Annotated[str, Option("--statistic", help="Any statistic of farthing meta correlate.")] = "pearson",
    test: Test = "none",
    resamples: Resamples = 1000,
    seed: shared.Seed = 0,
    human: shared.Human = None,
    judgements: shared.Judged = None,
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
    matrix: Annotated[Path | None, Option("--matrix", help="Draw who beats whom (needs --test).")] = None,
    quiet: common.Quiet = False,
) -> None:
    """Agreement with people over hybrid systems, which take each segment from a system drawn at random.

    Example: farthing meta hybrids judged.jsonl -m bleu,chrf --test williams
    """
    from farthing.core.errors import UsageError
    from farthing.meta.hybrid_study import correlate_hybrids
    from farthing.meta.study import Question, points
    from farthing.report.figure import check_figure_path
    from farthing.report.meta_documents import study_document
    from farthing.report.meta_tables import study_table

    shared.check_results(output)
    if matrix:
        check_figure_path(matrix)
        if test == "none":
            raise UsageError("--matrix shows p-values: name a test with --test")
    shared.wanted_specs(metrics, score_file)
    question = Question(statistic, test=None if test == "none" else test, resamples=resamples, seed=seed)
    origin = shared.Source(
        data, human, judgements, None, ref, by, groups, system, segment, candidate, reference, source
    )
    judged = origin.read()
    scored = shared.scored_metrics(judged, metrics, score_file, lower, shared.make_store(scores, fresh), quiet)
    found = correlate_hybrids(judged, scored, question, hybrids, seed, human)
    if matrix:
        draw_matrix(found, matrix)
    document = study_document(found, "meta-hybrids", judged.path, points(judged, found), hybrids=hybrids)
    table = study_table(found, f"{hybrids} hybrid systems, seed {seed}")
    shared.emit([table], [], document, output_format, output)
