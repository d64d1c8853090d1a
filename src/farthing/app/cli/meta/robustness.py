"""`farthing meta robustness`: what do metrics miss?"""

from __future__ import annotations

from typing import Annotated, Literal

from farthing.app.cli.meta import data
from farthing.app.cli.meta.options import People, Results, Scoring, Seed, Where
from farthing.app.cli.typed import Option
from farthing.report.progress import bars

Changes = Annotated[
    str | None,
    Option("--changes", help="negation,number,name,antonym,word order,neighbours,drop,repeat,typo; all unless said."),
]
Good = Annotated[Literal["auto", "reference", "identical", "harmless"], Option("--good", help="What the good text is.")]


def robustness(
    where: Where,
    scoring: Scoring,
    results: Results,
    labels: Annotated[
        str | None, Option("--labels", help="Column of labels 1 (paraphrase) and 0: the area under the ROC curve.")
    ] = None,
    changes: Changes = None,
    good: Good = "auto",
    seed: Seed = 0,
) -> None:
    """Does a metric notice what changes the meaning?

    Without --labels your references are damaged in known ways, and each metric is asked which text it prefers.
    With --labels it is asked to tell paraphrases from sentences that only look alike, as in PAWS.

    Example: farthing meta robustness pawsx.jsonl -m bleu,chrf --labels score
    """
    from farthing.core.errors import UsageError
    from farthing.meta.robustness_study import study_changes, study_paraphrases
    from farthing.report import meta_documents, meta_tables

    data.check_results(results)
    specs = data.wanted_specs(scoring)
    if scoring.score_file and not labels:
        raise UsageError("score files cannot score damaged texts: give metrics with -m, or --labels")
    judged = data.read(where, People(human=labels))
    if labels:
        areas = study_paraphrases(judged, data.scored_metrics(judged, scoring), labels)
        data.emit([meta_tables.area_table(areas)], meta_documents.area_document(areas, judged.path), results)
        return
    store, wanted = data.make_store(scoring), data.split(changes) or None
    with bars(scoring.quiet)("scoring", None) as progress:
        rates = study_changes(judged, specs, store, wanted, good, seed, progress)
    document = meta_documents.preference_document(rates, judged.path)
    data.emit([meta_tables.preference_table(rates)], document, results)
