"""Disagreements as tables and documents."""

from __future__ import annotations

import json

from farthing.meta.disagreement import Disagreement, DisagreementStudy, RankedOutput
from farthing.report.disagreements import disagreement_document, disagreement_notes, disagreement_tables
from farthing.tables.grid import grid_text

OUTPUT = RankedOutput(7, "de-en", "A", "3", "a cat", ("one cat", "the cat"), {"people": 1, "bleu": 90})
FOUND = DisagreementStudy(("people", "bleu"), {"de-en": 100}, (Disagreement("people", "bleu", (OUTPUT,)),))


def test_the_table_has_all_ranks_and_the_texts_below() -> None:
    [table] = disagreement_tables(FOUND)
    assert grid_text(table).splitlines() == [
        "people > bleu  people  bleu",
        "───────────────────────────",
        "7              1       90",
        "  7. candidate: a cat",
        "     reference: one cat",
        "     reference: the cat",
    ]
    assert disagreement_notes(FOUND) == ["Rows are lines of the data; rank 1 is the best of 100 outputs of de-en."]


def test_the_document_is_json() -> None:
    document = json.loads(json.dumps(disagreement_document(FOUND, "x.jsonl"), allow_nan=False))
    [one] = document["disagreements"]
    assert (one["higher"], one["lower"], one["outputs"][0]["ranks"]) == ("people", "bleu", {"people": 1, "bleu": 90})
