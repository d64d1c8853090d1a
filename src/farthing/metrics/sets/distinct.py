"""Distinct-n: the share of different n-grams in a set of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo
from farthing.metrics.sets.base import Verdict
from farthing.metrics.sets.texts import TextSetMetric
from farthing.text.words import WordRule, word_splitter

SHOWN = (1, 2, 3)  #: the orders that are parts of the result


class DistinctN(TextSetMetric):
    """Different n-grams, divided by all n-grams (Li et al. 2016): 1 if none repeats."""

    about = MetricInfo(
        name="distinct",
        summary="Share of different n-grams in a set of texts; no reference.",
        paper="Li et al. 2016, https://aclanthology.org/N16-1014",
        range=(0, 1),
        needs=frozenset(),
        level="set",
        shown=tuple(f"distinct{n}" for n in SHOWN),
    )

    def __init__(
        self,
        *,
        n: Annotated[int, "length of the n-grams of the score"] = 2,
        within: Annotated[bool, "the mean of each text's own share, instead of that of all texts together"] = False,
        tokenizer: Annotated[WordRule, "unicode: words of any script; 13a: sacrebleu's; space: as written"] = "unicode",
        lowercase: Annotated[bool, "ignore case"] = True,
    ) -> None:
        check_positive("distinct", n=n)
        self.n, self.within, self.tokenizer, self.lowercase = n, within, tokenizer, lowercase
        self._split = word_splitter(tokenizer)

    def words(self, text: str) -> list[str]:
        """Cut a text into words."""
        return self._split(text.lower() if self.lowercase else text)

    def judge(self, texts: Sequence[Sequence[str]]) -> Verdict:
        """Compute the share for the order that was asked for, and for 1 to 3 as parts."""
        shares = {n: self._share(texts, n) for n in {*SHOWN, self.n}}
        return Verdict(shares[self.n], {f"distinct{n}": share for n, share in sorted(shares.items())})

    def _share(self, texts: Sequence[Sequence[str]], n: int) -> float:
        found = [word_ngrams(text, n) for text in texts]
        if not self.within:
            found = [[ngram for one in found for ngram in one]]
        # A text that is shorter than n repeats nothing.
        return float(np.mean([len(set(one)) / len(one) if one else 1.0 for one in found]))

    def fields(self) -> dict[str, Value]:
        """Return the options for the signature."""
        return {"n": self.n, "within": self.within, "tokenizer": self.tokenizer, "lowercase": self.lowercase}


def word_ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all runs of n words.

    >>> word_ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    return list(zip(*(words[start:] for start in range(n)), strict=False))
