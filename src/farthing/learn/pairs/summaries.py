"""All pairs of several summaries of each document: by models, by simple extraction and by people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import InputError, UnknownName
from farthing.language.seq2seq import Seq2Seq
from farthing.learn.data.corpus import Document, read_corpus, shuffled
from farthing.learn.pairs.base import GeneratedText, TrainingPair, all_pairs
from farthing.learn.pairs.extractive import EXTRACTORS, extracted

STRETCH = 16  # documents that are summarised at a time


class Summaries:
    """All pairs of the summaries of a document: five summaries give ten pairs."""

    name: ClassVar[str] = "summaries"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "documents, one per row"],
        column: Annotated[str | int | None, "the column with the document"] = None,
        human: Annotated[str | None, "the column with the human summary, or a list of human summaries"] = None,
        models: Annotated[list[str] | None, "seq2seq models that summarise: folders or names"] = None,
        extractors: Annotated[list[str] | None, f"extractive methods, of {', '.join(EXTRACTORS)}"] = None,
        sentences: Annotated[int, "sentences of an extracted summary"] = 3,
        longest: Annotated[int, "most tokens of a generated summary"] = 142,
        cache: Annotated[str | None, "a file that keeps generated texts"] = None,
    ) -> None:
        self.corpus, self.column, self.human, self.sentences = corpus, column, human, sentences
        self.extractors = list(EXTRACTORS) if extractors is None else list(extractors)
        for extractor in self.extractors:
            if extractor not in EXTRACTORS:
                raise UnknownName("extractor", extractor, EXTRACTORS)
        store = Path(cache) if cache else None
        self.models = [Seq2Seq(model, longest=longest, cache=store) for model in models or ()]

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield all pairs of each document's summaries."""
        documents = iter(shuffled(read_corpus(self.corpus, self.column, least=1), random))
        while stretch := list(islice(documents, STRETCH)):
            for document, variants in zip(stretch, self._summaries(stretch), strict=True):
                yield from all_pairs(self.name, document.name, variants, random)

    def _summaries(self, documents: list[Document]) -> list[list[GeneratedText]]:
        summaries = [self._simple(document) for document in documents]
        for model in self.models:
            for variants, text in zip(summaries, model.generate([one.text for one in documents]), strict=True):
                variants.append(GeneratedText(text, model.name))
        return summaries

    def _simple(self, document: Document) -> list[GeneratedText]:
        made = [GeneratedText(extracted(document.text, name, self.sentences), name) for name in self.extractors]
        return [*(GeneratedText(text, "human") for text in self._human(document)), *made]

    def _human(self, document: Document) -> list[str]:
        if self.human is None:
            return []
        given = document.record.get(self.human)
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError(f"{document.name}: no human summary in the column {self.human!r}", path=self.corpus)
        return texts
