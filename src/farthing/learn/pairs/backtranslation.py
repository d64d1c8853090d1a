"""Paraphrases by way of another language: a sentence, and its round trip through each pivot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import UsageError
from farthing.language.seq2seq import Seq2Seq
from farthing.learn.data.corpus import read_corpus, shuffled
from farthing.learn.pairs.base import GeneratedText, TrainingPair, all_pairs

STRETCH = 64  # sentences that are translated at a time


class Backtranslation:
    """All pairs of a sentence and its round trips: three pivots give four texts and six pairs."""

    name: ClassVar[str] = "backtranslation"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "sentences, one per line or row"],
        pivots: Annotated[list[list[str]], "for each pivot two models: into it, and back"],
        column: Annotated[str | int | None, "the column with the sentence"] = None,
        beams: Annotated[int, "beams of the decoder; 1 is greedy"] = 1,
        longest: Annotated[int, "most tokens of a translation"] = 200,
        cache: Annotated[str | None, "a file that keeps generated texts"] = None,
    ) -> None:
        if not pivots or any(len(pivot) != 2 for pivot in pivots):
            raise UsageError('backtranslation: pivots is a list of pairs of models, such as [["en-fr", "fr-en"]]')
        self.corpus, self.column = corpus, column
        store = Path(cache) if cache else None
        self.pivots = [
            (
                Seq2Seq(there, beams=beams, longest=longest, cache=store),
                Seq2Seq(back, beams=beams, longest=longest, cache=store),
            )
            for there, back in pivots
        ]

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield all pairs of each sentence and its round trips."""
        documents = iter(shuffled(read_corpus(self.corpus, self.column, least=1), random))
        while stretch := list(islice(documents, STRETCH)):
            texts = [document.text for document in stretch]
            texts_by_pivot = [[GeneratedText(text, "given") for text in texts], *self._returned(texts)]
            for document, variants in zip(stretch, zip(*texts_by_pivot, strict=True), strict=True):
                yield from all_pairs(self.name, document.name, variants, random)

    def _returned(self, texts: list[str]) -> Iterator[list[GeneratedText]]:
        for there, back in self.pivots:
            name = f"{there.name}+{back.name}"
            yield [GeneratedText(text, name) for text in back.generate(there.generate(texts))]
