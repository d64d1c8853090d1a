"""The process that scores for another one: tasks in, answers out, and what is wrong as one sentence."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from farthing.core.errors import InputError, MissingInput, UnknownName, UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.scale.worker import Job, TaskFailure, send, serve
from farthing.scoring.engine import Ready, Shard, StretchScores

PAIRS = Pairs(["the cat", "a dog"], [["the cat sat"], ["a dog"]])


def answers(*messages: object) -> list[object]:
    tasks, told = io.BytesIO(), io.BytesIO()
    for message in messages:
        send(tasks, message)
    tasks.seek(0)
    serve(tasks, told)
    told.seek(0)
    found = []
    while told.tell() < len(told.getvalue()):
        found.append(pickle.load(told))
    return found


def ready(spec: str = "chrf") -> Ready:
    return Ready(spec, load_pairs_metric(spec))


def test_a_stretch_is_scored_as_here() -> None:
    [found] = answers(Job([ready()]), [PAIRS])
    expected = load_pairs_metric("chrf").score(PAIRS)
    assert np.array_equal(found[0][0].segments, expected.segments)
    assert str(found[0][0].signature) == str(expected.signature)


@dataclass
class Kept:
    numbers: list[int] = field(default_factory=list)

    def keep(self, shard: Shard, metrics: Sequence[Ready], found: StretchScores) -> None:
        self.numbers.append(shard.number)


def test_a_shard_is_kept_by_who_scores_it() -> None:
    keeper = Kept()
    found = Job([ready()], keeper).scores(Shard(7, [PAIRS]))
    assert keeper.numbers == [7]
    assert len(found[0][0].segments) == 2


def test_a_mistake_is_a_sentence_and_does_not_end_the_process() -> None:
    wrong, right = answers(Job([ready()]), [Pairs(["a"], [[]])], [PAIRS])
    assert isinstance(wrong, TaskFailure)
    with pytest.raises(MissingInput, match="chrf needs a reference"):
        raise wrong.error()
    assert len(right) == 1


def test_every_kind_of_error_crosses_the_pipe() -> None:
    error = TaskFailure.of(InputError("is broken", path="a.txt", line=3)).error()
    assert (type(error), str(error)) == (InputError, "a.txt:3: is broken")
    error = TaskFailure.of(UnknownName("metric", "x", ["y"])).error()
    assert (type(error), "unknown metric 'x'" in str(error)) == (UsageError, True)
    error = TaskFailure.of(ZeroDivisionError("by zero")).error()
    assert (type(error), "ZeroDivisionError: by zero" in str(error)) == (RuntimeError, True)


def test_garbage_is_looked_for_rarely() -> None:
    """With Python's own settings, BLEU took a quarter longer in a worker than in the process of the command line."""
    program = (
        "import gc; from farthing.scale import worker; "
        "worker.serve = lambda *streams: print(*gc.get_threshold()); worker.main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    # a worker's own prints go to standard error; garbage of the youngest is looked for after so many new objects
    assert int(done.stderr.split()[0]) >= 10_000
