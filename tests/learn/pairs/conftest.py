"""What the tests of sources share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest

from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.sources import make_source

Draw = Callable[..., list[TrainingPair]]


@pytest.fixture
def pairs_of() -> Draw:
    """Draws the first pairs of a source: its name, how many, the seed, and its options."""

    def draw(name: str, count: int = 10**6, seed: int = 0, **options: object) -> list[TrainingPair]:
        return list(islice(make_source(name, options).pairs(np.random.default_rng(seed)), count))

    return draw
