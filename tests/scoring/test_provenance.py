"""Where texts come from, in signatures and notes."""

from __future__ import annotations

from farthing.core.types import Note, Pairs
from farthing.files.inputs import Given, Provenance
from farthing.scoring.provenance import with_provenance
from farthing.scoring.score import choose, score


def test_fields_and_notes_reach_the_scores() -> None:
    systems = [Pairs.of(["a b"], ["a c"], system=name) for name in ("x", "y")]
    note = Note("kind", "message")
    given = Given(systems, provenance=Provenance({"test": "wmt20"}, {"y": note}))
    first, second = score(choose("chrf,bleu"), given).rows
    assert all("|test:wmt20|nrefs:1|" in str(cell.scores.signature) for row in (first, second) for cell in row.cells)
    assert not first.cells[0].scores.notes
    assert second.cells[0].scores.notes[0] == note


def test_nothing_else_changes() -> None:
    plain = score(choose("chrf"), Given([Pairs.of(["a b"], ["a c"])])).rows[0].cells[0].scores
    [amended] = with_provenance({"chrf": [plain]}, Provenance({"test": "x"}))["chrf"]
    assert amended.corpus == plain.corpus
    assert amended.segments is plain.segments
