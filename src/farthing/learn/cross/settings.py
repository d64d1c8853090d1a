"""The settings of a cross-encoder's training; the defaults are the paper's."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.core.errors import UsageError
from farthing.learn.train.settings import Settings


@dataclass(frozen=True, slots=True)
class CrossSettings(Settings):
    """How to train a cross-encoder.

    :param limit: the most tokens of a pair
    :param standardise: learn targets of mean 0 and deviation 1, and put the scale back into the head at the end
    :param patience: stop after this many checks without a better correlation; None never stops early
    :param threads: how many cores to use
    """

    limit: int = 256
    standardise: bool = False
    patience: int | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        Settings.__post_init__(self)  # super() does not work in a class with slots
        if self.limit < 8:
            raise UsageError("the limit must be at least 8 tokens")
        if self.patience is not None and self.patience < 1:
            raise UsageError("patience must be at least 1")
