"""Segments of a real output and of what a broken system says instead of it, drawn without end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from farthing.learn.pairs.base import TrainingPair, two_of
from farthing.learn.pairs.systems import Systems

REAL = "real"  #: the generator of the output that is not spoiled
FEWEST_WORDS = 4  # of an output: half of a shorter one may be as good as the whole


class SpoiledOutputs(Systems):
    """An output of a real system beside the same output spoiled in four ways: together a segment.

    Spoiled outputs are said twice, cut off, stuttered (a word four to ten times), or belong to another segment. The
    generator of a pair is what was done, so that a recipe can give every kind a score of its own.
    """

    name: ClassVar[str] = "spoiled"

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a test set, a system and a segment, again and again."""
        sets = self.sets()
        while True:
            number = int(random.integers(len(sets)))
            references, outputs = sets[number]
            names = sorted(outputs)
            system = outputs[names[int(random.integers(len(names)))]]
            place, other = two_of(len(references), random)
            if len(system[place].split()) < FEWEST_WORDS:
                continue
            document = f"{number + 1}:{place + 1}"
            for kind, text in {REAL: system[place], **spoiled(system[place], system[other], random)}.items():
                yield TrainingPair(text, references[place], self.name, kind, "reference", document)


def spoiled(text: str, other: str, random: np.random.Generator) -> dict[str, str]:
    """Return what a broken system says instead of a text, by kind.

    :param other: the output for another segment
    """
    words = text.split()
    kept = max(1, int(len(words) * random.uniform(0.3, 0.7)))
    place, times = int(random.integers(len(words))), int(random.integers(4, 11))
    return {
        "twice": f"{text} {text}",
        "cut": " ".join(words[:kept]),
        "stuttered": " ".join([*words[:place], *words[place : place + 1] * times, *words[place + 1 :]]),
        "unrelated": other,
    }
