"""`farthing meta robustness`: what do metrics miss?"""

from __future__ import annotations

from typing import Annotated, Literal

from farthing.app.cli import common
from farthing.app.cli.common import progress_bar
from farthing.app.cli.meta import data as shared
from farthing.app.cli.typed import Option


def robustness(
    data: shared.Data,
    metrics: shared.Metrics = None,
    labels: Annotated[
        str | None, Option("--labels", help="Column of labels 1 (paraphrase) and 0: the area under the ROC curve.")
    ] = None,
    score_file: shared.ScoreFiles = None,
    lower: shared.Lower = None,
    changes: Annotated[
        str | None,
        Option(
            "--changes", help="negation,number,name,antonym,word order,neighbours,drop,repeat,typo; all unless said."
        ),
    ] = None,
    good: Annotated[
        Literal["auto", "reference", "identical", "harmless"], Option("--good", help="What the good text is.")
    ] = "auto",
    seed: shared.Seed = 0,
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
    """Does a metric notice what changes the meaning?

    Without --labels your references are damaged in known ways, and each metric is asked which text it prefers.
    With --labels it is asked to tell paraphrases from sentences that only look alike, as in PAWS.

    Example: farthing meta robustness pawsx.jsonl -m bleu,chrf --labels score
    """
    from farthing.core.errors import UsageError
    from farthing.meta.robustness_study import study_changes, study_paraphrases
    from farthing.report import meta_documents, meta_tables

    shared.check_results(output)
    specs = shared.wanted_specs(metrics, score_file if labels else None)
    if score_file and not labels:
        raise UsageError("score files cannot score damaged texts: give metrics with -m, or --labels")
    origin = shared.Source(data, labels, None, None, None, by, groups, system, segment, candidate, reference, source)
    judged = origin.read()
    store = shared.make_store(scores, fresh)
    if labels:
        scored = shared.scored_metrics(judged, metrics, score_file, lower, store, quiet)
        areas = study_paraphrases(judged, scored, labels)
        document = meta_documents.area_document(areas, judged.path)
        shared.emit([meta_tables.area_table(areas)], [], document, output_format, output)
        return
    with progress_bar("scoring", quiet) as progress:
        rates = study_changes(judged, specs, store, shared.split(changes) or None, good, seed, progress)
    document = meta_documents.preference_document(rates, judged.path)
    shared.emit([meta_tables.preference_table(rates)], [], document, output_format, output)
