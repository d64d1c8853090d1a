"""What an estimator learns: the targets of its rows by mean squared error, each part at its own rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch

from farthing.core.arrays import Segments
from farthing.encoders.backends.torch import find_blocks
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.regress.model import EstimatorModel, RowBatch
from farthing.learn.regress.rows import TokenRows
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.train.objective import Objective, Pace, ParameterGroup, linear
from farthing.meta import coefficients

KENDALL = "kendall"  #: the figure that chooses the best check
DECAY = 0.01  # of weights, as AdamW has it in COMET
AT_ONCE = 32  # rows per batch when scores are computed


def estimator_objective(
    model: EstimatorModel,
    rows: TokenRows,
    settings: RegressSettings,
    adapter: Adapter | None = None,
    *,
    check: Callable[[], Mapping[str, float]] | None = None,
) -> Objective[RowBatch]:
    """Tell the training loop how to teach an estimator.

    :param adapter: what learns of the encoder; by default all layers of it
    :param check: figures on held-out rows, :data:`KENDALL` among them
    """
    return Objective(
        model,
        list(estimator_groups(model, settings, adapter)),
        rows.lengths,
        rows.batch,
        squared_errors,
        pace=pace_of(settings),
        check=check,
        goal=KENDALL if check is not None else None,
        patience=settings.patience,
        batches=lambda epoch: rows.batches(settings.batch, settings.seed, epoch),
    )


def estimator_groups(
    model: EstimatorModel, settings: RegressSettings, adapter: Adapter | None = None
) -> Iterator[ParameterGroup]:
    """Yield what learns: mix and head, then the adapter or the encoder's layers, each slower than the one above."""
    yield ParameterGroup([*model.mix.parameters(), *model.head.parameters()], settings.rate, DECAY)
    if adapter is not None:
        yield ParameterGroup([part for _, part in adapter.named_parameters()], settings.encoder_rate, DECAY)
        return
    encoder = model.encoder
    blocks = find_blocks(encoder, encoder.config.num_hidden_layers)
    layers: Sequence[torch.nn.Module] = [] if blocks is None else list(blocks)
    inside = {id(part) for layer in layers for part in layer.parameters()}
    rest = [part for part in encoder.parameters() if id(part) not in inside]
    for part in rest:
        part.requires_grad_(settings.embeddings)
    for power, layer in enumerate(reversed(layers)):
        rate = settings.encoder_rate * settings.decay**power
        yield ParameterGroup(list(layer.parameters()), rate, DECAY, settings.frozen)
    if settings.embeddings:
        yield ParameterGroup(rest, settings.encoder_rate * settings.decay ** len(layers), DECAY, settings.frozen)


def pace_of(settings: RegressSettings) -> Pace:
    """Return how the rates change: they rise at the start, then stay or fall."""

    def pace(step: int, steps: int) -> float:
        warm = math.ceil(settings.warm_up * steps)
        return linear(step, steps, warm, first=1) if settings.falling else constant(step, warm)

    return pace


def constant(step: int, warm: int) -> float:
    """Rise over the first `warm` steps, then stay.

    >>> [constant(step, 2) for step in range(4)]
    [0.5, 1.0, 1.0, 1.0]
    """
    return min(1.0, (step + 1) / warm) if warm else 1.0


def squared_errors(model: torch.nn.Module, batch: RowBatch) -> torch.Tensor:
    """Compute the mean squared error of a batch."""
    return torch.nn.functional.mse_loss(model(batch), batch.targets)


@torch.inference_mode()
def estimates(model: EstimatorModel, rows: TokenRows) -> Segments:
    """Score rows by torch, in batches of about the same length, on the device of the model."""
    device = next(model.parameters()).device
    scores = np.zeros(len(rows))
    order = np.argsort(rows.lengths, kind="stable")
    for begin in range(0, len(order), AT_ONCE):
        some = order[begin : begin + AT_ONCE]
        batch = RowBatch(*(part.to(device) for part in rows.batch(some.tolist())))
        scores[some] = model(batch).double().cpu().numpy()
    return scores


def grouped_kendall(human: Segments, scores: Segments, groups: Sequence[str]) -> float:
    """Average Kendall's tau-b over the groups; one in which a side is constant counts as 0.

    >>> grouped_kendall(np.array([1.0, 2, 1, 2]), np.array([1.0, 2, 2, 1]), list("aabb"))
    0.0
    """
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    values = [float(coefficients.kendall(human[rows][None], scores[rows][None])[0]) for rows in members.values()]
    return float(np.mean(np.nan_to_num(values)))
