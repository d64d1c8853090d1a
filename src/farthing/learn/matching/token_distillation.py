"""Token distillation: a student learns the token vectors of a teacher, not its scores.

The teacher is a finished student that reads the same tokens. Its vectors are turned to their main directions and
cut to the student's width, which keeps the cosines as nearly as can be; the student learns to give the same
unit vectors and the same weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.errors import ModelError, UsageError
from farthing.encoders.tokenize import Tokenizer
from farthing.learn.lengths import bucketed

if TYPE_CHECKING:
    import torch

    from farthing.metrics.students.student import Student

PIECE = 32  # the most sentences a step
Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What the teacher says of some sentences: ids, unit vectors and weights of their tokens, one entry a sentence."""

    ids: list[list[int]]
    vectors: list[np.ndarray]
    weights: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.ids)


def lessons(teacher: Student, tokenizer: Tokenizer, texts: Sequence[str], width: int) -> Lessons:
    """Let the teacher read the texts, and cut its vectors to a width."""
    if teacher.tokenizer.hash != tokenizer.hash and not _same_words(teacher.tokenizer, tokenizer):
        raise ModelError("teacher and student cut texts into different tokens: token distillation needs one vocabulary")
    reading = teacher.read(texts)
    kept = {text: tokens for text, tokens in reading.tokens.items() if tokens is not None}
    if not kept:
        raise UsageError("there is no text to distil from")
    sample = np.concatenate([tokens.vectors for tokens in list(kept.values())[:2000]]).astype(np.float64)
    directions = main_directions(sample, width)
    contents = [tokenizer.cut(content) for content in tokenizer.contents(list(kept))]
    turned = [_unit(tokens.vectors @ directions) for tokens in kept.values()]
    return Lessons(contents, turned, [tokens.weights for tokens in kept.values()])


def _same_words(first: Tokenizer, second: Tokenizer) -> bool:
    return first.size == second.size and all(first.token(one) == second.token(one) for one in range(0, first.size, 97))


def main_directions(vectors: np.ndarray, width: int) -> np.ndarray:
    """The projection on so many numbers that keeps the products of the rows best.

    >>> main_directions(np.array([[2.0, 0.0], [0.0, 1.0]]), 1).round(6).tolist() in ([[1.0], [0.0]], [[-1.0], [0.0]])
    True
    """
    if width >= vectors.shape[1]:
        return np.eye(vectors.shape[1], width)
    _, found = np.linalg.eigh(vectors.T @ vectors)
    return found[:, ::-1][:, :width]


def _unit(vectors: np.ndarray) -> np.ndarray:
    found: np.ndarray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return found.astype(np.float32)


def mean_vectors(given: Lessons, size: int) -> np.ndarray:
    """For every id the mean of its vectors; ids that never occurred get zeros."""
    width = given.vectors[0].shape[1]
    ids = np.concatenate([np.asarray(one) for one in given.ids])
    total = np.zeros((size, width))
    np.add.at(total, ids, np.concatenate(given.vectors))
    counts = np.bincount(ids, minlength=size)[:, None]
    found: np.ndarray = (total / np.maximum(counts, 1)).astype(np.float32)
    return found


def distil_tokens(
    student: torch.nn.Module, tokenizer: Tokenizer, given: Lessons, *,
    epochs: int, rate: float, seed: int, log: Log = lambda line: None,
) -> None:  # fmt: skip
    """Train the student in place: one minus the cosine of the vectors, and the squared error of the logs of weights."""
    import torch

    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(student.parameters(), lr=rate, weight_decay=0.01)
    lengths = [len(ids) for ids in given.ids]
    orders = [bucketed(lengths, PIECE, seed, epoch) for epoch in range(epochs)]
    batches = [order[at : at + PIECE] for order in orders for at in range(0, len(order), PIECE)]
    steps = len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1.0, (step + 1) / 50) * (1 - step / steps))
    student.train()
    total = 0.0
    for step, rows in enumerate(batches, start=1):
        loss = _loss(student, tokenizer, given, rows)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        total += float(loss.detach())
        if not step % 100 or step == len(batches):
            log(f"token distillation: step {step}/{len(batches)}, loss {total / (step % 100 or 100):.4f}")
            total = 0.0
    student.eval()


def _loss(student: torch.nn.Module, tokenizer: Tokenizer, given: Lessons, rows: Sequence[int]) -> torch.Tensor:
    import torch

    from farthing.learn.matching.model import side

    around = len(tokenizer.prefix), len(tokenizer.suffix)
    one = side([tokenizer.wrapped(given.ids[row]) for row in rows], tokenizer.pad, around)
    vectors, weights = student(one.ids, one.mask)
    body = one.body.bool()
    wanted = torch.from_numpy(np.concatenate([given.vectors[row] for row in rows]))
    heavy = torch.from_numpy(np.concatenate([given.weights[row] for row in rows]))
    near = (vectors[body] * wanted).sum(dim=1)
    found: torch.Tensor = (1 - near).mean() + 0.1 * (weights[body].log() - heavy.log()).square().mean()
    return found


def read_sentences(path: Path, count: int, seed: int) -> list[str]:
    """So many sentences of a corpus, drawn at random."""
    from farthing.learn.matching.data import lines

    texts = [text for text in lines(path) if 3 <= len(text.split()) <= 60]
    order = np.random.default_rng(seed).permutation(len(texts))[:count]
    return [texts[place] for place in order]
