"""ONNX files, counted by our reader and by the package onnx."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder.graph import GraphFacts, graph_facts
from farthing.encoders.folder.locate import EMBEDDED


@pytest.mark.parametrize(("size", "layers"), [("small", 8), ("tiny", 3)])
def test_counts_are_those_of_the_package_onnx(size: str, layers: int) -> None:
    onnx = pytest.importorskip("onnx")
    path = EMBEDDED / size / "encoder.onnx"
    tensors = onnx.load(path).graph.initializer
    assert graph_facts(path) == GraphFacts(layers, sum(prod(tensor.dims) for tensor in tensors))


def test_a_graph_of_a_few_nodes(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    nodes = [make.make_node("MatMul", ["x", "w"], ["y"]), make.make_node("Softmax", ["y"], ["z"])]
    ends = [make.make_tensor_value_info(name, kind, [2, 300]) for name in ("x", "z")]
    weights = make.make_tensor("w", kind, [300, 300], [0.0] * 90_000)
    graph = make.make_graph(nodes, "g", ends[:1], ends[1:], [weights, make.make_tensor("s", kind, [], [1.0])])
    onnx.save(make.make_model(graph), tmp_path / "g.onnx")
    assert graph_facts(tmp_path / "g.onnx") == GraphFacts(1, 90_001)


@pytest.mark.parametrize("content", [b"", b"no graph", b"\x3a\x10\x01", b"\xff" * 20, b"\x38\x01", b"{}"])
def test_other_files_are_one_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(content)
    with pytest.raises(ModelError, match="is not an ONNX graph"):
        graph_facts(tmp_path / "x.onnx")
