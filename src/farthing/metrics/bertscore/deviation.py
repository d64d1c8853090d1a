"""How far an exported encoder deviates from the one it was made from, measured by BERTScore's F1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore

SENTENCES = (
    "The cat sat on the mat and watched the rain.",
    "A cat was sitting on the rug, watching it rain.",
    "Shares fell by 3.5% on Tuesday after the bank's warning.",
    "The bank warned on Tuesday, and its shares dropped 3.5 percent.",
    "Nobody expected the old bridge to survive another winter.",
    "It was a surprise that the bridge lasted through the winter.",
    "Please send me the report before the meeting tomorrow morning.",
    "Could you email the report to me ahead of tomorrow's meeting?",
    "She has been studying the migration of birds for twenty years.",
    "Her research on bird migration began two decades ago.",
    "Das Wetter war schön, also gingen wir im Park spazieren.",
    "Le gouvernement a annoncé une nouvelle loi sur l'énergie.",
    "The function returns None if the key isn't found (see issue #42).",
    "When the key does not exist, the function gives back None.",
    "Ok.",
    "In 1969, two people walked on the Moon while a third orbited above them, waiting.",
)


@dataclass(frozen=True, slots=True)
class Deviation:
    """The greatest difference of F1 and Pearson's r by layer, over all pairs of some sentences."""

    pairs: int
    largest: dict[int, float]
    correlation: dict[int, float]


def deviation(original: str, exported: str, sentences: Sequence[str] = SENTENCES) -> Deviation:
    """Compare two encoders on every ordered pair of different sentences, at every layer of the export."""
    both = [(one, two) for one in sentences for two in sentences if one != two]
    pairs = Pairs([one for one, _ in both], [[two] for _, two in both])
    left, right = (BertScore(model=model, layer="all") for model in (original, exported))
    first, second = (np.asarray(metric.score(pairs).parts["layers_f1"]) for metric in (left, right))
    largest, correlation = {}, {}
    for place, layer in enumerate(right.layers):
        one, two = first[left.layers.index(layer)], second[place]
        largest[layer] = float(np.abs(one - two).max())
        correlation[layer] = float(np.corrcoef(one, two)[0, 1])
    return Deviation(len(pairs), largest, correlation)
