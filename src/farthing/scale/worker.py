"""A process that scores for another one: it reads tasks from standard input and writes answers to standard output.

The first message says with which metrics to score, and where shards are kept, if they are. Every other message is a
stretch or a shard. The messages are pickled; they come from the process that started this one, over a pipe that nobody
else can write to. The end of the input, also by the death of that process, is the end of this one.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TypeAlias

from farthing.core import errors
from farthing.scoring.engine import GARBAGE, Keeper, Ready, Shard, Stretch, StretchScores, score_stretch

Task: TypeAlias = Shard | Stretch
_KINDS = {
    kind.__name__: kind
    for kind in (errors.UsageError, errors.MissingInput, errors.InputError, errors.OutputError, errors.ModelError)
}


@dataclass(frozen=True, slots=True)
class Job:
    """With what tasks are scored, and what keeps them, if anything does."""

    metrics: Sequence[Ready]
    keeper: Keeper | None = None

    def scores(self, task: Task) -> StretchScores:
        """Score a task, and keep it if it is a shard."""
        if self.keeper is not None and isinstance(task, Shard) and task.systems is None:
            task = Shard(task.number, self.keeper.texts(task.number))
        systems = task.systems if isinstance(task, Shard) else task
        assert systems is not None
        found = score_stretch([ready.metric for ready in self.metrics], systems)
        if self.keeper is not None and isinstance(task, Shard):
            self.keeper.keep(task, self.metrics, found)
        return found


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """An error that another process raised, as plain text."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> TaskFailure:
        """Describe an error: a mistake of the user by its sentence, any other by all that is known of it."""
        if isinstance(error, errors.FarthingError):
            known = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _KINDS), "UsageError")
            return cls(known, str(error))
        return cls("", "".join(traceback.format_exception(error)))

    def error(self) -> Exception:
        """Return the error to raise in this process."""
        return _KINDS[self.kind](self.message) if self.kind else RuntimeError(self.message)


TaskResult: TypeAlias = StretchScores | TaskFailure


def send(stream: IO[bytes], message: object) -> None:
    """Write a message."""
    pickle.dump(message, stream, protocol=pickle.HIGHEST_PROTOCOL)
    stream.flush()


def serve(tasks: IO[bytes], answers: IO[bytes]) -> None:
    """Answer every task until there is none."""
    job: Job | None = None
    while True:
        try:
            message = pickle.load(tasks)
        except EOFError:
            return
        except Exception as error:  # a metric that cannot be loaded here
            send(answers, TaskFailure.of(error))
            continue
        if isinstance(message, Job):
            job = message
            continue
        assert job is not None
        send(answers, answered(job, message))


def answered(job: Job, task: Task) -> TaskResult:
    """Score a task; an error is an answer, too."""
    try:
        return job.scores(task)
    except Exception as error:
        return TaskFailure.of(error)


def main() -> None:
    """Serve whoever started this process."""
    gc.set_threshold(*GARBAGE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print goes to standard error, not between the answers
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more
