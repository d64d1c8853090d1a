"""How a judge is trained, in numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How a judge is trained.

    :param rate: of the transformer
    :param table_rate: of the tokens' weights, and of tables of vectors
    :param frozen: how many of the lowest layers stay as they are (the embeddings always do)
    :param parts: learn the tokens' vectors and weights too, not the head only
    """

    epochs: int = 1
    rate: float = 3e-5
    head_rate: float = 5e-3
    table_rate: float = 1e-3
    batch: int = 16
    seed: int = 1
    frozen: int = 0
    warm_up: float = 0.06
    decay: float = 0.01
    parts: bool = True
