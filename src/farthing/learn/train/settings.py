"""The settings of a training run; the defaults are the paper's."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train.

    :param limit: most tokens of a pair
    :param warmup: the share of the steps in which the rate rises
    :param standardise: learn targets of mean 0 and deviation 1, and put the scale back into the head at the end
    :param checks: how often in a run the held-out pairs are scored and a checkpoint is written
    :param patience: stop after so many checks without a better correlation; None never stops early
    :param clip: the largest norm of a gradient
    """

    epochs: float = 3
    batch: int = 32
    rate: float = 3e-5
    warmup: float = 0.06
    decay: str = "linear"
    limit: int = 256
    standardise: bool = False
    checks: int = 10
    patience: int | None = None
    clip: float = 1.0
    seed: int = 1
    threads: int | None = None

    def __post_init__(self) -> None:
        if not (self.epochs > 0 and self.batch >= 1 and self.rate > 0 and 0 <= self.warmup < 1 and self.limit >= 8):
            raise UsageError(
                "epochs and rate must be above 0, batch at least 1, warm-up from 0 to below 1, the limit at least 8"
            )
        if self.checks < 1 or (self.patience is not None and self.patience < 1):
            raise UsageError("checks and patience must be at least 1")
