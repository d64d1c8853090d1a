"""Exported graphs as encoders; that they equal torch is told by tests/encoders/folder/test_export.py."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from farthing.core.errors import ModelError
from farthing.encoders.backends.onnx import OnnxEncoder
from farthing.encoders.folder.export import export_onnx


@pytest.fixture(scope="module")
def exported(tiny_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("onnx") / "out"
    export_onnx(tiny_model("bert"), target, name="tiny", layers=[1, 3])
    return target


def test_it_knows_its_layers_and_its_weights(exported: Path) -> None:
    encoder = OnnxEncoder(exported, "tiny")
    assert (encoder.layers, encoder.dimension, encoder.precision) == ((1, 3), 32, "fp32")
    digits = hashlib.sha256((exported / "model.onnx").read_bytes()).hexdigest()[:12]
    assert encoder.fields()["weights"] == digits
    ids = np.array([[2, 7, 9, 3]])
    one, three = encoder.run(ids, None, [1, 3])
    assert one.shape == three.shape == (1, 4, 32)
    assert encoder.run(ids, None, [1])[0] == pytest.approx(one)


def test_padding_is_refused(exported: Path) -> None:
    with pytest.raises(ModelError, match="takes no padding"):
        OnnxEncoder(exported, "tiny").run(np.array([[2, 3]]), np.array([[1, 0]]), [1])


def test_a_graph_of_another_kind_is_named(exported: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(exported, folder)
    values = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"]) for name in ("input_ids", "scores")]
    graph = helper.make_graph([helper.make_node("Identity", ["input_ids"], ["scores"])], "g", values[:1], values[1:])
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), folder / "model.onnx"
    )
    with pytest.raises(ModelError, match="has no output called layer_"):
        OnnxEncoder(folder, "other")
