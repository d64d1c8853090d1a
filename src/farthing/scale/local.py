"""Scoring in several processes of this machine, for metrics whose work is done in Python itself.

Metrics over neural encoders use all cores by threads, since their work is done outside Python; they stay in this
process, so that a model is in memory once.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import tee
from queue import SimpleQueue
from typing import TYPE_CHECKING

from farthing.core.errors import ModelError, UsageError
from farthing.core.threads import in_threads, thread_count
from farthing.scoring.engine import (
    Keeper,
    LocalEngine,
    Ready,
    Shard,
    Stretch,
    StretchScores,
    are_several,
    score_stretch,
)

if TYPE_CHECKING:
    from farthing.scale.worker import Job, Task, TaskResult

ATTEMPTS = 3  # how often a task is tried whose process is killed


class ProcessEngine(LocalEngine):
    """Several processes; an input of one stretch is scored by this one, since others would take longer to start.

    :param workers: how many processes score; by default one per core that may be used
    """

    def __init__(self, workers: int | None = None) -> None:
        self._asked = workers

    @property
    def workers(self) -> int:
        """How many processes score."""
        return thread_count(self._asked)

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score stretch by stretch: metrics that hold the interpreter's lock elsewhere, all others here."""
        several, stretches = are_several(stretches)
        there = [ready.metric.holds_lock for ready in metrics]
        if not several or self.workers == 1 or not any(there):
            return super().map(metrics, stretches)
        return self._shared(metrics, there, stretches)

    def _shared(
        self, metrics: Sequence[Ready], there: Sequence[bool], stretches: Iterable[Stretch]
    ) -> Iterator[StretchScores]:
        from farthing.scale.worker import Job

        sent, own = tee(stretches)
        here = [ready.metric for ready, away in zip(metrics, there, strict=True) if not away]
        job = Job([ready for ready, away in zip(metrics, there, strict=True) if away])
        for systems, found in zip(own, self._mapped(job, sent), strict=True):
            others, mine = iter(found), iter(score_stretch(here, systems))
            yield [next(others if away else mine) for away in there]

    def keep(self, metrics: Sequence[Ready], shards: Iterable[Shard], keeper: Keeper) -> Iterator[StretchScores]:
        """Score shard by shard; the process that has scored a shard writes it."""
        several, shards = are_several(shards)
        if not several or self.workers == 1 or not all(ready.metric.holds_lock for ready in metrics):
            return super().keep(metrics, shards, keeper)
        from farthing.scale.worker import Job

        return self._mapped(Job(metrics, keeper), shards)

    def _mapped(self, job: Job, tasks: Iterable[Task]) -> Iterator[StretchScores]:
        pool = WorkerPool(job, self.workers)
        try:
            yield from in_threads(pool.ask, tasks, self.workers)
        finally:
            pool.close()


class WorkerPool:
    """Processes that wait for tasks.

    :param start: starts a process; tests let it start one that dies
    """

    def __init__(self, job: Job, count: int, start: Callable[[], subprocess.Popen[bytes]] | None = None) -> None:
        self._job, self._start = _pickled(job), start or start_worker
        self._idle: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        self._all: list[subprocess.Popen[bytes]] = []
        for _ in range(count):
            self._idle.put(self._started())  # all of them at once, so that they load their metrics at the same time

    def _started(self) -> subprocess.Popen[bytes]:
        worker = self._start()
        self._all.append(worker)
        assert worker.stdin is not None
        try:
            worker.stdin.write(self._job)
            worker.stdin.flush()
        except BrokenPipeError:
            pass  # it is dead already, which shows when it is asked
        return worker

    def ask(self, task: Task) -> StretchScores:
        """Let one of the processes do a task; one that dies is replaced, and its task done again."""
        from farthing.scale.worker import TaskFailure

        worker = self._idle.get()
        try:
            for _ in range(ATTEMPTS):
                worker = worker or self._started()
                answer = _exchanged(worker, task)
                if answer is None:
                    _end(worker)
                    worker = None
                elif isinstance(answer, TaskFailure):
                    raise answer.error()
                else:
                    return answer
        finally:
            self._idle.put(worker)
        raise ModelError(
            f"a process that scores was killed {ATTEMPTS} times at the same rows, perhaps for want of memory: "
            "score in one process (--workers 1)"
        )

    def close(self) -> None:
        """End all processes."""
        for worker in self._all:
            _end(worker)


def _pickled(job: Job) -> bytes:
    try:
        return pickle.dumps(job, protocol=pickle.HIGHEST_PROTOCOL)
    except UsageError as error:
        raise UsageError(f"{error}; or score in one process (--workers 1)") from error


def start_worker() -> subprocess.Popen[bytes]:
    """Start a process that scores; an interrupt from the terminal (Ctrl-C) does not reach it."""
    one = {"FARTHING_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", "from farthing.scale.worker import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **one},
        start_new_session=True,
    )


def _exchanged(worker: subprocess.Popen[bytes], task: Task) -> TaskResult | None:
    """Send a task and return the answer; None if the process has died."""
    from farthing.scale.worker import send

    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        send(worker.stdin, task)
        answer: TaskResult = pickle.load(worker.stdout)
        return answer
    except (EOFError, BrokenPipeError, ConnectionResetError, pickle.UnpicklingError):
        return None


def _end(worker: subprocess.Popen[bytes]) -> None:
    """End a process: it goes by itself when its input ends, and is killed if it is in the middle of a task."""
    for stream in (worker.stdin, worker.stdout):
        try:
            if stream is not None:
                stream.close()
        except BrokenPipeError:
            pass
    worker.kill()
    worker.wait()
