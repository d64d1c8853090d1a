"""The graph of a BERT against torch, layer by layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from transformers import BertConfig, DistilBertConfig

from farthing.learn.cross.export.bert import BertShape, shape_of
from farthing.learn.cross.export.export import export

Scorer = Callable[[Path, list[str], list[str]], np.ndarray]


@pytest.mark.parametrize("layers", [1, 3])
def test_any_number_of_layers(
    make_bert: Callable[..., Path],
    tmp_path: Path,
    layers: int,
    corpus: list[str],
    by_farthing: Scorer,
    by_torch: Scorer,
) -> None:
    folder = make_bert("BertForSequenceClassification", num_hidden_layers=layers, num_labels=1)
    export(str(folder), tmp_path / "out")
    texts = (corpus[:30], corpus[30:60])
    assert np.abs(by_farthing(tmp_path / "out", *texts) - by_torch(folder, *texts)).max() <= 1e-5


def test_the_last_layer_computes_the_first_row_only(student: Path, tmp_path: Path) -> None:
    """All large products but those of the first layer have disappeared: Gemm sees one row per pair."""
    export(str(student), tmp_path / "out")
    nodes = [node.op_type for node in onnx.load(tmp_path / "out" / "model.onnx").graph.node]
    assert nodes.count("Attention") == 1  # two layers, one of them whole
    assert nodes.count("SkipLayerNormalization") == 2


def test_only_plain_berts_have_a_shape() -> None:
    config = BertConfig(hidden_size=64, num_hidden_layers=3, num_attention_heads=2)
    assert shape_of(config) == BertShape(layers=3, width=64, heads=2, epsilon=1e-12)
    assert shape_of(BertConfig(hidden_act="relu")) is None
    assert shape_of(BertConfig(is_decoder=True)) is None
    assert shape_of(DistilBertConfig()) is None
