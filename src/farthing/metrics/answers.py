"""Exact match and token F1: does a short answer say what a reference says?"""

from __future__ import annotations

import re
import string
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import numpy as np

from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.text.words import word_splitter

AnswerRules: TypeAlias = Literal["squad", "unicode", "space"]
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_words(text: str, *, drop_articles: bool = True) -> list[str]:
    """Return the words of an answer as SQuAD's evaluation does: lower case, no ASCII punctuation, no articles.

    >>> squad_words("The Eiffel-Tower!")
    ['eiffeltower']
    """
    plain = text.lower().translate(_PUNCTUATION)
    return (_ARTICLE.sub(" ", plain) if drop_articles else plain).split()


class AnswerMetric(Metric):
    """A metric of the words of short answers; of several references the best counts."""

    holds_lock = True

    def __init__(
        self,
        *,
        rules: Annotated[
            AnswerRules, "squad: lower case, no ASCII punctuation; unicode: words of any script; space: as written"
        ] = "squad",
        drop_articles: Annotated[bool | None, "leave out a, an and the; else only by rules=squad"] = None,
    ) -> None:
        self.rules = rules
        self.drop_articles = rules == "squad" if drop_articles is None else drop_articles

    @abstractmethod
    def compared(self, candidate: Sequence[str], reference: Sequence[str]) -> tuple[float, ...]:
        """Compare the words of two answers: the score, then its parts."""

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; the corpus score is the mean of the segments."""
        check_pairs(self.info, pairs)
        rows = zip(pairs.candidates, pairs.references, strict=True)
        values = np.array([self._best(self.words(answer), references) for answer, references in rows])
        return Scores(
            corpus=float(values[:, 0].mean()),
            segments=values[:, 0],
            parts=dict(zip(("precision", "recall"), values.T[1:], strict=False)),
            notes=empty_notes(pairs),
            signature=Signature(self.info.name, {"rules": self.rules, "drop_articles": self.drop_articles}),
            system=pairs.system,
        )

    def _best(self, candidate: Sequence[str], references: Sequence[str]) -> tuple[float, ...]:
        return max((self.compared(candidate, self.words(text)) for text in references), key=lambda found: found[0])

    def words(self, text: str) -> list[str]:
        """Return the words of an answer that are compared."""
        if self.rules == "squad":
            return squad_words(text, drop_articles=self.drop_articles)
        words = word_splitter(self.rules)(text)
        return [word for word in words if word not in _ARTICLES] if self.drop_articles else words


class ExactMatch(AnswerMetric):
    """Whether the answer has the same words as a reference, in the same order: 1 or 0."""

    about = MetricInfo(
        name="exact_match",
        summary="Share of answers that equal a reference, but for case, punctuation and articles.",
        paper="Rajpurkar et al. 2016, https://aclanthology.org/D16-1264",
        range=(0, 1),
    )

    def compared(self, candidate: Sequence[str], reference: Sequence[str]) -> tuple[float, ...]:
        """Return 1 if all words are equal, else 0."""
        return (float(candidate == reference),)


class TokenF1(AnswerMetric):
    """Harmonic mean of the shares of words that answer and reference have in common."""

    about = MetricInfo(
        name="token_f1",
        summary="F-measure of the words that an answer shares with a reference.",
        paper="Rajpurkar et al. 2016, https://aclanthology.org/D16-1264",
        range=(0, 1),
    )

    def compared(self, candidate: Sequence[str], reference: Sequence[str]) -> tuple[float, ...]:
        """Return F-measure, precision and recall; two answers without words are equal."""
        common = (Counter(candidate) & Counter(reference)).total()
        if not candidate or not reference:
            return (float(candidate == reference),) * 3
        precision, recall = common / len(candidate), common / len(reference)
        return 2 * precision * recall / (precision + recall) if common else 0.0, precision, recall
