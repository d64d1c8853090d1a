"""A tiny model that any loop can train: dropout makes every random state count."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from farthing.learn.train.objective import Objective, ParameterGroup, linear

Batch = tuple[torch.Tensor, torch.Tensor]
ROWS = 50


def make_model() -> torch.nn.Module:
    torch.manual_seed(7)
    return torch.nn.Sequential(
        torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Dropout(0.3), torch.nn.Linear(8, 1)
    )  # fmt: skip


def make_objective(**changes: object) -> Objective[Batch]:
    """Fifty rows of four numbers, whose sum is to be learned."""
    model = make_model()
    inputs = torch.randn(ROWS, 4, generator=torch.Generator().manual_seed(1))
    targets = inputs.sum(dim=1, keepdim=True)
    given: dict[str, object] = {
        "model": model,
        "groups": [ParameterGroup(list(model.parameters()), 1e-2)],
        "lengths": [1 + row % 7 for row in range(ROWS)],
        "batch": lambda rows: (inputs[list(rows)], targets[list(rows)]),
        "loss": lambda model, batch: torch.nn.functional.mse_loss(model(batch[0]), batch[1]),
        "pace": lambda step, steps: linear(step, steps, 2, first=1),
    }
    return Objective(**{**given, **changes})  # type: ignore[arg-type]


@pytest.fixture
def objective() -> Callable[..., Objective[Batch]]:
    """Makes the task, the same every time."""
    return make_objective
