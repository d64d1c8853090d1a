"""The one rule for threads."""

from __future__ import annotations

import threading

import pytest

from farthing.core.errors import UsageError
from farthing.core.threads import in_threads, one_core_algebra, thread_count


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
