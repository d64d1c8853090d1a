"""BERTScore as bert_score 0.3.13 computes it, oddity by oddity.

What differs from the paper, and from Farthing's default:

- special tokens do not weigh, but other tokens may match them;
- in a batch of pairs with padding, a negative best similarity becomes 0, so a score depends on its batch mates;
- a text of two tokens, special ones included, counts as empty: precision and recall are 0, before rescaling;
- of several references each of precision, recall and F1 takes its own best one;
- F1 is the plain formula, with its pole.

If bert_score gives NaN (all idf weights are 0), this gives 0, with a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Weights
from farthing.core.types import Note
from farthing.encoders.protocol import EncodedText
from farthing.encoders.tokens.tokenize import Tokenizer, read_json
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.text.idf import Idf

_NO_CLASSIFIER_TOKENS = frozenset(["t5", "mt5", "umt5", "byt5", "gpt2", "marian", "pegasus", "blenderbot", "model2vec"])


@dataclass(frozen=True, slots=True)
class PairMatch:
    """The raw results of one pair (layers by 2: precision, recall), plain and with negative similarities set to 0.

    :param sizes: how many tokens the candidate and the reference have, special ones included
    """

    plain: Floats
    clamped: Floats
    sizes: tuple[int, int]


class CompatRules:
    """The rules of bert_score 0.3.13.

    :param batch: how many pairs bert_score would compare at a time
    """

    def __init__(self, layers: Sequence[int], idf: Idf | None, tokenizer: Tokenizer, batch: int = 64) -> None:
        self.layers, self.idf, self.batch = tuple(layers), idf, batch
        self.weightless = sorted(classifier_ids(tokenizer))

    def row(self, texts: EncodedRow) -> list[PairMatch]:
        """Compare one candidate with each of its references."""
        return [self._pair(texts.candidate, reference) for reference in texts.references]

    def _pair(self, candidate: EncodedText, reference: EncodedText) -> PairMatch:
        weights = [self._weights(text) for text in (candidate, reference)]
        values = np.empty((2, len(self.layers), 2), dtype=np.float32)
        for number, layer in enumerate(self.layers):
            similarity = candidate.unit(layer) @ reference.unit(layer).T
            for side, weight in enumerate(weights):
                best = similarity.max(axis=1 - side)
                values[0, number, side] = best @ weight
                values[1, number, side] = np.maximum(best, 0) @ weight
        return PairMatch(values[0], values[1], (len(candidate.ids), len(reference.ids)))

    def _weights(self, text: EncodedText) -> Weights:
        if self.idf is None:
            weights = (~np.isin(text.ids, self.weightless)).astype(np.float32)
        else:
            weights = self.idf.weights(text.ids)
        with np.errstate(invalid="ignore"):
            return np.asarray(weights / weights.sum(dtype=np.float32), dtype=np.float32)

    def finished(self, rows: Sequence[Sequence[PairMatch]], baseline: Floats | None) -> Floats:
        """Return all rows as layers by rows by 3, rescaled if a baseline (layers by 3) is given."""
        values = self._triples([pair for row in rows for pair in row])
        if baseline is not None:
            values = (values - baseline[:, None]) / (1 - baseline[:, None])
        values = np.where(np.isnan(values), 0, values)
        ends = np.cumsum([len(row) for row in rows])
        starts = ends - np.array([len(row) for row in rows])
        best: Floats = np.maximum.reduceat(values, starts, axis=1)
        return best

    def _triples(self, pairs: Sequence[PairMatch]) -> Floats:
        """Return precision, recall and F1 of every pair, as layers by pairs by 3."""
        sizes = np.array([pair.sizes for pair in pairs])
        longest = np.concatenate(
            [
                np.broadcast_to(part.max(axis=0), part.shape)
                for part in np.split(sizes, range(self.batch, len(sizes), self.batch))
            ]
        )
        # a candidate's tokens look along the reference, so it is the reference's padding that clamps them
        padded = (sizes < longest)[:, ::-1]
        plain = np.stack([pair.plain for pair in pairs], axis=1)
        clamped = np.stack([pair.clamped for pair in pairs], axis=1)
        both = np.where(padded[None], clamped, plain)
        with np.errstate(invalid="ignore", divide="ignore"):
            harmonic = 2 * both[..., 0] * both[..., 1] / (both[..., 0] + both[..., 1])
        empty = (sizes == 2).any(axis=1)
        both = np.where(empty[None, :, None], np.float32(0), both)
        return np.concatenate(
            [both, np.nan_to_num(harmonic, nan=0.0, posinf=np.inf, neginf=-np.inf)[..., None]], axis=-1
        )

    def notes(self, rows: Sequence[Sequence[PairMatch]]) -> tuple[Note, ...]:
        """Name the rows for which bert_score gives NaN."""
        broken = tuple(
            n for n, row in enumerate(rows) if any(np.isnan(pair.plain).any() and 2 not in pair.sizes for pair in row)
        )
        return (Note("idf", "all idf weights are 0; bert_score gives NaN here, this is 0", broken),) if broken else ()


def classifier_ids(tokenizer: Tokenizer) -> set[int]:
    """Return the ids of the tokens that bert_score gives no weight: those called cls and sep, if there are any."""
    told = read_json(tokenizer.folder / "tokenizer_config.json", missing_ok=True)
    told |= read_json(tokenizer.folder / "special_tokens_map.json", missing_ok=True)
    names = [told.get(key) for key in ("cls_token", "sep_token")]
    if any(names):
        texts = [name.get("content", "") if isinstance(name, dict) else name for name in names if name]
        return {number for text in texts if (number := tokenizer.number(text)) is not None}
    if tokenizer.config.get("model_type") in _NO_CLASSIFIER_TOKENS:
        return set()
    return {*tokenizer.prefix, *tokenizer.suffix}
