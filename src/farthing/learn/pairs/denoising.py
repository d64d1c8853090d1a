"""A segment against its reconstruction by a model that saw only half of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np

from farthing.core.errors import ModelError, UsageError
from farthing.language.seq2seq import MaskFiller, Seq2Seq
from farthing.learn.data.corpus import read_corpus
from farthing.learn.pairs.base import GeneratedText, TrainingPair, training_pair
from farthing.learn.pairs.infilling import infilled, permuted, text_spans

STRETCH = 32  # segments that are reconstructed at a time


class Denoising:
    """Text infilling and sentence permutation as in BART, then reconstruction. Segments are drawn without end."""

    name: ClassVar[str] = "denoising"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "texts; a segment may span several rows"],
        model: Annotated[str, "the model that reconstructs the text: a folder or a name"],
        kind: Annotated[Literal["seq2seq", "masked"], "the kind of that model"] = "seq2seq",
        column: Annotated[str | int | None, "the column with the text"] = None,
        shortest: Annotated[int, "fewest words of a segment"] = 1,
        longest: Annotated[int, "most words of a segment"] = 200,
        share: Annotated[float, "share of the words that are hidden"] = 0.5,
        span: Annotated[float, "mean length of a hidden span"] = 3.0,
        random_share: Annotated[float, "share of the hidden spans that become random words"] = 0.2,
        cache: Annotated[str | None, "a file that keeps generated texts"] = None,
    ) -> None:
        if not 1 <= shortest <= longest:
            raise UsageError("denoising: shortest must be at least 1 and at most longest")
        if not (0 < share < 1 and span > 0 and 0 <= random_share <= 1):
            raise UsageError("denoising: share must lie between 0 and 1, span above 0, random_share from 0 to 1")
        self.corpus, self.column, self.bounds = corpus, column, (shortest, longest)
        self.share, self.span, self.random_share = share, span, random_share
        store = Path(cache) if cache else None
        self.by_word = kind == "masked"
        self.model = MaskFiller(model, cache=store) if self.by_word else Seq2Seq(model, cache=store, longest=400)

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield pairs of a reconstructed segment and the segment itself."""
        documents = read_corpus(self.corpus, self.column, least=1)
        texts, names = [document.text.split() for document in documents], [document.name for document in documents]
        vocabulary = sorted({word for text in texts for word in text})
        mask = self.model.mask_token
        if mask is None:
            raise ModelError(f"{self.model.folder} has no mask token: give a model that was trained to denoise")
        drawn = segments(texts, *self.bounds, random)
        while stretch := list(islice(drawn, STRETCH)):
            noised = [self._noised(words, mask, vocabulary, random) for _, words in stretch]
            for (start, words), rebuilt in zip(stretch, self.model.generate(noised), strict=True):
                made, given = GeneratedText(rebuilt, self.model.name), GeneratedText(" ".join(words), "given")
                yield training_pair(self.name, names[start], made, given)

    def _noised(self, words: Sequence[str], mask: str, vocabulary: Sequence[str], random: np.random.Generator) -> str:
        spans = text_spans(len(words), random, self.share, self.span, self.random_share)
        return " ".join(permuted(infilled(words, spans, mask, vocabulary, random, self.by_word), random))


def segments(
    texts: Sequence[Sequence[str]], shortest: int, longest: int, random: np.random.Generator
) -> Iterator[tuple[int, list[str]]]:
    """Draw segments without end, of uniform length in words, each with the number of the text it starts in.

    A segment starts with a text and continues into the next ones; the first text follows the last one. A corpus that
    is shorter than `longest` words gives segments up to its own length.
    """
    longest = min(longest, sum(map(len, texts)))
    while True:
        start = at = int(random.integers(len(texts)))
        length = int(random.integers(min(shortest, longest), longest + 1))
        words: list[str] = []
        while len(words) < length:
            words += texts[at % len(texts)]
            at += 1
        yield start, words[:length]
