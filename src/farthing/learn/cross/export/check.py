"""The check that an exported student is the trained one: both score the same pairs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import ModelError
from farthing.learn.cross.scores import correlation
from farthing.students.cross import CrossStudent
from farthing.students.pair_ids import PairIds

CLOSE = {"fp32": 1e-5, "fp16": 5e-3}  # the largest difference, as a share of the largest score if that is above 1
LEAST_PEARSON = 0.999  # of the integers with the original


@dataclass(frozen=True, slots=True)
class Agreement:
    """How an exported student compares with the original.

    :param difference: the largest difference of a score
    :param pearson: of all scores
    :param speed: pairs per second on one core
    """

    difference: float
    pearson: float
    speed: float


def check_export(exported: CrossStudent, original: Segments, rows: Sequence[PairIds], precision: str) -> Agreement:
    """Score the pairs and raise if the export deviates from the original."""
    exported.scores(rows[:64])  # the first call also sets onnxruntime up
    began = time.process_time()
    scores = exported.scores(rows)
    seconds = time.process_time() - began
    return export_agreement(scores, original, len(rows), seconds, precision)


def export_agreement(scores: Segments, original: Segments, rows: int, seconds: float, precision: str) -> Agreement:
    """Compare the scores of an export with those of the original, and raise if they deviate too far.

    :param rows: how many were scored in so many seconds
    """
    if not np.isfinite(scores).all():
        raise ModelError("the exported model gives scores that are not numbers: it is not written")
    difference = float(np.abs(scores - original).max())
    agreement = Agreement(difference, correlation(original, scores), round(rows / max(seconds, 1e-9), 1))
    allowed = CLOSE.get(precision, np.inf) * max(1.0, float(np.abs(original).max()))
    if difference > allowed:
        raise ModelError(
            f"the exported model deviates from the trained one by {difference:.2g}, over {allowed:.2g}: not written"
        )
    if precision == "int8" and agreement.pearson < LEAST_PEARSON:
        raise ModelError(
            f"the int8 model agrees with the trained one by a Pearson of {agreement.pearson:.5f} only, "
            f"less than {LEAST_PEARSON}: it is not written; export fp16 instead, or give other --pairs to measure on"
        )
    return agreement
