"""What the training loop is told: a model, its parameters, batches, a loss, and how to check it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    import torch

Tensors = TypeVar("Tensors")
Pace: TypeAlias = Callable[[int, int], float]  #: the share of the highest rate at a step (from 0) of so many steps


@dataclass(frozen=True, slots=True)
class ParameterGroup:
    """Parameters that learn alike.

    :param rate: the highest learning rate
    :param decay: weight decay, as AdamW applies it
    :param frozen: the number of epochs at the start in which the parameters do not change
    """

    parameters: Sequence[torch.nn.Parameter]
    rate: float
    decay: float = 0.0
    frozen: float = 0.0


@dataclass(frozen=True, slots=True)
class Objective(Generic[Tensors]):
    """What a model shall learn.

    :param model: is trained in place
    :param lengths: tokens per row
    :param batch: makes the tensors of some rows
    :param loss: what a step makes smaller; the model that it is given may be wrapped for several processes
    :param check: figures on held-out data, such as a correlation
    :param batches: puts the rows of an epoch (from 0) into batches, as many in each epoch; without it, rows of about
        the same length share a batch
    :param goal: the figure whose best check gives the final weights; without it the last step gives them
    :param patience: stop after this many checks in which the goal did not improve
    """

    model: torch.nn.Module
    groups: Sequence[ParameterGroup]
    lengths: Sequence[int] | np.ndarray
    batch: Callable[[Sequence[int]], Tensors]
    loss: Callable[[torch.nn.Module, Tensors], torch.Tensor]
    pace: Pace
    check: Callable[[], Mapping[str, float]] | None = None
    goal: str | None = None
    patience: int | None = None
    batches: Callable[[int], list[list[int]]] | None = None


def linear(step: int, steps: int, warm: int, first: int = 0) -> float:
    """Rise over the first `warm` steps, then fall to 0 along a line.

    :param first: 1 if the very first step shall already move the model

    >>> [linear(step, 6, warm=2) for step in range(6)]
    [0.0, 0.5, 1.0, 0.75, 0.5, 0.25]
    >>> linear(0, 6, warm=2, first=1)
    0.5
    """
    return (step + first) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))
