"""How BERTScore compares one candidate with its references, by the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.align.greedy import f1, greedy
from farthing.core.types import Note
from farthing.encoders.protocol import EncodedText
from farthing.text.idf import Idf

UNWEIGHED = "no token has any idf weight; all tokens weigh the same there"


@dataclass(frozen=True, slots=True)
class Row:
    """Precision, recall and F1 at each layer (layers by 3) against the best reference."""

    values: np.ndarray
    fixed: bool = False  # an empty text: the value is set by rule and is not rescaled
    unweighed: bool = False  # the idf weights of a text were all 0


class PaperRules:
    """Special tokens neither weigh nor match, padding does not exist, the best reference is that of the best F1."""

    def __init__(self, layers: Sequence[int], idf: Idf | None) -> None:
        self.layers, self.idf = tuple(layers), idf

    def row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Row:
        """The best of the references, layer by layer."""
        found = [self.pair(candidate, reference) for reference in references]
        if len(found) == 1:
            return found[0]
        values = np.stack([row.values for row in found])
        best = values[:, :, 2].argmax(axis=0)
        chosen = found[int(best[-1])]
        return Row(values[best, np.arange(len(self.layers))], chosen.fixed, chosen.unweighed)

    def pair(self, candidate: EncodedText, reference: EncodedText) -> Row:
        """One candidate against one reference."""
        sizes = [text.content.stop - text.content.start for text in (candidate, reference)]
        if 0 in sizes:
            # two texts without content are equal; a text and nothing have nothing in common
            return Row(np.full((len(self.layers), 3), float(sizes == [0, 0])), fixed=True)
        weights = [self.weights(text) for text in (candidate, reference)]
        values = np.empty((len(self.layers), 3))
        for number, layer in enumerate(self.layers):
            left, right = (text.unit(layer)[text.content] for text in (candidate, reference))
            precision, recall = greedy(left, right, *(weight for weight, _ in weights))
            values[number] = precision, recall, f1(precision, recall)
        return Row(values, unweighed=any(flat for _, flat in weights))

    def weights(self, text: EncodedText) -> tuple[np.ndarray, bool]:
        """A text's token weights, and True where its idf weights were all 0 and became equal."""
        ids = text.ids[text.content]
        weights = np.ones(len(ids), dtype=np.float32) if self.idf is None else self.idf.weights(ids)
        return (weights, False) if weights.sum() > 0 else (np.ones_like(weights), True)

    def finished(self, rows: Sequence[Row], baseline: np.ndarray | None) -> np.ndarray:
        """All rows as layers by rows by 3, rescaled where a baseline (layers by 3) is given."""
        values = np.stack([row.values for row in rows], axis=1)
        if baseline is not None:
            rescaled = (values - baseline[:, None]) / (1 - baseline[:, None])
            fixed = np.array([row.fixed for row in rows])
            values = np.where(fixed[None, :, None], values, rescaled)
        return values

    def notes(self, rows: Sequence[Row]) -> tuple[Note, ...]:
        """What the reader should know."""
        flat = tuple(number for number, row in enumerate(rows) if row.unweighed)
        return (Note("idf", UNWEIGHED, flat),) if flat else ()
