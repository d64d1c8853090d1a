"""What a cross-encoder says about pairs while it learns, and how well that agrees with the targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Segments
from farthing.meta import coefficients
from farthing.students.pair_ids import INPUTS, PairIds, as_batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel

AT_ONCE = 32  # pairs per batch


def torch_scores(model: PreTrainedModel, rows: Sequence[PairIds], pad: int) -> Segments:
    """Score pairs by torch, in small batches, on the device of the model."""
    import torch

    typed = has_types(model)
    scores = []
    with torch.inference_mode():
        for begin in range(0, len(rows), AT_ONCE):
            batch = as_batch(rows[begin : begin + AT_ONCE], pad)
            inputs = {name: torch.from_numpy(value) for name, value in batch.items() if typed or name != INPUTS[1]}
            moved = {name: value.to(model.device) for name, value in inputs.items()}
            scores.append(model(**moved).logits.reshape(-1).double().cpu().numpy())
    return np.concatenate(scores)


def has_types(model: PreTrainedModel) -> bool:
    """Return True if the model tells the first text from the second by token types."""
    return getattr(model.config, "type_vocab_size", 0) > 1


def correlation(first: Segments, second: Segments) -> float:
    """Compute Pearson's correlation; two equal constants have 1, other constants 0."""
    value = float(coefficients.pearson(first[None], second[None])[0])
    return value if np.isfinite(value) else float(np.allclose(first, second))


def agreement(scores: Segments, targets: Segments) -> dict[str, float]:
    """Say how well scores of held-out pairs agree with their targets.

    >>> agreement(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0]))["spearman"]
    1.0
    """
    loss = float(np.mean((scores - targets) ** 2))
    if len(scores) < 3 or np.ptp(scores) < 1e-12 or np.ptp(targets) < 1e-12:
        return {"loss": loss, "pearson": 0.0, "spearman": 0.0}  # nothing varies, so nothing agrees
    return {
        "loss": loss,
        "pearson": float(coefficients.pearson(targets[None], scores[None])[0]),
        "spearman": float(coefficients.spearman(targets[None], scores[None])[0]),
    }
