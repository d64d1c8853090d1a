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
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.corpus import last_cells
from farthing.learn.data.lengths import bucketed
from farthing.students.gaps import Tokens

if TYPE_CHECKING:
    import torch

    from farthing.students.match import Student

PIECE = 64  # the most sentences a step
READ = 2000  # sentences that the teacher reads at a time
OFTEN = 3  # occurrences of an id that say as much as the vector it has alone
LIGHT = 1e-3  # the least weight of a token whose logarithm is learned
Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What the teacher says of some sentences: ids, unit vectors and weights of their tokens, one entry a sentence.

    :param alone: what it says of every id where nothing stands around it, for ids that no sentence has
    """

    ids: list[list[int]]
    vectors: list[np.ndarray]
    weights: list[np.ndarray]
    alone: Tokens

    def __len__(self) -> int:
        return len(self.ids)


def lessons(teacher: Student, tokenizer: Tokenizer, texts: Sequence[str], width: int) -> Lessons:
    """Let the teacher read the texts, and cut its vectors to a width."""
    if teacher.tokenizer.hash != tokenizer.hash and not _same_words(teacher.tokenizer, tokenizer):
        raise ModelError("teacher and student cut texts into different tokens: token distillation needs one vocabulary")
    distinct = list(dict.fromkeys(texts))
    contents = {text: tokenizer.cut(ids) for text, ids in zip(distinct, tokenizer.contents(distinct), strict=True)}
    kept = [text for text in distinct if contents[text]]
    if not kept:
        raise UsageError("there is no text to distil from")
    directions, vectors, weights = None, [], []
    for begin in range(0, len(kept), READ):  # whole vectors of all texts would fill the memory
        read = teacher.read(kept[begin : begin + READ]).tokens
        tokens = [one for text in kept[begin : begin + READ] if (one := read[text]) is not None]
        if directions is None:
            directions = main_directions(np.concatenate([one.vectors for one in tokens]).astype(np.float64), width)
        vectors += [_unit(one.vectors @ directions).astype(np.float16) for one in tokens]
        weights += [one.weights for one in tokens]
    alone = teacher.encoder.encode([[number] for number in range(tokenizer.size)])
    by_itself = Tokens(np.concatenate([one.vectors for one in alone]), np.concatenate([one.weights for one in alone]))
    return Lessons([contents[text] for text in kept], vectors, weights, by_itself)


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


def first_table(given: Lessons) -> tuple[np.ndarray, np.ndarray]:
    """A vector and a weight to begin with for every id: the mean over its occurrences.

    The fewer they are, the more counts what the vector of the id alone lets expect by a ridge regression over
    the ids that occur.
    """
    size = len(given.alone.weights)
    ids = np.concatenate([np.asarray(one) for one in given.ids])
    logs = np.log(np.maximum(np.concatenate(given.weights), LIGHT))
    found = np.c_[np.concatenate(given.vectors).astype(np.float64), logs]
    counts, order = np.bincount(ids, minlength=size), np.argsort(ids, kind="stable")
    seen = counts > 0
    means = np.zeros((size, found.shape[1]))
    means[seen] = np.add.reduceat(found[order], (np.cumsum(counts) - counts)[seen], axis=0) / counts[seen, None]
    known = np.c_[given.alone.vectors, np.log(np.maximum(given.alone.weights, LIGHT)), np.ones(size)].astype(np.float64)
    often = counts >= OFTEN
    scaled = known[often] * np.sqrt(counts[often])[:, None]
    map_ = np.linalg.solve(scaled.T @ known[often] + np.eye(known.shape[1]), scaled.T @ means[often])
    share = (counts / (counts + OFTEN))[:, None]
    table = share * means + (1 - share) * (known @ map_)
    return table[:, :-1].astype(np.float32), np.exp(table[:, -1]).astype(np.float32)


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

    from farthing.learn.match.model import side

    around = len(tokenizer.prefix), len(tokenizer.suffix)
    one = side([tokenizer.wrapped(given.ids[row]) for row in rows], tokenizer.pad, around)
    vectors, weights = student(one.ids, one.mask)
    body = one.body.bool()
    wanted = torch.from_numpy(np.concatenate([given.vectors[row] for row in rows])).float()
    heavy = torch.from_numpy(np.concatenate([given.weights[row] for row in rows]))
    apart = 1 - (vectors[body] * wanted).sum(dim=1)
    ratio = weights[body].log() - heavy.clamp_min(LIGHT).log()
    found: torch.Tensor = apart.mean() + 0.05 * ratio.square().mean()
    return found


def read_sentences(path: Path, count: int, seed: int) -> list[str]:
    """So many sentences of a corpus, drawn at random."""
    texts = [text for text in last_cells(str(path)) if 3 <= len(text.split()) <= 60]
    order = np.random.default_rng(seed).permutation(len(texts))[:count]
    return [texts[place] for place in order]
