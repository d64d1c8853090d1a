"""Token distillation: a student learns the token vectors of a teacher, not its scores.

The teacher is a finished student that reads the same tokens, be they numbered otherwise. Its vectors are projected to
their main directions, as many as the student's width, which keeps the cosines as well as possible, and turned to where
those of the student are; the student learns to give the same unit vectors and the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from farthing.core.arrays import Vectors, Weights
from farthing.core.errors import ModelError, UsageError
from farthing.core.progress import Log, silent_log
from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.corpus import last_cells
from farthing.learn.match.model import TextBatch, text_batch
from farthing.learn.match.panel import Assignment
from farthing.learn.match.recipe_tables import Distillation
from farthing.learn.train.history import History
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective, ParameterGroup
from farthing.learn.train.settings import Settings

if TYPE_CHECKING:
    from farthing.students.match import MatchStudent

SENTENCES = 64  # per step
WARM = 50  # steps in which the rate rises
READ = 2000  # sentences that the teacher reads at a time
OFTEN = 3  # occurrences of an id that say as much as the vector it has alone
LIGHT = 1e-3  # the smallest weight of a token whose logarithm is learned
OTHER_NAMES = 0.001  # of the tokens, special ones, which two vocabularies of the same words may call differently
TURNED = 256  # sentences that tell where the student's vectors are


@dataclass(frozen=True, slots=True)
class Lessons:
    """What the teacher says about sentences: ids, unit vectors and weights of their tokens, one entry per sentence.

    :param alone: what it says about every id by itself, for ids that no sentence has
    """

    ids: list[list[int]]
    vectors: list[Vectors]
    weights: list[Weights]
    alone: Tokens

    def __len__(self) -> int:
        return len(self.ids)


def lessons(teacher: MatchStudent, tokenizer: Tokenizer, texts: Sequence[str], width: int) -> Lessons:
    """Let the teacher read the texts, and project its vectors to a width."""
    numbers = _numbers(teacher.tokenizer, tokenizer)
    distinct = list(dict.fromkeys(texts))
    contents = {text: tokenizer.cut(ids) for text, ids in zip(distinct, tokenizer.contents(distinct), strict=True)}
    first = {tuple(contents[text]): text for text in reversed(distinct)}  # texts may differ in capitals alone
    kept = [text for text in distinct if contents[text] and first[tuple(contents[text])] == text]
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
    alone = teacher.encoder.encode([[number] for number in numbers])
    by_itself = Tokens(np.concatenate([one.vectors for one in alone]), np.concatenate([one.weights for one in alone]))
    return Lessons([contents[text] for text in kept], vectors, weights, by_itself)


def _numbers(teacher: Tokenizer, student: Tokenizer) -> list[int]:
    """Return what the teacher calls each id of the student; special tokens may have other names."""
    if teacher.hash == student.hash:
        return list(range(student.size))
    numbers = [teacher.number(student.token(one)) for one in range(student.size)]
    if numbers.count(None) > OTHER_NAMES * len(numbers):
        raise ModelError("teacher and student have different tokens: token distillation needs one vocabulary")
    return [teacher.pad if number is None else number for number in numbers]


def main_directions(vectors: Vectors, width: int) -> Vectors:
    """Find the projection to `width` dimensions that keeps the products of the rows best.

    >>> main_directions(np.array([[2.0, 0.0], [0.0, 1.0]]), 1).round(6).tolist() in ([[1.0], [0.0]], [[-1.0], [0.0]])
    True
    """
    if width >= vectors.shape[1]:
        return np.eye(vectors.shape[1], width)
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.asarray(directions[:, ::-1][:, :width])


@torch.no_grad()
def turned(given: Lessons, student: torch.nn.Module, tokenizer: Tokenizer) -> Lessons:
    """Rotate the teacher's vectors towards those of a student that is no beginner; no cosine between them changes."""
    batch = lesson_batch(tokenizer, given, range(min(TURNED, len(given))))
    own, _ = student(batch.texts.ids, batch.texts.mask)
    left, _, right = torch.linalg.svd(batch.vectors.T @ own[batch.texts.body.bool()])
    rotation = (left @ right).numpy()
    return replace(given, vectors=[(one.astype(np.float32) @ rotation).astype(np.float16) for one in given.vectors])


def _unit(vectors: Vectors) -> Vectors:
    units: np.ndarray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return units.astype(np.float32)


def first_table(given: Lessons) -> tuple[Vectors, Weights]:
    """Compute a vector and a weight per id to start from: the mean over its occurrences.

    The fewer they are, the more counts a prediction from the vector of the id alone, by a ridge regression over the ids
    that occur.
    """
    size = len(given.alone.weights)
    ids = np.concatenate([np.asarray(one) for one in given.ids])
    logs = np.log(np.maximum(np.concatenate(given.weights), LIGHT))
    occurrences = np.c_[np.concatenate(given.vectors).astype(np.float64), logs]
    counts, order = np.bincount(ids, minlength=size), np.argsort(ids, kind="stable")
    seen = counts > 0
    means = np.zeros((size, occurrences.shape[1]))
    begins = (np.cumsum(counts) - counts)[seen]
    means[seen] = np.add.reduceat(occurrences[order], begins, axis=0) / counts[seen, None]
    known = np.c_[given.alone.vectors, np.log(np.maximum(given.alone.weights, LIGHT)), np.ones(size)].astype(np.float64)
    often = counts >= OFTEN
    scaled = known[often] * np.sqrt(counts[often])[:, None]
    map_ = np.linalg.solve(scaled.T @ known[often] + np.eye(known.shape[1]), scaled.T @ means[often])
    share = (counts / (counts + OFTEN))[:, None]
    table = share * means + (1 - share) * (known @ map_)
    return table[:, :-1].astype(np.float32), np.exp(table[:, -1]).astype(np.float32)


class LessonBatch(NamedTuple):
    """Some sentences, and what the teacher says about their tokens, one after another."""

    texts: TextBatch
    vectors: torch.Tensor
    weights: torch.Tensor


def token_settings(epochs: float, rate: float, seed: int) -> Settings:
    """Give the settings of token distillation."""
    return Settings(epochs=epochs, batch=SENTENCES, rate=rate, seed=seed)


def distil_tokens(
    student: torch.nn.Module,
    tokenizer: Tokenizer,
    given: Lessons,
    settings: Settings,
    run: Path | None = None,
    log: Log = silent_log,
) -> History:
    """Train the student in place to give the teacher's vectors and weights.

    :param run: the folder of checkpoints, from which an interrupted run resumes
    """
    objective = Objective(
        student,
        [ParameterGroup(list(student.parameters()), settings.rate, decay=0.01)],
        [len(ids) for ids in given.ids],
        lambda rows: lesson_batch(tokenizer, given, rows),
        lesson_loss,
        pace=lambda step, steps: min(1.0, (step + 1) / WARM) * (1 - step / steps),
    )
    return train(objective, settings, run, log=lambda line: log(f"token distillation: {line}"))


def lesson_batch(tokenizer: Tokenizer, given: Lessons, rows: Sequence[int]) -> LessonBatch:
    """Make the tensors of some sentences."""
    around = len(tokenizer.prefix), len(tokenizer.suffix)
    return LessonBatch(
        text_batch([tokenizer.wrapped(given.ids[row]) for row in rows], tokenizer.pad, around),
        torch.from_numpy(np.concatenate([given.vectors[row] for row in rows])).float(),
        torch.from_numpy(np.concatenate([given.weights[row] for row in rows])),
    )


def lesson_loss(student: torch.nn.Module, batch: LessonBatch) -> torch.Tensor:
    """Compute one minus the cosine of the vectors, and the squared error of the logarithms of the weights."""
    vectors, weights = student(batch.texts.ids, batch.texts.mask)
    body = batch.texts.body.bool()
    apart = 1 - (vectors[body] * batch.vectors).sum(dim=1)
    ratio = weights[body].log() - batch.weights.clamp_min(LIGHT).log()
    loss: torch.Tensor = apart.mean() + 0.05 * ratio.square().mean()
    return loss


def distilled_texts(plan: Distillation, root: Path, labelled: Sequence[Assignment], seed: int) -> list[str]:
    """Draw the texts of token distillation: sentences of the corpus, then texts of the drawn pairs."""
    texts = read_sentences(root / plan.corpus, plan.sentences, seed)
    own = [text for _, part in labelled for text in (*part.candidates, *part.references)]
    order = np.random.default_rng(seed).permutation(len(own))[: plan.sentences]
    return texts + [own[place] for place in order]


def read_sentences(path: Path, count: int, seed: int) -> list[str]:
    """Draw some sentences of a corpus at random."""
    texts = [text for text in last_cells(str(path)) if 3 <= len(text.split()) <= 60]
    order = np.random.default_rng(seed).permutation(len(texts))[:count]
    return [texts[place] for place in order]
