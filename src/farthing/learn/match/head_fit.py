"""What a head learns while the tokens stay as they are: where it starts, how far it leans, its cap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from farthing.learn.match.edit_fit import fit_cap
from farthing.learn.match.model import Judge, JudgeHead
from farthing.learn.match.panel import Panel
from farthing.learn.match.prepared import Lesson, over
from farthing.students.head import GAPS

SAMPLE = 1024  # pairs with absolute targets, from which a head starts and by which it leans


def start_heads(panel: Panel, lessons: Sequence[Lesson], seed: int, keep: bool) -> None:
    """Start every head from a regression of the absolute targets that its judge learns.

    :param keep: only those that have not started yet
    """
    for name in panel.judges:
        if keep and panel.judge(name).head.started:
            continue
        if parts := list(_samples(panel.judge(name), name, lessons, seed)):
            features, targets = (torch.cat(column) for column in zip(*parts, strict=True))
            for head in panel.judge(name).heads:
                head.start(features, targets)


def lean_heads(panel: Panel, lessons: Sequence[Lesson], seed: int, share: float) -> None:
    """Let recall count more in every head than it has learned: see :meth:`JudgeHead.lean`."""
    for name in panel.judges:
        if parts := list(_samples(panel.judge(name).eval(), name, lessons, seed)):
            lean(panel.judge(name).head, torch.cat([features for features, _ in parts]), share)


@torch.no_grad()
def lean(head: JudgeHead, features: torch.Tensor, share: float) -> None:
    """Add recall to what a head says, so many deviations of it, and keep the mean and the spread of its scores.

    A head learns the faults of old systems by heart; of new ones it ranks the outputs of a segment worse than recall.
    """
    place, before = GAPS.index("recall"), head(features)
    head.linear.weight[0, place] -= share * before.std() / head.scaled(features)[:, place].std()
    after = head(features)
    ratio = before.std() / after.std()
    head.linear.weight *= ratio
    head.out.weight *= ratio
    head.top.copy_(before.mean() + ratio * (head.top - after.mean()))


def fit_caps(panel: Panel, lessons: Sequence[Lesson]) -> None:
    """Let the judges learn how much a single wrong word counts, from the lessons that teach nothing else."""
    for lesson in lessons:
        if lesson.segments is not None:
            judge = panel.judge(lesson.judge).eval()
            features = over(lesson.prepared, range(len(lesson.targets)), judge.features)
            fit_cap(judge.head, features, lesson.targets, lesson.segments)


def _samples(
    judge: Judge, name: str, lessons: Sequence[Lesson], seed: int
) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Draw pairs of a judge's absolute targets, and return their features and targets."""
    own = [lesson for lesson in lessons if lesson.judge == name and lesson.segments is None]
    for lesson in own:
        rows = np.random.default_rng(seed).permutation(len(lesson.targets))[: SAMPLE // len(own)].tolist()
        yield over(lesson.prepared, rows, judge.features), lesson.targets[rows]
