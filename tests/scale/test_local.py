"""Several processes give what one gives, in the same order, even if some of them are killed."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import MissingInput, ModelError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scale import local
from farthing.scale.local import ProcessEngine, WorkerPool, start_worker
from farthing.scale.worker import Job
from farthing.scoring.engine import LocalEngine, Ready
from farthing.scoring.score import choose, score

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "green", "far"]


def pairs(count: int, system: str = "a", seed: int = 0) -> Pairs:
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, random.integers(2, 7))) for _ in range(2 * count)]
    return Pairs.of(texts[:count], texts[count:], system=system)


def stretches(count: int, size: int = 5) -> Iterator[list[Pairs]]:
    return Given([pairs(count), pairs(count, "b", 1)]).stretches(size)


def ready(*specs: str) -> list[Ready]:
    return [Ready(spec, load_pairs_metric(spec)) for spec in specs]


@pytest.mark.parametrize("specs", [("chrf",), ("bleu", "bertscore(model=nano)", "ter")])
def test_processes_give_the_scores_of_one_process_in_order(specs: tuple[str, ...]) -> None:
    metrics = ready(*specs)
    one = list(LocalEngine().map(metrics, stretches(43)))
    two = list(ProcessEngine(2).map(metrics, stretches(43)))
    assert len(one) == len(two) == 9
    for here, there in zip(one, two, strict=True):
        for left, right in zip(here, there, strict=True):
            assert [scores.system for scores in right] == ["a", "b"]
            assert [str(scores.signature) for scores in left] == [str(scores.signature) for scores in right]
            for mine, theirs in zip(left, right, strict=True):
                assert np.array_equal(mine.segments, theirs.segments)


def test_a_run_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    inputs = Given([pairs(2600), pairs(2600, "b", 1)])
    found = []
    for workers in (1, 2):
        folder = tmp_path / f"run{workers}"
        score(choose("bleu"), inputs, run=folder, engine=ProcessEngine(workers))
        found.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert found[0] == found[1]


def test_one_stretch_is_scored_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "start_worker", lambda: pytest.fail("started a process"))
    assert len(list(ProcessEngine(2).map(ready("chrf"), stretches(5)))) == 1
    assert len(list(ProcessEngine(1).map(ready("chrf"), stretches(10)))) == 2
    assert len(list(ProcessEngine(2).map(ready("bertscore(model=nano)"), stretches(10)))) == 2


def test_a_mistake_elsewhere_is_a_sentence_here() -> None:
    wrong = [[pairs(3)], [Pairs(["a"], [[]])]]
    with pytest.raises(MissingInput, match="chrf needs a reference"):
        list(ProcessEngine(2).map(ready("chrf"), wrong))


def test_a_killed_process_is_replaced_and_its_task_done_again() -> None:
    started = []

    def start() -> subprocess.Popen[bytes]:
        started.append(start_worker())
        if len(started) <= 2:
            os.kill(started[-1].pid, signal.SIGKILL)
            started[-1].wait()
        return started[-1]

    pool = WorkerPool(Job(ready("chrf")), 1, start)
    [found] = pool.ask([pairs(3)])
    pool.close()
    assert len(started) == 3
    assert np.array_equal(found[0].segments, load_pairs_metric("chrf").score(pairs(3)).segments)


def test_a_task_that_kills_every_process_is_given_up() -> None:
    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    pool = WorkerPool(Job(ready("chrf")), 1, start)
    with pytest.raises(ModelError, match="was killed 3 times at the same rows"):
        pool.ask([pairs(3)])
    pool.close()


def test_processes_end_with_the_one_that_started_them() -> None:
    worker = start_worker()
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(timeout=60) == 0
    assert worker.stdout is not None
    worker.stdout.close()
