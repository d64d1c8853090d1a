"""Graphs that are written by hand."""

from __future__ import annotations

import numpy as np
import onnxruntime

from farthing.learn.cross.export.builder import Builder


def test_a_graph_computes_what_was_written() -> None:
    builder = Builder()
    wide = builder.node("Cast", ["ids"], to=1)
    total = builder.node("ReduceSum", [wide, builder.constant("axis", np.array([1], np.int64))], keepdims=1)
    model = builder.model(["ids"], builder.node("Mul", [total, builder.constant("two", np.array(2, np.float32))]))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    [scores] = session.run(["score"], {"ids": np.array([[1, 2, 3], [4, 5, 6]], np.int32)})
    assert scores.tolist() == [[12.0], [30.0]]


def test_a_constant_is_kept_once() -> None:
    builder = Builder()
    names = [builder.constant("one", np.array([1.0])), builder.constant("one", np.array([2.0]))]
    assert names == ["one", "one"]
    assert builder.constants["one"].tolist() == [1.0]


def test_every_node_has_names_of_its_own() -> None:
    builder = Builder()
    names = [builder.node("Identity", ["x"]), builder.node("Identity", ["x"]), builder.node("Split", ["x"], outputs=2)]
    assert len(set(names)) == 3
    assert len(builder.nodes[2].output) == 2
