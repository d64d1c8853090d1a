"""Pairs as a judge reads them: ids and surface features, in batches, with what it should say about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Teaches
from farthing.learn.data.marks import token_marks
from farthing.learn.match.model import Judge, TextBatch, text_batch
from farthing.learn.match.panel import Assignment
from farthing.students.head import text_gaps
from farthing.students.layout import SURFACE

TOKENS_PER_TEXT = 192  # while learning; longer texts would slow down all others
AT_A_TIME = 32  # pairs per batch if nothing is learned


class PairBatch(NamedTuple):
    """The arguments of a judge."""

    candidates: TextBatch
    references: TextBatch
    surface: torch.Tensor


class TargetBatch(NamedTuple):
    """Pairs with what a judge should say about them, and the weights of its errors.

    :param centred: only the differences between the pairs count
    :param wrong: which tokens of the candidates are wrong, 1 or 0, NaN if that is not known
    :param teaches: what learns from the batch
    """

    judge: str
    pairs: PairBatch
    targets: torch.Tensor
    weights: torch.Tensor
    centred: bool
    wrong: torch.Tensor | None = None
    teaches: Teaches = "all"


class Prepared:
    """Pairs as ids and surface features; each distinct text is tokenized once."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        candidates: Sequence[str],
        references: Sequence[str],
        features: Sequence[str] = (SURFACE,),
    ) -> None:
        distinct = list(dict.fromkeys([*candidates, *references]))
        room = min(tokenizer.room, TOKENS_PER_TEXT)
        contents = [content[:room] or [tokenizer.pad] for content in tokenizer.contents(distinct)]
        ids = dict(zip(distinct, (tokenizer.wrapped(content) for content in contents), strict=True))
        self.candidates, self.references = [ids[text] for text in candidates], [ids[text] for text in references]
        self.surface = torch.from_numpy(text_gaps(candidates, references, features)).float()
        self.around, self.pad = (len(tokenizer.prefix), len(tokenizer.suffix)), tokenizer.pad
        self.lengths = [len(a) + len(b) for a, b in zip(self.candidates, self.references, strict=True)]

    @property
    def owners(self) -> np.ndarray:
        """One number per pair, the same for pairs with the same reference."""
        numbers = {row: number for number, row in enumerate(dict.fromkeys(map(tuple, self.references)))}
        return np.array([numbers[tuple(row)] for row in self.references])

    def batch(self, rows: Sequence[int]) -> PairBatch:
        """Make the arguments of a judge for some rows."""
        first = text_batch([self.candidates[row] for row in rows], self.pad, self.around)
        second = text_batch([self.references[row] for row in rows], self.pad, self.around)
        return PairBatch(first, second, self.surface[list(rows)])


class Lesson:
    """One part of what a panel learns, ready for batches."""

    def __init__(self, part: Assignment, judge: Judge, tokenizer: Tokenizer) -> None:
        data = part.examples
        self.judge, self.segments, self.teaches = part.judge, data.segments, data.teaches
        self.prepared = Prepared(tokenizer, data.candidates, data.references, judge.groups)
        self.targets, self.weights = torch.from_numpy(data.targets).float(), torch.from_numpy(data.weights).float()
        self.marks = [
            token_marks(tokenizer.spans(text), wrong) if wrong is not None else None
            for text, wrong in zip(data.candidates, data.wrong or [None] * len(data), strict=True)
        ]

    def batch(self, rows: Sequence[int]) -> TargetBatch:
        """Make a batch of some rows."""
        pairs, centred = self.prepared.batch(rows), self.segments is not None
        targets, weights = self.targets[list(rows)], self.weights[list(rows)]
        wrong = self._wrong(rows, pairs.candidates)
        return TargetBatch(self.judge, pairs, targets, weights, centred, wrong, self.teaches)

    def _wrong(self, rows: Sequence[int], candidates: TextBatch) -> torch.Tensor | None:
        """Lay out the marks of some rows like the tokens of their candidates."""
        marks = [self.marks[row] for row in rows]
        if all(one is None for one in marks):
            return None
        before = self.prepared.around[0]
        wrong = torch.full((len(rows), candidates.ids.shape[1]), float("nan"))
        for place, one in enumerate(marks):
            if one is not None:
                some = torch.from_numpy(one[: wrong.shape[1] - sum(self.prepared.around)])
                wrong[place, before : before + len(some)] = some
        return wrong


@torch.no_grad()
def over(prepared: Prepared, rows: Sequence[int], function: Callable[..., torch.Tensor]) -> torch.Tensor:
    """Apply a function of batches to many rows, those of equal lengths together."""
    order = sorted(range(len(rows)), key=lambda place: prepared.lengths[rows[place]])
    runs = [order[begin : begin + AT_A_TIME] for begin in range(0, len(order), AT_A_TIME)]
    parts = [function(*prepared.batch([rows[place] for place in run])) for run in runs]
    return torch.cat(parts)[torch.argsort(torch.tensor(order))]
