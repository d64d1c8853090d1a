"""The settings of a judge's training: what a recipe's [training] table can say."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.learn.train.settings import Settings


@dataclass(frozen=True, slots=True)
class MatchSettings(Settings):
    """How to train a judge.

    :param rate: of the transformer
    :param head_rate: of the head
    :param table_rate: of the tokens' weights, and of tables of vectors
    :param frozen: how many of the lowest layers stay as they are (the embeddings always do)
    :param decay: the transformer's weight decay
    :param averaged: train so many times, each in another order of the pairs, and average the weights
    :param marks: the weight of what the tokens learn from marks of wrong words, beside the scores
    :param lean: in the end, recall counts so many deviations beside what the head has learned
    :param together: pairs with the same reference share a batch, in which the reference is encoded once
    :param parts: learn the tokens' vectors and weights too, not only the head
    """

    epochs: float = 1
    batch: int = 16
    head_rate: float = 5e-3
    table_rate: float = 1e-3
    frozen: int = 0
    decay: float = 0.01
    averaged: int = 1
    marks: float = 0.5
    lean: float = 0.0
    together: bool = False
    parts: bool = True
