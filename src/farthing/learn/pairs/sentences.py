"""Pairs drawn sentence by sentence from a corpus, without end: damaged copies, unrelated and equal sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import InputError
from farthing.learn.data.corpus import last_cells
from farthing.learn.pairs.base import TrainingPair, given_pair, two_of
from farthing.text.perturb import Perturbation, drop_words, negate, repeat_words, swap_neighbours

POOL = 2000  # sentences whose words stand in for others
CHANGES: dict[str, Perturbation] = {
    "drop": drop_words,
    "repeat": repeat_words,
    "swap": swap_neighbours,
    "negation": negate,
}


class PerturbedSentences:
    """A sentence that lost, doubled, moved, negated or exchanged words, against itself."""

    name: ClassVar[str] = "perturbed"

    def __init__(self, *, file: Annotated[str, "sentences, one per line; of a table its last column"]) -> None:
        self.file = file

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a sentence and one change, again and again."""
        texts = corpus_sentences(self.file)
        pool = [word for text in texts[:POOL] for word in text.split()]
        changes = list(CHANGES.items())
        while True:
            place = int(random.integers(len(texts)))
            number = int(random.integers(len(changes) + 1))  # the last number is the exchange of words
            made, change = changes[number] if number < len(changes) else ("replace", None)
            text = texts[place]
            changed = change(text, random) if change else replace_words(text, random, pool)
            if changed is not None and changed != text:
                yield TrainingPair(changed, text, self.name, made, "given", str(place + 1))


class UnrelatedSentences:
    """Two sentences that have nothing to do with each other."""

    name: ClassVar[str] = "unrelated"

    def __init__(self, *, file: Annotated[str, "sentences, one per line; of a table its last column"]) -> None:
        self.file = file

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw two sentences, again and again."""
        texts = corpus_sentences(self.file, least=2)
        while True:
            first, second = two_of(len(texts), random)
            yield given_pair(self.name, f"{first + 1}+{second + 1}", texts[first], texts[second])


class EqualSentences:
    """A sentence against itself: what a teacher says of equal texts is the top of the scale."""

    name: ClassVar[str] = "equal"
    equal: ClassVar[bool] = True

    def __init__(self, *, file: Annotated[str, "sentences, one per line; of a table its last column"]) -> None:
        self.file = file

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a sentence, again and again."""
        texts = corpus_sentences(self.file)
        while True:
            place = int(random.integers(len(texts)))
            yield given_pair(self.name, str(place + 1), texts[place], texts[place])


def replace_words(text: str, random: np.random.Generator, pool: Sequence[str]) -> str | None:
    """Put words of other texts in place of a fifth of the words, at least one."""
    words = text.split()
    if not words:
        return None
    for place in random.permutation(len(words))[: max(1, round(0.2 * len(words)))]:
        words[place] = pool[int(random.integers(len(pool)))]
    return " ".join(words)


def corpus_sentences(file: str, least: int = 1) -> list[str]:
    """Read the sentences of a corpus; fewer than wanted, or only empty ones, are an error."""
    texts = last_cells(file)
    if len(texts) < least or not any(text.strip() for text in texts):
        raise InputError("too few sentences in this corpus", path=file, remedy=f"give at least {least}, one per line")
    return texts
