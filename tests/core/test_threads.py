"""The one rule for threads; ONNX sessions: exact sums on every processor, one core, one sentence for a broken graph."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from farthing.core.errors import ModelError, UsageError
from farthing.core.threads import at_once, in_threads, one_core_algebra, onnx_session, thread_count


def test_the_order_of_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARTHING_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "7,2")
    assert thread_count() == 7
    monkeypatch.setenv("FARTHING_THREADS", "5")
    assert thread_count() == 5
    assert thread_count(2) == 2


def test_without_any_wish_the_cores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FARTHING_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert thread_count() >= 1


@pytest.mark.parametrize("wrong", ["0", "-1", "two"])
def test_nonsense_is_one_sentence(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("FARTHING_THREADS", wrong)
    with pytest.raises(UsageError, match=r"\$FARTHING_THREADS must be a whole number from 1"):
        thread_count()


def test_two_things_are_done_at_once_if_there_are_threads() -> None:
    meeting = threading.Barrier(2, timeout=10)
    assert sorted(at_once(meeting.wait, meeting.wait, threads=2)) == [0, 1]
    here = threading.get_ident()
    assert at_once(threading.get_ident, threading.get_ident, threads=1) == (here, here)


def test_what_goes_wrong_in_either_of_two_things_is_told() -> None:
    def wrong() -> None:
        raise ModelError("broken")

    for both in ((wrong, int), (int, wrong)):
        with pytest.raises(ModelError, match="broken"):
            at_once(*both, threads=2)


def test_results_keep_their_order_and_several_threads_work() -> None:
    meeting = threading.Barrier(2, timeout=10)  # passes only if two tasks run at the same time

    def work(number: int) -> int:
        if number < 2:
            meeting.wait()
        return number * number

    assert list(in_threads(work, range(50), threads=2)) == [number * number for number in range(50)]


def test_matrix_products_inside_stay_on_one_core() -> None:
    from threadpoolctl import threadpool_info

    with one_core_algebra():
        assert all(pool["num_threads"] == 1 for pool in threadpool_info() if pool["user_api"] == "blas")


def test_an_error_in_a_thread_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda number: 1 // number, [1, 0, 1], threads=2))


def test_inside_one_core_algebra_a_matrix_product_has_one_thread() -> None:
    from threadpoolctl import threadpool_info

    with one_core_algebra():
        assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} <= {1}


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
