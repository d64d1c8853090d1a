"""The folder of a trained estimator: merged weights or a graph, head, adapter, card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from farthing.core.types import Pairs
from farthing.learn.adapters.store import load_adapter
from farthing.learn.regress.folder import TrainedEstimator, write_estimator
from farthing.learn.regress.model import RowBatch
from farthing.learn.regress.regress import prepared_estimator
from farthing.learn.regress.rows import ScoredRows, TokenRows
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.train.history import History
from farthing.students.estimator import EstimatorStudent
from farthing.students.regressor import EstimatorShape

SHAPE = EstimatorShape(inputs=("reference",), hidden=(8,))
TEXTS = [("the old cat", "a cat"), ("two birds saw one tree", "a bird"), ("dog", "the dog and the river")]


@pytest.mark.parametrize("method", [None, "lora", "pfeiffer"])
def test_a_written_estimator_scores_as_the_model(method: Any, encoder: Path, tmp_path: Path) -> None:
    model, adapter, origin = prepared_estimator(encoder, SHAPE, RegressSettings(threads=1), method)
    model.fast = False
    with torch.no_grad():
        for part in model.parameters():
            if part.requires_grad:
                part.add_(0.05 * torch.randn_like(part))
    tokens = TokenRows(encoder, ScoredRows(TEXTS, np.zeros(3)), 64)
    with torch.inference_mode():
        expected = model.eval()(RowBatch(*tokens.batch([0, 1, 2]))).numpy()
    trained = TrainedEstimator(model, encoder, adapter, origin)
    write_estimator(tmp_path / "made", trained, {"parameters": 5}, History([{"step": 1, "loss": 1.0}]))
    pairs = Pairs([one for one, _ in TEXTS], [[other] for _, other in TEXTS])
    found = EstimatorStudent(tmp_path / "made", threads=1).score_systems([pairs])[0].segments
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert "# made" in (tmp_path / "made" / "card.md").read_text()
    if method:
        about = json.loads((tmp_path / "made" / "adapter" / "adapter.json").read_text())
        assert about["method"] == method
        plain, _, _ = prepared_estimator(encoder, SHAPE, RegressSettings(threads=1))
        assert load_adapter(plain.encoder, tmp_path / "made" / "adapter").count == about["parameters"]
