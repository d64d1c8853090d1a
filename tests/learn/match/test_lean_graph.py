"""Graphs before and after they are rewritten for processors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from farthing.learn.match.graph import write_full, write_lower, write_upper
from farthing.learn.match.lean_graph import FUSED, make_lean
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, load_transformer

HEADS, WIDTH, TOKENS = 2, 8, 5
RANDOM = np.random.default_rng(4)
STATES = RANDOM.normal(size=(1, TOKENS, WIDTH)).astype(np.float32)
NUMBERS = {
    **{name: RANDOM.normal(size=WIDTH).astype(np.float32) for name in ("gamma", "beta", "bias", "q", "k", "v")},
    "apart": np.array([1, -1, HEADS, WIDTH // HEADS]), "whole": np.array([1, -1, WIDTH]),
    "mask": np.array([0, 0, 0, 0, -1e4], dtype=np.float32),
}  # fmt: skip
Change = Callable[[list[NodeProto]], object]


def model_of(nodes: list[NodeProto]) -> ModelProto:
    """A graph that reads `states` and gives `out`."""
    shape = [1, None, WIDTH]
    graph = helper.make_graph(
        nodes, "test",
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in NUMBERS.items()],
    )  # fmt: skip
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)], ir_version=8
    )


def run(model: ModelProto) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    [found] = session.run(["out"], {"states": STATES})
    return found


def kinds(model: ModelProto) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)


def attention() -> list[NodeProto]:
    nodes = [helper.make_node("Constant", [], ["scale"], value=numpy_helper.from_array(np.float32(0.3)))]
    for name, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        nodes += [
            helper.make_node("Mul", ["states", name], [f"{name}s"]),
            helper.make_node("Reshape", [f"{name}s", "apart"], [f"{name} apart"]),
            helper.make_node("Transpose", [f"{name} apart"], [f"{name} heads"], perm=order),
        ]
    return [
        *nodes,
        helper.make_node("MatMul", ["q heads", "k heads"], ["products"]),
        helper.make_node("Mul", ["products", "scale"], ["scaled"]),
        helper.make_node("Softmax", ["scaled"], ["shares"], axis=-1),
        helper.make_node("MatMul", ["shares", "v heads"], ["mixed"]),
        helper.make_node("Transpose", ["mixed"], ["turned"], perm=[0, 2, 1, 3]),
        helper.make_node("Reshape", ["turned", "whole"], ["out"]),
    ]


def test_attention_becomes_one_operation() -> None:
    model = model_of(attention())
    wanted = run(model)
    make_lean(model, HEADS)
    assert kinds(model) == {"Mul": 3, "MultiHeadAttention": 1}
    assert run(model) == pytest.approx(wanted, abs=1e-6)


def masked(nodes: list[NodeProto]) -> None:
    nodes.insert(-4, helper.make_node("Add", ["scaled", "mask"], ["masked"]))
    nodes[-4].input[0] = "masked"


def read_twice(nodes: list[NodeProto]) -> None:
    nodes[-1].output[0] = "one"
    nodes += [
        helper.make_node("ReduceSum", ["shares"], ["sum"], keepdims=0),
        helper.make_node("Add", ["one", "sum"], ["out"]),
    ]


@pytest.mark.parametrize("change", [masked, read_twice])
def test_other_attention_stays_as_it_is(change: Change) -> None:
    nodes = attention()
    change(nodes)
    model = model_of(nodes)
    wanted, before = run(model), kinds(model)
    make_lean(model, HEADS)
    assert kinds(model) == before
    assert np.array_equal(run(model), wanted)


def test_heads_that_are_turned_otherwise_stay_as_they_are() -> None:
    nodes = attention()
    nodes[6].attribute[0].ints[:] = [0, 2, 1, 3]  # keys, which the product then has to turn itself
    nodes.insert(10, helper.make_node("Transpose", ["k heads"], ["k turned"], perm=[0, 1, 3, 2]))
    nodes[11].input[1] = "k turned"
    model = model_of(nodes)
    wanted, before = run(model), kinds(model)
    make_lean(model, HEADS)
    assert kinds(model) == before
    assert np.array_equal(run(model), wanted)


@pytest.mark.parametrize("norm", [["gamma", "beta", "bias"], ["gamma", "beta"], ["gamma", "", "bias"]])
def test_a_sum_and_its_norm_are_apart(norm: list[str]) -> None:
    nodes = [
        helper.make_node("Mul", ["states", "q"], ["given"]),
        helper.make_node("SkipLayerNormalization", ["given", "states", *norm], ["out"], domain=FUSED, epsilon=1e-3),
    ]
    model = model_of(nodes)
    wanted = run(model)
    make_lean(model, HEADS)
    assert kinds(model) == {"Mul": 1, "Add": 1 + ("bias" in norm), "LayerNormalization": 1}
    assert run(model) == pytest.approx(wanted, abs=1e-6)


def test_a_sum_that_is_read_stays_with_its_norm() -> None:
    outputs = ["normed", "", "", "sum"]
    nodes = [
        helper.make_node("SkipLayerNormalization", ["states", "states", "gamma"], outputs, domain=FUSED, epsilon=1e-3),
        helper.make_node("Add", ["normed", "sum"], ["out"]),
    ]
    model = model_of(nodes)
    make_lean(model, HEADS)
    assert kinds(model) == {"SkipLayerNormalization": 1, "Add": 1}


def test_written_graphs_are_lean(encoder: Path, tmp_path: Path) -> None:
    """Layers that are prepared for 8 bits, and layers in full precision."""
    owner = ContextualTokens(load_transformer(encoder, 2)).eval()
    owner.fast = False
    usual = [[2, 7, 11, 30, 3], [2, 9, 3]]
    write_lower(owner, tmp_path / "lower.onnx", 1, usual=usual)
    write_upper(owner, tmp_path / "upper.onnx", 1, usual)
    write_full(BranchTokens(owner, load_transformer(encoder, None), 1).eval(), tmp_path / "full.onnx")
    for name in ("lower", "upper"):
        found = kinds(onnx.load(tmp_path / f"{name}.onnx"))
        assert (found["MultiHeadAttention"], found["Softmax"], found["SkipLayerNormalization"]) == (1, 0, 0)
    full = kinds(onnx.load(tmp_path / "full.onnx"))
    assert (full["Softmax"], full["SkipLayerNormalization"]) == (0, 0)
    assert full["MultiHeadAttention"] + full["Attention"] > 1
