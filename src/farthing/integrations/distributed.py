"""Scoring by all processes of a job of torch.distributed: each scores a part of the rows, all get all scores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from farthing.core.errors import UsageError
from farthing.scoring.engine import LocalEngine, Ready, Stretch, StretchScores, score_stretch

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of one group, as torch.distributed counts them.

    :param group: a group of torch.distributed; None for all processes
    """

    rank: int
    count: int
    group: object | None = None

    def gathered(self, work: Callable[[], Found]) -> list[Found]:
        """Do some work in every process, and return what each of them found, in the same order everywhere.

        An error in one process is raised in all of them, since the others would wait for it forever.
        """
        found: Found | None = None
        error: Exception | None = None
        try:
            found = work()
        except Exception as caught:
            error = caught
        answers: list[tuple[Found, str]] = [(cast(Found, None), "")] * self.count
        # The processes of a job trust each other, so that what torch sends between them may be pickled.
        mine = (found, "" if error is None else str(error) or repr(error))
        sys.modules["torch"].distributed.all_gather_object(answers, mine, group=self.group)
        if error is not None:
            raise error
        for rank, (_, message) in enumerate(answers):
            if message:
                raise UsageError(f"process {rank} could not score its part: {message}")
        return [answer for answer, _ in answers]


def processes(group: object | None = None) -> Processes | None:
    """Return the processes of the job that this one belongs to; None if there is no job, or only this process."""
    torch = sys.modules.get("torch")  # if nobody has imported torch, nobody has started a job
    if torch is None or not torch.distributed.is_available() or not torch.distributed.is_initialized():
        return None
    count = torch.distributed.get_world_size(group)
    return Processes(torch.distributed.get_rank(group), count, group) if count > 1 else None


class SharedEngine(LocalEngine):
    """All processes of a job: every one has all texts, and scores its part of the rows for all of them."""

    def __init__(self, shared: Processes) -> None:
        self.shared = shared

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        """Score this process's part of each stretch, and take the others' scores for the rest."""
        for systems in stretches:
            size = -(-len(systems[0]) // self.shared.count)
            start = self.shared.rank * size
            part = [pairs.part(start, start + size) for pairs in systems]
            found = self.shared.gathered(lambda part=part: _scored(metrics, part))  # type: ignore[misc]
            yield from (scores for scores in found if scores)


def _scored(metrics: Sequence[Ready], part: Stretch) -> StretchScores:
    """Score some rows; without rows, which happens if there are fewer than processes, there are no scores."""
    return score_stretch([ready.metric for ready in metrics], part) if len(part[0]) else []
