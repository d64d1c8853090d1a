"""Graphs with smaller numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification

from farthing.learn.cross.export.bert import shape_of
from farthing.learn.cross.export.export import export
from farthing.learn.cross.export.precision import IntegerGraph, measure
from farthing.learn.data.dataset import tokenised
from farthing.learn.data.store import PairTable
from farthing.students.pair_ids import as_batch

Scorer = Callable[[Path, list[str], list[str]], np.ndarray]


@pytest.mark.parametrize(("precision", "least"), [("fp16", 0.99999), ("int8", 0.999)])
def test_smaller_numbers_agree(
    student: Path,
    tmp_path: Path,
    scored_file: Path,
    scored_table: PairTable,
    precision: str,
    least: float,
    by_farthing: Scorer,
    by_torch: Scorer,
) -> None:
    export(str(student), tmp_path / "whole")
    export(str(student), tmp_path / "out", precision=precision, pairs=scored_file)  # type: ignore[arg-type]
    texts = (scored_table.candidates, scored_table.references)
    assert np.corrcoef(by_farthing(tmp_path / "out", *texts), by_torch(student, *texts))[0, 1] > least
    sizes = [(tmp_path / name / "model.onnx").stat().st_size for name in ("out", "whole")]
    assert sizes[0] < 0.75 * sizes[1]


def test_int8_scores_do_not_depend_on_batch_mates(
    student: Path, tmp_path: Path, scored_file: Path, corpus: list[str], by_farthing: Scorer
) -> None:
    export(str(student), tmp_path / "out", precision="int8", pairs=scored_file)
    together = by_farthing(tmp_path / "out", corpus[:50], corpus[50:100])
    alone = [
        by_farthing(tmp_path / "out", [one], [two])[0] for one, two in zip(corpus[:50], corpus[50:100], strict=True)
    ]
    assert together == pytest.approx(alone, abs=1e-5)


def test_ranges_are_those_of_torchs_hidden_states(student: Path, corpus: list[str]) -> None:
    """The input of the first layer's attention is the output of the embeddings."""
    model = AutoModelForSequenceClassification.from_pretrained(student).eval()
    shape = shape_of(model.config)
    assert shape is not None
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    batch = as_batch(tokenised(student, corpus[:4], corpus[4:8], 64), 0)
    feed = {name: value.astype(np.int32) for name, value in batch.items()}
    ranges = measure(shape, weights, [feed])
    inside = {name: torch.from_numpy(value) for name, value in batch.items() if name != "attention_mask"}
    with torch.no_grad():
        states = model.bert.embeddings(**inside)
    low, high = ranges["bert.encoder.layer.0."]
    assert low == pytest.approx(float(states.min()), abs=1e-5)
    assert high == pytest.approx(float(states.max()), abs=1e-5)


def test_a_matrix_has_one_scale_per_column_and_seven_bits(student: Path) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(student)
    shape = shape_of(model.config)
    assert shape is not None
    graph = IntegerGraph(shape, {}, {})
    weight = np.random.default_rng(1).normal(size=(20, 3)) * [1.0, 10.0, 100.0]
    whole, scale, _ = (graph.graph.constants[name] for name in graph.columns("x", weight))
    assert np.abs(whole).max(axis=0).tolist() == [63, 63, 63]
    assert np.abs(whole * scale - weight).max(axis=0) == pytest.approx(scale / 2, rel=0.3)
