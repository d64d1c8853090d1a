"""Results of meta-evaluation as documents: plain values without NaN, and no more points than needed."""

from __future__ import annotations

import json

import numpy as np

from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.points import ScatterPoints
from farthing.meta.robustness import Check, Preference
from farthing.meta.robustness_study import AreaStudy, PreferenceStudy
from farthing.meta.roc import Area
from farthing.meta.scored import Scored
from farthing.meta.selection import Mean, Selection
from farthing.meta.study import Study
from farthing.report import meta_documents
from farthing.report.meta_documents import area_document, preference_document, selection_document, study_document

METRICS = (Scored("m", np.zeros(1), higher_is_better=False, signature="m|v:1"),)


def plain(document: object) -> dict[str, object]:
    """The document as it comes back from JSON, which has no NaN."""
    found: dict[str, object] = json.loads(json.dumps(document, allow_nan=False))
    return found


def test_a_study_with_an_undefined_cell(study: Study) -> None:
    points = ScatterPoints(np.array([1.0, np.nan, 3.0]), {"good": np.array([np.nan, 2.0, 3.0])}, ("a", "a", "b"))
    found = plain(study_document(study, "meta-correlate", "x.jsonl", points, hybrids=7))
    assert (found["kind"], found["data"], found["human"], found["hybrids"]) == ("meta-correlate", "x.jsonl", "da", 7)
    good, poor = found["metrics"]  # type: ignore[misc]
    assert good["groups"]["a"] == {
        "value": 0.5, "pairs": 10, "rows": 1, "threshold": None, "unbeaten": True, "rank": 1,
    }  # fmt: skip
    assert poor["groups"]["b"] == {"value": None, "reason": "all equal", "unbeaten": False, "rank": None}
    assert (good["mean"], poor["mean"], good["pooled"]["threshold"]) == (0.375, None, 0.125)
    assert found["p_values"] == {"a": [[1.0, 0.0004], [0.9996, 1.0]]}
    assert found["notes"] == [{"kind": "left out", "message": "one row", "rows": [4]}]
    assert found["points"] == {"human": [1, 3], "groups": ["a", "b"], "metrics": {"good": [None, 3]}}


def test_points_are_thinned_evenly(study: Study, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(meta_documents, "POINTS", 3)
    points = ScatterPoints(np.arange(101.0), {"good": np.arange(101.0)}, ("a",) * 101)
    found = plain(study_document(study, "k", "x", points))
    assert found["points"]["human"] == [0, 50, 100]  # type: ignore[index]


def test_the_other_studies() -> None:
    chosen = {"m": {"a": Selection(Mean(0.5, 0.1), Mean(0.6, 0.1), Mean(0.7, 0.1))}}
    found = plain(selection_document(SelectionStudy("da", METRICS, ("a",), chosen, 9, 8, 7, 6), "x"))
    assert found["settings"] == {"hybrids": 9, "draws": 8, "drawn": 7, "seed": 6}
    assert found["metrics"][0]["groups"]["a"]["hits"] == {"value": 0.5, "margin": 0.1}  # type: ignore[index]
    assert found["metrics"][0]["higher_is_better"] is False  # type: ignore[index]
    areas = plain(area_document(AreaStudy("label", METRICS, ("a",), {"m": {"a": Area(0.5, 0.4, 0.6, 3, 4)}}), "x"))
    assert areas["metrics"][0]["groups"]["a"]["positives"] == 3  # type: ignore[index]


def test_preferences_come_with_three_examples() -> None:
    many = tuple(map(str, range(5)))
    check = Check("drop", many, many, many, None, tuple(range(5)))
    rates = {"m": {"drop": Preference(0.5, 0.1, 0.0, 5)}}
    found = plain(preference_document(PreferenceStudy(METRICS, (check,), rates, "harmless", 3), "x"))
    [shown] = found["checks"]  # type: ignore[misc]
    assert (shown["texts"], len(shown["examples"])) == (5, 3)
    assert shown["examples"][1] == {"reference": "1", "good": "1", "bad": "1"}
    assert found["metrics"][0]["checks"]["drop"]["rate"] == 0.5  # type: ignore[index]
