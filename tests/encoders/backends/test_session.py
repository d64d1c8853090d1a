"""ONNX sessions: exact sums on every processor, one core, one sentence for a broken graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from farthing.core.errors import ModelError
from farthing.encoders.backends.session import onnx_session


@pytest.fixture
def product(tmp_path: Path) -> tuple[Path, np.ndarray]:
    """A graph that multiplies unsigned by signed 8-bit numbers, and its signed weights, as large as they may be."""
    weights = np.random.default_rng(0).choice(np.array([-128, 127], dtype=np.int8), (64, 8))
    weights[:, 0] = 127
    node = helper.make_node("MatMulInteger", ["x", "w"], ["y"])
    graph = helper.make_graph(
        [node],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, ["rows", 64])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, ["rows", 8])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, tmp_path / "product.onnx")
    return tmp_path / "product.onnx", weights


def test_sums_of_8_bit_products_are_exact_whatever_the_processor(product: tuple[Path, np.ndarray]) -> None:
    path, weights = product
    inputs = np.full((5, 64), 255, dtype=np.uint8)
    [found] = onnx_session(path, exact=True).run(None, {"x": inputs})
    assert found.tolist() == (inputs.astype(np.int64) @ weights.astype(np.int64)).tolist()


@pytest.mark.parametrize("memory_pattern", [True, False])
def test_a_session_uses_one_core(product: tuple[Path, np.ndarray], memory_pattern: bool) -> None:
    options = onnx_session(product[0], memory_pattern=memory_pattern).get_session_options()
    assert (options.intra_op_num_threads, options.inter_op_num_threads) == (1, 1)
    assert options.enable_mem_pattern is memory_pattern


@pytest.mark.parametrize("content", [b"nonsense", b"", None])
def test_what_is_no_graph_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "model.onnx").write_bytes(content)
    with pytest.raises(ModelError, match=r"model.onnx cannot be loaded as an ONNX graph: ") as caught:
        onnx_session(tmp_path / "model.onnx")
    assert "\n" not in str(caught.value)
