"""The settings that every training run has, whatever it trains."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    :param epochs: passes over the data; a fraction is possible
    :param batch: rows per step and process
    :param rate: the highest learning rate
    :param warm_up: the share of the steps in which the rate rises
    :param clip: the largest norm of a gradient
    :param checks: how often in a run the model is checked and a checkpoint is written
    :param seed: of everything that is drawn
    """

    epochs: float = 3
    batch: int = 32
    rate: float = 3e-5
    warm_up: float = 0.06
    clip: float = 1.0
    checks: int = 10
    seed: int = 1

    def __post_init__(self) -> None:
        if not (self.epochs > 0 and self.batch >= 1 and self.rate > 0 and 0 <= self.warm_up < 1 and self.clip > 0):
            raise UsageError(
                "epochs, rate and clip must be above 0, batch at least 1, and the warm-up from 0 to below 1"
            )
        if self.checks < 1:
            raise UsageError("checks must be at least 1")
