"""The metric comet: what it needs, says and refuses. Its numbers are those of tests/students/test_estimator.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import MissingInput, ModelError, SpecError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.metrics.comet import Comet
from farthing.metrics.frugalscore import FrugalScore


@pytest.fixture(scope="module")
def folder(estimator_folder: Callable[..., Path]) -> Path:
    return estimator_folder()


def test_it_scores_by_its_spec_and_signs(folder: Path, parity_texts: dict[str, list[str]]) -> None:
    metric = load_pairs_metric(f"comet(model={folder})")
    texts = parity_texts
    scores = metric.score(texts["candidates"], texts["references"], sources=texts["sources"])
    assert scores.segments is not None
    assert scores.corpus == pytest.approx(float(np.mean(scores.segments)))
    told = str(scores.signature)
    assert all(part in told for part in ("model:estimator", "inputs:reference+source", "long:truncate"))
    same = FrugalScore(model=str(folder)).score(Pairs.of(texts["candidates"], texts["references"], texts["sources"]))
    assert same.segments == pytest.approx(scores.segments)


def test_what_is_missing_is_told(folder: Path, estimator_folder: Callable[..., Path], parity_encoder: Path) -> None:
    with pytest.raises(MissingInput, match="comet needs a source for every candidate"):
        Comet(model=str(folder)).score(["w1"], ["w2"])
    with pytest.raises(MissingInput, match="comet needs a reference for every candidate"):
        Comet(model=str(folder)).score(["w1"], sources=["w2"])
    free = Comet(model=str(estimator_folder(inputs=("source",))))
    assert np.isfinite(free.score(["w1"], sources=["w2"]).corpus)
    with pytest.raises(SpecError, match="comet needs the option model: the folder of an estimator"):
        load_pairs_metric("comet")
    with pytest.raises(ModelError, match="is no estimator: train one on it with `farthing learn regress`"):
        Comet(model=str(parity_encoder))


def test_empty_texts_score_and_are_noted_once(folder: Path) -> None:
    scores = Comet(model=str(folder)).score(["", "w1"], ["w2", ""], sources=["w3", "w3"])
    assert scores.segments is not None
    assert np.isfinite(scores.segments).all()
    assert [(note.message, note.rows) for note in scores.notes] == [
        ("the candidate has no text", (0,)),
        ("a reference has no text", (1,)),
    ]
