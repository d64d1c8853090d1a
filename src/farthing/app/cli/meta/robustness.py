"""`farthing meta robustness`: what do metrics miss?"""

from __future__ import annotations

from typing import Annotated, Literal

from farthing.app.cli.meta.options import DataOptions, PeopleOptions, ResultOptions, ScoreOptions, Seed
from farthing.app.cli.typed import Option
from farthing.core.errors import UsageError
from farthing.core.progress import phase
from farthing.files.inputs import split

Changes = Annotated[
    str | None,
    Option(
        "--changes",
        help="Some of negation,number,name,antonym,word order,neighbours,drop,repeat,typo; by default all of them.",
    ),
]
Good = Annotated[Literal["auto", "reference", "identical", "harmless"], Option("--good", help="What the good text is.")]


def robustness(
    data: DataOptions,
    scoring: ScoreOptions,
    results: ResultOptions,
    labels: Annotated[
        str | None, Option("--labels", help="Column of labels 1 (paraphrase) and 0: the area under the ROC curve.")
    ] = None,
    changes: Changes = None,
    good: Good = "auto",
    seed: Seed = 0,
) -> str:
    """Measure whether metrics notice what changes the meaning.

    Without --labels, your references are damaged in known ways, and each metric is asked which text it prefers.
    With --labels, it is asked to tell paraphrases from sentences that only look alike, as in PAWS.

    Example: farthing meta robustness pawsx.jsonl -m bleu,chrf --labels score
    """
    from farthing.meta.robustness_study import study_changes, study_paraphrases
    from farthing.report.meta_documents import area_document, preference_document
    from farthing.report.meta_tables import area_table, preference_table
    from farthing.report.results import Results

    results.check(data.data)
    specs = scoring.specs()
    if scoring.score_file and not labels:
        raise UsageError("score files cannot score damaged texts: give metrics with -m, or --labels")
    judged = data.read(PeopleOptions(human=labels))
    run = results.opened(judged, scoring)
    if labels:
        areas = study_paraphrases(judged, scoring.gather(judged, run), labels)
        return results.show(Results([area_table(areas)], area_document(areas, judged.path)), run)
    with phase("scoring") as progress:
        rates = study_changes(judged, specs, scoring.store(run), split(changes) or None, good, seed, progress)
    if run is not None:
        run.keep(judged)
    return results.show(Results([preference_table(rates)], preference_document(rates, judged.path)), run)
