"""The proof that an exported student is the trained one: both score the same pairs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from farthing.core.errors import ModelError
from farthing.meta import coefficients
from farthing.students.cross import CrossStudent
from farthing.students.pair_ids import PairIds

CLOSE = {"fp32": 1e-5, "fp16": 5e-3}  # the largest difference, as a share of the largest score where that is above 1
SAME = 0.999  # the least Pearson of the integers with the original


@dataclass(frozen=True, slots=True)
class Agreement:
    """How an exported student compares with the original.

    :param difference: the largest difference of a score
    :param pearson: of all scores
    :param speed: pairs a second on one core
    """

    difference: float
    pearson: float
    speed: float


def compare(exported: CrossStudent, original: np.ndarray, rows: Sequence[PairIds], precision: str) -> Agreement:
    """Score the pairs and raise where the export deviates from the original."""
    exported.scores(rows[:64])  # the first call also sets onnxruntime up
    began = time.process_time()
    found = exported.scores(rows)
    seconds = max(time.process_time() - began, 1e-9)
    if not np.isfinite(found).all():
        raise ModelError("the exported model gives scores that are no numbers: it is not written")
    difference = float(np.abs(found - original).max())
    agreement = Agreement(difference, correlation(original, found), round(len(rows) / seconds, 1))
    allowed = CLOSE.get(precision, np.inf) * max(1.0, float(np.abs(original).max()))
    if difference > allowed:
        raise ModelError(
            f"the exported model deviates from the trained one by {difference:.2g}, over {allowed:.2g}: not written"
        )
    if precision == "int8" and agreement.pearson < SAME:
        raise ModelError(
            f"the int8 model agrees with the trained one by a Pearson of {agreement.pearson:.5f} only, "
            f"less than {SAME}: it is not written; export fp16 instead, or give other --pairs to measure on"
        )
    return agreement


def torch_scores(model: Any, rows: Sequence[PairIds], pad: int) -> np.ndarray:
    """What the original says, pair by pair in small batches."""
    import torch

    from farthing.students.pair_ids import INPUTS, as_batch

    typed = getattr(model.config, "type_vocab_size", 0) > 1
    found = []
    with torch.inference_mode():
        for begin in range(0, len(rows), 32):
            batch = as_batch(rows[begin : begin + 32], pad)
            inputs = {name: torch.from_numpy(value) for name, value in batch.items() if typed or name != INPUTS[1]}
            found.append(model(**inputs).logits.reshape(-1).double().numpy())
    return np.concatenate(found)


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson, and 1 where both are the same constant."""
    value = float(coefficients.pearson(first[None], second[None])[0])
    return value if np.isfinite(value) else float(np.allclose(first, second))
