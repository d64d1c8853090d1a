"""MoverScore's refinements as switches of BERTScore, so that greedy matching and transport can be compared fairly.

The BERTScore paper's Table 9 calls them SEP (candidates have idf of their own), RM (punctuation and all but the first
token of a word are left out) and PMEANS (several layers are joined by their power means).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from farthing.align.greedy import f1, greedy
from farthing.core.errors import SpecError
from farthing.core.specs import Value
from farthing.core.types import Note
from farthing.encoders.protocol import EncodedText, Encoder
from farthing.metrics.bertscore.match import PaperRules, Row
from farthing.metrics.tokens.clouds import Clouds, Filter, remark_notes
from farthing.metrics.tokens.over_encoder import last_layers
from farthing.text.idf import Idf


@dataclass(frozen=True, slots=True)
class Switches:
    """What is switched on."""

    candidate_idf: bool = False
    drop_punctuation: bool = False
    drop_subwords: bool = False
    power_means: int = 1

    @property
    def active(self) -> bool:
        """True where anything is."""
        return self != Switches()

    def check(self, *, compat: bool, every_layer: bool, baseline: bool, idf: bool | str) -> None:
        """Raise one sentence where the switches do not go with the other options."""
        if self.power_means < 1:
            raise SpecError(f"bertscore: power_means={self.power_means} must be at least 1")
        if self.active and (compat or every_layer):
            raise SpecError(
                "bertscore: candidate_idf, drop_… and power_means go neither with compat nor with layer=all"
            )
        if self.power_means > 1 and baseline:
            raise SpecError("bertscore: there is no baseline for power_means")
        if self.candidate_idf and not idf:
            raise SpecError("bertscore: candidate_idf=true needs idf=true or a file of counts or texts")

    def clouds(self, encoder: Encoder, layer: int) -> Clouds:
        """How a text becomes vectors and weights."""
        tokens = Filter(encoder.tokenizer, punctuation=self.drop_punctuation, subwords=self.drop_subwords)
        return Clouds(last_layers(encoder, layer, self.power_means), tokens)

    def fields(self) -> dict[str, Value]:
        """The part of a signature that names what is switched on."""
        found: dict[str, Value] = {
            "punctuation": not self.drop_punctuation,
            "subwords": not self.drop_subwords,
            "power_means": self.power_means,
        }
        return found if self.active else {}


@dataclass(frozen=True, slots=True)
class SwitchedRow(Row):
    """A row with the remarks on its clouds."""

    remarks: frozenset[str] = frozenset()


class SwitchedRules(PaperRules):
    """The paper's rules over chosen tokens, joined layers and weights of two sides."""

    def __init__(self, clouds: Clouds, idf: Idf | None, candidate_idf: Idf | None) -> None:
        super().__init__(clouds.layers[-1:], idf)
        self.clouds, self.candidate_idf = clouds, candidate_idf

    def pair(self, candidate: EncodedText, reference: EncodedText) -> Row:
        """One candidate against one reference."""
        left, right = self.clouds(candidate, self.candidate_idf), self.clouds(reference, self.idf)
        if not len(left) or not len(right):
            return SwitchedRow(np.full((1, 3), float(len(left) == len(right))), fixed=True)
        precision, recall = greedy(left.points, right.points, left.weights, right.weights)
        values = np.array([[precision, recall, f1(precision, recall)]])
        return SwitchedRow(values, remarks=left.remarks | right.remarks)

    def notes(self, rows: object) -> tuple[Note, ...]:
        """What the reader should know."""
        return remark_notes([getattr(row, "remarks", frozenset()) for row in rows])  # type: ignore[attr-defined]
