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
from farthing.encoders.protocol import EncodedText, Encoder
from farthing.metrics.bertscore.match import Match, PaperRules
from farthing.metrics.tokens.clouds import Clouds, TokenFilter
from farthing.metrics.tokens.layers import last_layers
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
        """True if anything is switched on."""
        return self != Switches()

    def check(self, *, compat: bool, every_layer: bool, baseline: bool, idf: bool | str) -> None:
        """Raise one sentence if the switches cannot be combined with the other options."""
        if self.power_means < 1:
            raise SpecError(f"bertscore: power_means={self.power_means} must be at least 1")
        if self.active and (compat or every_layer):
            raise SpecError(
                "bertscore: candidate_idf, drop_punctuation, drop_subwords and power_means cannot be combined with "
                "compat or layer=all"
            )
        if self.power_means > 1 and baseline:
            raise SpecError("bertscore: there is no baseline for power_means")
        if self.candidate_idf and not idf:
            raise SpecError("bertscore: candidate_idf=true needs idf=true or a file of counts or texts")

    def clouds(self, encoder: Encoder, layer: int) -> Clouds:
        """Return what turns a text into vectors and weights."""
        tokens = TokenFilter(encoder.tokenizer, punctuation=self.drop_punctuation, subwords=self.drop_subwords)
        return Clouds(last_layers(encoder, layer, self.power_means), tokens)

    def fields(self) -> dict[str, Value]:
        """Return the part of a signature that names what is switched on."""
        if not self.active:
            return {}
        return {
            "punctuation": not self.drop_punctuation,
            "subwords": not self.drop_subwords,
            "power_means": self.power_means,
        }


class SwitchedRules(PaperRules):
    """The paper's rules over chosen tokens, joined layers and separate weights for candidates and references."""

    def __init__(self, clouds: Clouds, idf: Idf | None, candidate_idf: Idf | None) -> None:
        super().__init__(clouds.layers[-1:], idf)
        self.clouds, self.candidate_idf = clouds, candidate_idf

    def pair(self, candidate: EncodedText, reference: EncodedText) -> Match:
        """Compare one candidate with one reference."""
        left, right = self.clouds(candidate, self.candidate_idf), self.clouds(reference, self.idf)
        if not len(left) or not len(right):
            return Match(np.full((1, 3), float(len(left) == len(right))), fixed=True)
        precision, recall = greedy(left.points, right.points, left.weights, right.weights)
        return Match(np.array([[precision, recall, f1(precision, recall)]]), remarks=left.remarks | right.remarks)
