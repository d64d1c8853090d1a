"""Robustness of several metrics at once."""

from __future__ import annotations

from pathlib import Path

from farthing.core.specs import parse_specs
from farthing.meta.kept import ScoreStore
from farthing.meta.read.human import judgements_of
from farthing.meta.robustness_study import study_changes, study_paraphrases
from farthing.meta.scored import Scored


def test_paraphrases_by_language() -> None:
    rows = [
        {"lang": lang, "candidate": f"c{n}", "reference": f"r{n}{lang}", "score": n % 2}
        for lang in ("en", "de")
        for n in range(40)
    ]
    data = judgements_of(enumerate(rows, start=1))
    labels = data.judged()
    found = study_paraphrases(
        data, [Scored("right", labels * 2), Scored("blind", labels * 0), Scored("d", 1 - labels, False)]
    )
    assert [found.found[name]["en"].value for name in ("right", "blind", "d")] == [1, 0.5, 1]
    assert found.found["right"]["pooled"].positives == 40


def test_changes_of_references_that_several_systems_share(tmp_path: Path) -> None:
    references = ["He sold 30 big cars.", "Nobody was in Paris after the war."]
    rows = [
        {"system": s, "segment_id": n, "candidate": "x", "reference": text, "score": 1}
        for s in "AB"
        for n, text in enumerate(references)
    ]
    data = judgements_of(enumerate(rows, start=1))
    found = study_changes(data, parse_specs("chrf,ter"), ScoreStore(tmp_path), good="identical", seed=1)
    assert {check.name: len(check) for check in found.checks}["drop"] == 2
    assert found.found["chrf"]["number"].rate == 1
    assert found.found["ter"]["number"].rate == 1  # a distance, turned once
