"""The schedule of the rate against transformers' own."""

import pytest
import torch
from transformers import get_linear_schedule_with_warmup

from farthing.learn.train.objective import linear


@pytest.mark.parametrize(("steps", "warm"), [(20, 3), (7, 0), (5, 5)])
def test_from_zero_it_is_transformers_schedule(steps: int, warm: int) -> None:
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    peer = get_linear_schedule_with_warmup(optimiser, warm, steps)
    for step in range(steps):
        assert linear(step, steps, warm) == peer.get_last_lr()[0]
        optimiser.step()
        peer.step()


def test_it_can_begin_above_zero_and_never_falls_below() -> None:
    paces = [linear(step, 10, warm=4, first=1) for step in range(12)]
    assert paces[:4] == [0.25, 0.5, 0.75, 1.0]
    assert paces[10:] == [0.0, 0.0]
