"""What a cross-encoder learns: one score per pair, by mean squared error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from farthing.learn.cross.scores import has_types
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.data.dataset import Collate, PairDataset
from farthing.learn.train.objective import Objective, ParameterGroup, linear

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel


def pair_objective(
    model: PreTrainedModel,
    pad: int,
    pairs: PairDataset,
    settings: CrossSettings,
    *,
    check: Callable[[], Mapping[str, float]] | None = None,
    goal: str | None = None,
) -> Objective[dict[str, torch.Tensor]]:
    """Tell the training loop how to teach a cross-encoder the targets of pairs: the paper's schedule, no weight decay.

    :param pad: the id that fills short rows
    :param check: figures on held-out pairs
    :param goal: the figure whose best check gives the final weights
    """
    collate = Collate(pad, has_types(model))
    return Objective(
        model,
        [ParameterGroup([one for one in model.parameters() if one.requires_grad], settings.rate)],
        pairs.lengths,
        lambda rows: collate([pairs[row] for row in rows]),
        squared_error,
        pace=lambda step, steps: linear(step, steps, math.ceil(settings.warm_up * steps)),
        check=check,
        goal=goal,
        patience=settings.patience,
    )


def squared_error(model: torch.nn.Module, batch: Mapping[str, torch.Tensor]) -> torch.Tensor:
    """Compute the mean squared error of a batch."""
    import torch

    inputs = {name: value for name, value in batch.items() if name != "labels"}
    return torch.nn.functional.mse_loss(model(**inputs).logits.squeeze(-1), batch["labels"])
