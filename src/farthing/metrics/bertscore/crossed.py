"""BERTScore of all candidates and all references of lists, each text encoded once, by the rules of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from farthing.align.crossed import Bundle, crossed_means
from farthing.core.arrays import Floats, Mask, Weights
from farthing.core.nbest import NBest, crossed_rows_with
from farthing.encoders.engine import Engine
from farthing.encoders.protocol import EncodedText
from farthing.metrics.bertscore.match import PaperRules


@dataclass(frozen=True, slots=True)
class CrossedMatches:
    """What is known of the crossed pairs of some lists.

    :param values: precision, recall and F1 of every pair (pairs by 3)
    :param fixed: which pairs have a text without tokens: their values are set by rule and are not rescaled
    :param cut: the pairs with a text that was longer than the model can read
    :param flat: the pairs with a text whose idf weights were all 0 and became equal
    """

    values: Floats
    fixed: Mask
    cut: tuple[int, ...]
    flat: tuple[int, ...]


def match_crossed(engine: Engine, rules: PaperRules, lists: Sequence[NBest]) -> CrossedMatches:
    """Compare every candidate with every reference of its list, at the one layer of the rules."""
    encoded = dict(engine.encode(chain(*((*one.candidates, *one.references) for one in lists)), rules.layers))
    told = {text: rules.weights(one) for text, one in encoded.items()}
    weights = {text: own for text, (own, _) in told.items()}
    found = [_matched(one, encoded, weights, rules.layers[0]) for one in lists]
    long = {text for text, one in encoded.items() if one.cut}
    equal = {text for text, (own, is_flat) in told.items() if is_flat and len(own)}
    return CrossedMatches(
        np.concatenate([values for values, _ in found]), np.concatenate([fixed for _, fixed in found]),
        crossed_rows_with(lists, long), crossed_rows_with(lists, equal),
    )  # fmt: skip


def _matched(
    one: NBest, encoded: Mapping[str, EncodedText], weights: Mapping[str, Weights], layer: int
) -> tuple[Floats, Mask]:
    """Return precision, recall and F1 of the pairs of one list, and which of them are set by rule."""
    ours, theirs = ([len(weights[text]) for text in side] for side in (one.candidates, one.references))
    values = np.equal.outer(ours, theirs)[..., None] * np.ones(3)  # two texts without content are equal
    rows, columns = ([place for place, size in enumerate(sizes) if size] for sizes in (ours, theirs))
    fixed = np.ones(values.shape[:2], dtype=bool)
    if len(rows) and len(columns):
        first = _bundle([one.candidates[row] for row in rows], encoded, weights, layer)
        same = one.references == one.candidates
        second = first if same else _bundle([one.references[row] for row in columns], encoded, weights, layer)
        [(precision, recall)] = crossed_means(first, second, lambda near: near)
        values[np.ix_(rows, columns)] = np.stack([precision, recall, f1_matrix(precision, recall)], axis=-1)
        fixed[np.ix_(rows, columns)] = False
    return values.reshape(-1, 3), fixed.ravel()


def _bundle(
    texts: Sequence[str], encoded: Mapping[str, EncodedText], weights: Mapping[str, Weights], layer: int
) -> Bundle:
    return Bundle.of(
        [encoded[text].unit(layer)[encoded[text].content] for text in texts], [weights[text] for text in texts]
    )


def f1_matrix(precision: Floats, recall: Floats) -> Floats:
    """Compute :func:`farthing.align.greedy.f1` of every pair."""
    both = (precision > 0) & (recall > 0)
    total = np.where(both, precision + recall, 1)
    return np.where(both, 2 * precision * recall / total, np.minimum(precision, recall))
