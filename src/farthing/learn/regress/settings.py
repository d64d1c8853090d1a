"""The settings of an estimator's training."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.core.errors import UsageError
from farthing.learn.train.settings import Settings


@dataclass(frozen=True, slots=True)
class RegressSettings(Settings):
    """How to train an estimator.

    COMET's own settings are `rate=1.5e-5`, `encoder_rate=1e-6` and a batch of 256; they suit hundreds of thousands of
    judgements. The defaults here suit thousands.

    :param rate: the rate of mix and head
    :param encoder_rate: the rate of the encoder's last layer, or of all of an adapter
    :param decay: the rate of each layer is this share of that of the layer above
    :param frozen: the number of epochs at the start in which the encoder does not change; adapters learn from the start
    :param embeddings: train the table of word vectors, too
    :param dropout: of the head
    :param limit: the most tokens of a text
    :param patience: stop after this many checks without a better Kendall correlation
    :param falling: let the rates fall to 0 along a line; COMET's stay, which suits runs that patience ends
    :param threads: how many cores to use
    """

    epochs: float = 5
    batch: int = 32
    rate: float = 3e-4
    encoder_rate: float = 3e-5
    decay: float = 0.95
    frozen: float = 0.3
    embeddings: bool = False
    dropout: float = 0.1
    limit: int = 256
    patience: int | None = 2
    warm_up: float = 0.0
    falling: bool = False
    threads: int | None = None

    def __post_init__(self) -> None:
        Settings.__post_init__(self)  # super() does not work in a class with slots
        if not (self.encoder_rate > 0 and 0 < self.decay <= 1 and self.frozen >= 0 and 0 <= self.dropout < 1):
            raise UsageError(
                "encoder_rate must be above 0, decay above 0 and at most 1, frozen at least 0, and dropout from 0 to "
                "below 1"
            )
        if self.limit < 8:
            raise UsageError("the limit must be at least 8 tokens")
        if self.patience is not None and self.patience < 1:
            raise UsageError("patience must be at least 1")
