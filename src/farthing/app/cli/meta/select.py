"""`farthing meta select`: which metric picks the system that people would have picked?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import common
from farthing.app.cli.meta import data as shared
from farthing.app.cli.meta.hybrids import Count
from farthing.app.cli.typed import Option


def select(
    data: shared.Data,
    metrics: shared.Metrics = None,
    score_file: shared.ScoreFiles = None,
    lower: shared.Lower = None,
    hybrids: Count = 10_000,
    draws: Annotated[int, Option("--draws", min=1, help="How often systems are drawn.")] = 100_000,
    drawn: Annotated[int, Option("--drawn", min=2, help="How many systems are drawn each time.")] = 100,
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
    quiet: common.Quiet = False,
) -> None:
    """Model selection among hybrid systems: Hits@1, mean reciprocal rank and the human score that is lost.

    Example: farthing meta select judged.jsonl -m bleu,chrf
    """
    from farthing.meta.hybrid_study import select_hybrids
    from farthing.report.meta_documents import selection_document
    from farthing.report.meta_tables import MEASURES, selection_notes, selection_table

    shared.check_results(output)
    shared.wanted_specs(metrics, score_file)
    origin = shared.Source(
        data, human, judgements, None, ref, by, groups, system, segment, candidate, reference, source
    )
    judged = origin.read()
    scored = shared.scored_metrics(judged, metrics, score_file, lower, shared.make_store(scores, fresh), quiet)
    found = select_hybrids(judged, scored, hybrids, draws, drawn, seed, human)
    tables = [selection_table(found, measure) for measure in MEASURES]
    shared.emit(tables, selection_notes(found), selection_document(found, judged.path), output_format, output)
