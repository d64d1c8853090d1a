"""Scoring on a cluster of Ray, or by Ray on this machine: actors that score shards and write them themselves.

An actor is told which metrics to score with and where the input and the run are, which it must be able to reach; then
it takes the numbers of shards, reads their texts, scores them and writes them through the code of all other engines.
A shard is complete or absent, so Ray may restart actors and repeat tasks as it likes.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from farthing.core.errors import MissingExtra, ModelError, UsageError
from farthing.core.threads import thread_count
from farthing.scale.worker import Job, Task, TaskFailure, TaskResult, answered
from farthing.scoring.engine import GARBAGE, Keeper, LocalEngine, Ready, Shard, Stretch, StretchScores

if TYPE_CHECKING:
    from ray.actor import ActorHandle

RESTARTS = 3  # of an actor, and attempts at a task
AHEAD = 4  # tasks per actor that are begun before the first of them is returned


class RayEngine(LocalEngine):
    """Actors of Ray.

    :param workers: how many actors score; by default one per core of this machine, or of the cluster
    :param address: of a running cluster; without one, Ray is started on this machine, and ended when all is done
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self.workers, self.address = workers, address

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score stretch by stretch; the texts are sent to the actors."""
        return self._mapped(Job(metrics), stretches)

    def keep(self, metrics: Sequence[Ready], shards: Iterable[Shard], keeper: Keeper) -> Iterator[StretchScores]:
        """Score shard by shard; the actors read the texts, if they can, and write the shards."""
        keeper = keeper.absolute()
        tasks = shards if keeper.inputs is None else (Shard(shard.number, None) for shard in shards)
        return self._mapped(Job(metrics, keeper), tasks)

    def _mapped(self, job: Job, tasks: Iterable[Task]) -> Iterator[StretchScores]:
        with running(self.workers, self.address) as count:
            actors = started_actors(job, count)
            yield from in_actors(actors, tasks)


@contextmanager
def running(workers: int | None = None, address: str | None = None) -> Iterator[int]:
    """Connect to a cluster, or start Ray here without its dashboard; yield how many actors there may be."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nothing is reported to anybody
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # on a busy machine its start takes minutes
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("--engine ray", "ray") from error
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if ray.is_initialized():  # by whoever calls this from Python
        yield workers or _cores(ray.cluster_resources())
        return
    count = workers or thread_count()
    try:
        if address:
            ray.init(address=address, **quiet)
        else:
            ray.init(address="local", num_cpus=count, include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)
    except Exception as error:  # Ray raises plain exceptions here, too
        raise UsageError(f"Ray cannot be started or reached: {str(error).splitlines()[0]}") from error
    try:
        there = _cores(ray.cluster_resources())
        if address and (workers or 0) > there:
            raise UsageError(f"--workers {workers}, but the cluster at {address} has {there} cores")
        yield workers or there if address else count
    finally:
        ray.shutdown()


def _cores(resources: dict[str, float]) -> int:
    return max(1, int(resources.get("CPU", 1)))


class ShardActor:
    """Scores tasks in a process of Ray's."""

    def __init__(self, job: Job) -> None:
        os.environ["FARTHING_THREADS"] = "1"
        gc.set_threshold(*GARBAGE)
        self.job = job

    def answer(self, task: Task) -> TaskResult:
        """Score a task; what goes wrong is part of the answer."""
        return answered(self.job, task)

    def process(self) -> int:
        """Return the number of the process, for tests that kill it."""
        return os.getpid()


def started_actors(job: Job, count: int) -> list[ActorHandle]:
    """Start actors, each with a core of its own; one that dies is started again, and its task repeated."""
    import ray

    kind = ray.remote(num_cpus=1, max_restarts=RESTARTS, max_task_retries=RESTARTS)(ShardActor)
    return [kind.remote(job) for _ in range(count)]  # by value: a restart needs it again


def in_actors(actors: Sequence[ActorHandle], tasks: Iterable[Task]) -> Iterator[StretchScores]:
    """Let actors do all tasks, and yield the scores in order; only a few wait at a time."""
    import ray

    numbered = enumerate(tasks)
    busy: dict[Any, tuple[int, ActorHandle]] = {}
    done: dict[int, StretchScores] = {}
    idle, next_up, more = list(actors), 0, True
    while more or busy or done:
        while idle and more and len(busy) + len(done) < AHEAD * len(actors):
            number, task = next(numbered, (-1, None))
            more = task is not None
            if more:
                actor = idle.pop()
                busy[actor.answer.remote(task)] = (number, actor)
        if busy:
            [ready], _ = ray.wait(list(busy), num_returns=1)
            number, actor = busy.pop(ready)
            idle.append(actor)
            done[number] = _got(ready)
        while next_up in done:
            yield done.pop(next_up)
            next_up += 1


def _got(reference: Any) -> StretchScores:
    import ray

    try:
        answer: TaskResult = ray.get(reference)
    except ray.exceptions.RayError as error:
        raise ModelError(
            f"an actor of Ray has died more than {RESTARTS} times, perhaps for want of memory: use fewer --workers "
            f"({str(error).splitlines()[0]})"
        ) from error
    if isinstance(answer, TaskFailure):
        raise answer.error()
    return answer
