"""One rule for the number of threads, whatever does the work: torch, onnxruntime or tokenizers.

The number is the first of these that is set: the caller's argument, $FARTHING_THREADS, $OMP_NUM_THREADS, the number
of cores that this process may use. Work is cut into batches, and every thread computes whole batches on one core. A
batch is never split over cores, so results do not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from farthing.core.errors import ModelError, UsageError

if TYPE_CHECKING:
    import onnxruntime

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_First = TypeVar("_First")
_Second = TypeVar("_Second")
_ERRORS_ONLY = 3  # onnxruntime's name for this level of its log


def thread_count(asked: int | None = None) -> int:
    """Return how many threads to use.

    >>> thread_count(3)
    3
    """
    if asked is not None:
        return _positive("threads", str(asked))
    for name in ("FARTHING_THREADS", "OMP_NUM_THREADS"):
        if value := os.environ.get(name):
            return _positive(f"${name}", value)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(work: Callable[[_Task], _Result], tasks: Iterable[_Task], threads: int) -> Iterator[_Result]:
    """Do `work` on every task by several threads, and yield the results in order; only a few wait at a time.

    >>> list(in_threads(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    if threads == 1:
        yield from map(work, tasks)
        return
    tasks = iter(tasks)
    with ThreadPoolExecutor(threads) as pool:
        running: deque[Future[_Result]] = deque(pool.submit(work, task) for task in islice(tasks, threads + 1))
        while running:
            result = running.popleft().result()
            running.extend(pool.submit(work, task) for task in islice(tasks, 1))
            yield result


def at_once(first: Callable[[], _First], second: Callable[[], _Second], threads: int) -> tuple[_First, _Second]:
    """Do two things at a time, if there are several threads, and return what came out.

    >>> at_once(lambda: 1, lambda: "b", threads=2)
    (1, 'b')
    """
    if threads == 1:
        return first(), second()
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(first)
        done = second()
        return beside.result(), done


@contextmanager
def one_core_algebra() -> Iterator[None]:
    """Keep numpy's matrix products on the calling core: those of one pair are too small to be split."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield


def onnx_session(path: Path, *, memory_pattern: bool = True, exact: bool = False) -> onnxruntime.InferenceSession:
    """Open a graph that uses one core per call: each thread of the caller takes whole batches.

    :param memory_pattern: remember how memory was laid out for each shape of input; turn it off if shapes vary
        without end, since the memories pile up
    :param exact: add up products of 8-bit numbers without overflow. Processors without VNNI instructions saturate
        sums of signed 8-bit weights, so that vectors differ from those on other processors. Graphs whose weights
        use 7 bits never overflow and open faster without it.
    """
    import onnxruntime

    from farthing.core.graphs import check_graph

    check_graph(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = memory_pattern
    options.log_severity_level = _ERRORS_ONLY
    if exact:
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors share no class but Exception
        reason = str(error).splitlines()[0]
        raise ModelError(f"{path} cannot be loaded as an ONNX graph: {reason}") from error


def _positive(what: str, value: str) -> int:
    number = value.split(",")[0].strip()  # OMP_NUM_THREADS may be a list, one entry per nesting level
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(f"{what} must be a whole number from 1, not {value!r}")
    return int(number)
