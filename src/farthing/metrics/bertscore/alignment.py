"""Who matched whom: the alignment of two texts as BERTScore sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Indices, Matrix, Vectors, Weights
from farthing.core.types import Alignment


@dataclass(frozen=True, slots=True)
class ShownTokens:
    """The tokens of a text that an alignment shows: their ids, their vectors and what they weigh."""

    ids: Indices
    points: Vectors
    weights: Weights


def align_tokens(
    left: ShownTokens, right: ShownTokens, token: Callable[[int], str], parts: Mapping[str, float]
) -> Alignment:
    """Align the tokens of a candidate with those of a reference: each goes to the most similar one.

    :param token: writes a token's id as text
    """
    similarity = left.points @ right.points.T
    return Alignment(
        candidate_tokens=tuple(token(int(number)) for number in left.ids),
        reference_tokens=tuple(token(int(number)) for number in right.ids),
        similarity=similarity,
        matches=_best(similarity),
        back_matches=_best(similarity.T),
        candidate_weights=left.weights,
        reference_weights=right.weights,
        parts=parts,
    )


def _best(similarity: Matrix) -> Indices:
    """Return the most similar column of each row; -1 if there are no columns."""
    rows, columns = similarity.shape
    best: Indices = similarity.argmax(axis=1) if columns else np.full(rows, -1)
    return best
