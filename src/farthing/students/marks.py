"""How likely each token of a text is wrong, given the tokens of a correct one.

With the roles of the texts exchanged, the same numbers say how likely each token of the correct text is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Floats, Indices, Matrix
from farthing.core.errors import ModelError
from farthing.encoders.backends.token_texts import Tokens
from farthing.students.head import CELLS

ARRAYS = ("mark_in", "mark_bias", "mark_out", "mark_top")
PLAIN = 5  #: features of a token besides those of its vector and its partner's
STEEPNESS, MIDDLE = 8.0, 0.42  #: of what stands in for a head that has not learned any marks


@dataclass(frozen=True, slots=True)
class LearnedMarks:
    """A few hidden units over the features of a token, which have learned how likely it is wrong."""

    inner: Matrix
    bias: Floats
    out: Floats
    top: float

    @classmethod
    def read(cls, path: Path, width: int) -> LearnedMarks | None:
        """Read the arrays of the marks from the head of a student; None if it has not learned any.

        :param width: the length of a token's vector
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            arrays = load_file(path)
        except (OSError, SafetensorError) as error:
            raise ModelError(f"{path} cannot be read: {error}") from error
        missing = [name for name in ARRAYS if name not in arrays]
        if len(missing) == len(ARRAYS):
            return None
        if missing:
            raise ModelError(f"{path} has a part of the arrays for error marks only: {missing[0]!r} is missing")
        return cls.of(arrays, width, path)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], width: int, path: Path) -> LearnedMarks:
        """Make a head from its arrays by name, and raise a sentence if they do not fit."""
        inner, bias, out, top = (np.asarray(arrays[name], dtype=np.float64) for name in ARRAYS)
        if inner.shape != (bias.size, 2 * width + PLAIN) or bias.size != out.size or top.size != 1:
            raise ModelError(
                f"{path}: the arrays for error marks do not fit a student with vectors of {width} numbers "
                f"(mark_in has the shape {inner.shape}, expected {(bias.size, 2 * width + PLAIN)})"
            )
        return cls(inner, bias.ravel(), out.ravel(), float(top.ravel()[0]))

    def logits(self, features: Matrix) -> Floats:
        """Return one number per token; the logistic function makes a probability of it."""
        logits: Floats = self.top + np.tanh(features @ self.inner.T + self.bias) @ self.out
        return logits


def error_probabilities(text: Tokens, correct: Tokens, head: LearnedMarks | None) -> Floats:
    """Return for each token of a text how likely it is wrong; both texts have tokens.

    Without a head the probability only grows with the token's gap: one minus the cosine with the nearest token.
    """
    if head is not None:
        return logistic(head.logits(error_features(text, correct)))
    return logistic(STEEPNESS * (partners(text, correct).gaps - MIDDLE))


def error_features(text: Tokens, correct: Tokens) -> Matrix:
    """Return one row of features per token.

    These are the absolute differences from the nearest token, the products with it, the gap, the mean gap of the
    tokens on both sides, how much the token weighs compared with the others, the gap to the second nearest token (1 if
    there is none) and the gap of the nearest token itself.
    """
    places, gaps, second, back = partners(text, correct)
    count, width = text.vectors.shape
    own, nearest = text.vectors.astype(np.float64), correct.vectors.astype(np.float64)[places]
    around = np.concatenate([[0.0], gaps, [0.0]])
    weights = text.weights.astype(np.float64)
    plain = [gaps, (around[:-2] + around[2:]) / 2, weights / weights.sum() * count, second, back[places]]
    return np.concatenate(
        [sqrt(width) * abs(own - nearest), sqrt(width) * own * nearest, np.stack(plain, axis=1)], axis=1
    )


class Partners(NamedTuple):
    """The nearest tokens of a correct text.

    :param places: where the nearest one of each token is
    :param gaps: one minus the cosine with it
    :param second: one minus the cosine with the second nearest one; 1 if there is none
    :param back: for each token of the correct text, one minus the cosine with its own nearest one
    """

    places: Indices
    gaps: Floats
    second: Floats
    back: Floats


def partners(text: Tokens, correct: Tokens) -> Partners:
    """Find the nearest tokens, some tokens of the text at a time, so that long texts need no more memory."""
    # in double precision, so that a probability does not depend on how texts were put together
    own, other = text.vectors.astype(np.float64), correct.vectors.astype(np.float64).T
    count, most = len(own), other.shape[1]
    places, nearest, second = np.empty(count, np.int64), np.empty(count), np.zeros(count)
    back, step = np.full(most, -np.inf), max(1, CELLS // most)
    for begin in range(0, count, step):
        some = slice(begin, begin + step)
        similarity = own[some] @ other
        places[some], nearest[some] = similarity.argmax(axis=1), similarity.max(axis=1)
        np.maximum(back, similarity.max(axis=0), out=back)
        if most > 1:
            similarity.partition(most - 2, axis=1)
            second[some] = similarity[:, -2]
    return Partners(places, np.maximum(1 - nearest, 0.0), 1 - second, np.maximum(1 - back, 0.0))


def logistic(values: Floats) -> Floats:
    """Return 1 / (1 + exp(-values)), without overflow.

    >>> logistic(np.array([0.0, -1e9])).tolist()
    [0.5, 0.0]
    """
    return np.exp(-np.logaddexp(0.0, -values))
