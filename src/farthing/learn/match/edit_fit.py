"""How much one wrong word counts in a text that is otherwise right: fitted last, so that it is no more than it must be.

Nearly all outputs have no such edit, but those that have one are nearly perfect in people's eyes. A cap that is lower
than to put most of them below a true paraphrase costs agreement with people.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from farthing.core.arrays import Indices, Mask, Segments
from farthing.learn.match.model import JudgeHead
from farthing.students.head import SLOPE

BELOW = 0.75  # of the texts with one thing wrong score below a paraphrase of the same text


@torch.no_grad()
def fit_cap(head: JudgeHead, features: torch.Tensor, targets: torch.Tensor, segments: Sequence[str]) -> None:
    """Set the cap of texts with one thing wrong, and nothing else, by segments of a paraphrase and damaged texts.

    The pair of a segment with the highest target is the paraphrase.
    """
    head.cap.fill_(torch.inf)
    lost = float(head.top) - head(features).double().numpy()
    head.cap.fill_(float(head.top) - least_loss(lost, head.edited(features).numpy(), targets.numpy(), segments))


def least_loss(lost: Segments, edited: Mask, targets: Segments, segments: Sequence[str]) -> float:
    """Return how far below equal texts one error must put a text at least; minus infinity if no text has one.

    :param lost: how far below equal texts each pair is by all else
    :param edited: which pairs have one thing wrong
    """
    best, others = best_and_others(targets, segments)
    seen = edited[others] & ~edited[best]
    needed = lost[best[seen]] - SLOPE * lost[others[seen]]
    return float(np.quantile(needed, BELOW)) if len(needed) else -np.inf


def best_and_others(targets: Segments, segments: Sequence[str]) -> tuple[Indices, Indices]:
    """Return the rows of each segment but its best one, and beside each the best one."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(segments):
        rows.setdefault(name, []).append(row)
    pairs = [
        (best, row)
        for own in rows.values()
        for best in [max(own, key=targets.__getitem__)]
        for row in own
        if row != best
    ]
    found = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return found[:, 0], found[:, 1]
