"""How BERTScore compares one candidate with its references, by the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from farthing.align.greedy import f1, greedy
from farthing.core.arrays import Floats, Weights
from farthing.core.types import Note
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.metrics.tokens.results import Remark, remark_notes
from farthing.text.idf import Idf

Matched = TypeVar("Matched")


class Rules(Protocol[Matched]):
    """How rows are compared; `Matched` is what is remembered of one row."""

    def row(self, texts: EncodedRow) -> Matched:
        """Compare a candidate with its references."""
        ...

    def finished(self, rows: Sequence[Matched], baseline: Floats | None) -> Floats:
        """Return precision, recall and F1 of all rows as layers by rows by 3.

        :param baseline: rescale by these values, layers by 3
        """
        ...

    def notes(self, rows: Sequence[Matched]) -> tuple[Note, ...]:
        """Return what the reader should know."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and F1 at each layer (layers by 3) against the best reference.

    :param fixed: a text is empty: the values are set by rule and are not rescaled
    """

    values: Floats
    fixed: bool = False
    remarks: frozenset[Remark] = frozenset()


class PaperRules:
    """Special tokens neither weigh nor match, padding has no effect, the best reference is that of the best F1."""

    def __init__(self, layers: Sequence[int], idf: Idf | None) -> None:
        self.layers, self.idf = tuple(layers), idf

    def row(self, texts: EncodedRow) -> Match:
        """Compare a candidate with its references; the best one counts, layer by layer."""
        matches = [self.pair(texts.candidate, reference) for reference in texts.references]
        if len(matches) == 1:
            return matches[0]
        values = np.stack([match.values for match in matches])
        best = values[:, :, 2].argmax(axis=0)
        chosen = matches[int(best[-1])]
        return Match(values[best, np.arange(len(best))], chosen.fixed, chosen.remarks)

    def pair(self, candidate: EncodedText, reference: EncodedText) -> Match:
        """Compare one candidate with one reference."""
        sizes = [text.content.stop - text.content.start for text in (candidate, reference)]
        if 0 in sizes:
            # two texts without content are equal; a text and nothing have nothing in common
            return Match(np.full((len(self.layers), 3), float(sizes == [0, 0])), fixed=True)
        weights = [self.weights(text) for text in (candidate, reference)]
        values = np.empty((len(self.layers), 3))
        for number, layer in enumerate(self.layers):
            left, right = (text.unit(layer)[text.content] for text in (candidate, reference))
            precision, recall = greedy(left, right, *(weight for weight, _ in weights))
            values[number] = precision, recall, f1(precision, recall)
        flat = any(flat for _, flat in weights)
        return Match(values, remarks=frozenset(["idf"]) if flat else frozenset())

    def weights(self, text: EncodedText) -> tuple[Weights, bool]:
        """Return a text's token weights, and True if its idf weights were all 0 and became equal."""
        ids = text.ids[text.content]
        weights = np.ones(len(ids), dtype=np.float32) if self.idf is None else self.idf.weights(ids)
        return (weights, False) if weights.sum() > 0 else (np.ones_like(weights), True)

    def finished(self, rows: Sequence[Match], baseline: Floats | None) -> Floats:
        """Return the values of all rows, rescaled if a baseline is given."""
        values = np.stack([row.values for row in rows], axis=1)
        if baseline is not None:
            rescaled = (values - baseline[:, None]) / (1 - baseline[:, None])
            fixed = np.array([row.fixed for row in rows])
            values = np.where(fixed[None, :, None], values, rescaled)
        return values

    def notes(self, rows: Sequence[Match]) -> tuple[Note, ...]:
        """Name the rows in which a rule could not be applied."""
        return remark_notes([row.remarks for row in rows])
