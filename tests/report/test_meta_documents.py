"""Studies as JSON documents: exactly their numbers, and nothing that JSON cannot hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.specs import parse_specs
from farthing.core.types import Note
from farthing.core.version import __version__
from farthing.meta.hybrid_study import select_hybrids
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.points import ScatterPoints, scatter_points
from farthing.meta.question import Question
from farthing.meta.read.human import judgements_of
from farthing.meta.robustness_study import AreaStudy, study_changes, study_paraphrases
from farthing.meta.scored import Scored
from farthing.meta.study import Study, study
from farthing.report.meta_documents import (
    POINTS,
    area_document,
    preference_document,
    selection_document,
    study_document,
)


def through_json(document: dict[str, object]) -> Any:
    """The document as a program reads it; JSON has neither NaN nor infinity."""
    return json.loads(json.dumps(document, allow_nan=False))


def documented(data: Judgements, found: Study, **more: object) -> Any:
    return through_json(study_document(found, "meta-correlate", "data.jsonl", scatter_points(data, found), **more))


def test_a_study(people: Judgements, near: Scored, far: Scored) -> None:
    found = study(people, [near, far], Question(test="williams"))
    document = documented(people, found, settings={"a": 1})
    assert document["farthing"] == __version__
    assert (document["kind"], document["data"], document["human"]) == ("meta-correlate", "data.jsonl", "score")
    assert document["settings"] == {"a": 1}
    assert document["question"]["test"] == "williams"
    assert document["groups"] == ["de-en", "cs-en"]
    first, second = document["metrics"]
    assert (first["name"], first["signature"], first["higher_is_better"]) == ("near", "near|version:1", True)
    assert (second["name"], second["higher_is_better"]) == ("far", False)
    for entry, metric in zip(document["metrics"], (near, far), strict=True):
        values = []
        for group in document["groups"]:
            rows = np.array(people.groups) == group
            values.append(np.corrcoef(people.judged()[rows], metric.oriented[rows])[0, 1])
            assert entry["groups"][group]["value"] == pytest.approx(values[-1])
            assert entry["groups"][group]["pairs"] == 6
        assert entry["mean"] == pytest.approx(np.mean(values))
        assert entry["pooled"]["value"] == pytest.approx(np.corrcoef(people.judged(), metric.oriented)[0, 1])
    assert (first["groups"]["de-en"]["unbeaten"], first["groups"]["de-en"]["rank"]) == (True, 1)
    assert document["p_values"] == {group: values.tolist() for group, values in found.p_values.items()}


def test_points_are_all_outputs_of_a_small_study(people: Judgements, far: Scored) -> None:
    points = documented(people, study(people, [far], Question()))["points"]
    assert points["human"] == people.judged().tolist()
    assert points["groups"] == list(people.groups)
    assert points["metrics"] == {"far": far.values.tolist()}  # a distance as it is


def test_one_group_has_no_pool(people: Judgements, near: Scored) -> None:
    data = people.only(["de-en"])
    found = study(data, [Scored("m", near.values[:6])], Question())
    [metric] = documented(data, found)["metrics"]
    assert metric["pooled"] is None
    assert metric["mean"] == metric["groups"]["de-en"]["value"]


def test_an_undefined_value_is_null_with_a_reason(people: Judgements) -> None:
    values = np.where(np.array(people.groups) == "cs-en", 7.0, people.judged())
    [metric] = documented(people, study(people, [Scored("m", values)], Question()))["metrics"]
    assert metric["groups"]["cs-en"]["value"] is None
    assert "all metric's scores are equal" in metric["groups"]["cs-en"]["reason"]
    assert metric["mean"] is None


def test_many_points_are_thinned_out_evenly(people: Judgements, near: Scored) -> None:
    found = study(people, [near], Question())
    count = 10 * POINTS
    human = np.arange(float(count))
    human[::2] = np.nan
    scores = np.arange(float(count))
    scores[count // 2 :] = np.nan
    points = ScatterPoints(human, {"near": scores}, ("g",) * count)
    document = through_json(study_document(found, "meta-correlate", "x", points))["points"]
    assert len(document["human"]) == len(document["groups"]) == len(document["metrics"]["near"]) == POINTS
    assert (document["human"][0], document["human"][-1]) == (1, count - 1)  # the first and last that people scored
    steps = np.diff(document["human"])
    assert set(steps) <= {10, 12}
    # a score that the metric does not have is null
    assert document["metrics"]["near"] == [one if one < count // 2 else None for one in document["human"]]


def test_nobody_scored_anything(people: Judgements, near: Scored) -> None:
    points = ScatterPoints(np.full(3, np.nan), {"near": np.ones(3)}, ("g",) * 3)
    document = study_document(study(people, [near], Question()), "meta-correlate", "x", points)
    assert document["points"] == {"human": [], "groups": [], "metrics": {"near": []}}


def test_a_selection(people: Judgements, near: Scored, far: Scored) -> None:
    found = select_hybrids(people, [near, far], count=30, draws=50, drawn=5, seed=2)
    document = through_json(selection_document(found, "x"))
    assert document["kind"] == "meta-select"
    assert document["settings"] == {"hybrids": 30, "draws": 50, "drawn": 5, "seed": 2}
    for metric in document["metrics"]:
        for group in document["groups"]:
            measures = metric["groups"][group]
            wanted = found.found[metric["name"]][group]
            for name in ("hits", "reciprocal_rank", "difference"):
                mean = getattr(wanted, name)
                assert measures[name] == {"value": mean.value, "margin": mean.margin}


def test_preferences_with_examples(tmp_path: Path) -> None:
    texts = [f"He sold {n} big cars." for n in range(30, 35)]
    rows = [{"segment_id": n, "candidate": "x", "reference": text, "score": 1} for n, text in enumerate(texts)]
    data = judgements_of(enumerate(rows, start=1))
    found = study_changes(data, parse_specs("chrf"), ScoreStore(tmp_path), ["number"], good="identical", seed=1)
    document = through_json(preference_document(found, "x"))
    assert document["settings"] == {"good": "identical", "seed": 1}
    [check] = document["checks"]
    assert (check["name"], check["texts"]) == ("number", 5)
    assert [example["reference"] for example in check["examples"]] == texts[:3]
    assert all(one["good"] == one["reference"] != one["bad"] for one in check["examples"])
    [metric] = document["metrics"]
    # chrF is highest for equal texts only
    assert metric["checks"] == {"number": {"rate": 1.0, "margin": 0.0, "ties": 0.0, "pairs": 5}}


@pytest.fixture
def areas() -> AreaStudy:
    rows = [
        {"lang": lang, "candidate": f"c{n}", "reference": f"r{n}{lang}", "score": n % 2}
        for lang in ("en", "de")
        for n in range(4)
    ]
    data = judgements_of(enumerate(rows, start=1))
    return study_paraphrases(data, [Scored("m", data.judged()), Scored("blind", data.judged() * 0)])


def test_areas(areas: AreaStudy) -> None:
    document = through_json(area_document(areas, "x"))
    assert (document["kind"], document["human"], document["groups"]) == ("meta-paraphrases", "score", ["en", "de"])
    right, blind = document["metrics"]
    assert list(right["groups"]) == ["en", "de", "pooled"]
    assert right["groups"]["pooled"] == {"value": 1, "low": 1, "high": 1, "positives": 4, "negatives": 4}
    assert blind["groups"]["en"]["value"] == 0.5


def test_notes_keep_their_first_rows(areas: AreaStudy) -> None:
    note = Note("empty", "a text is empty", tuple(range(150)))
    found = AreaStudy(areas.human, areas.metrics, areas.groups, areas.found, (note,))
    [entry] = through_json(area_document(found, "x"))["notes"]
    assert entry == {"kind": "empty", "message": "a text is empty", "rows": list(range(100))}
