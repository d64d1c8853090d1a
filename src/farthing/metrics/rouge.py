"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, with the scores of Google's rouge-score, which need not be installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Annotated, Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.progress import counted
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.text.porter import stem
from farthing.text.subsequence import common_length, common_places
from farthing.text.words import unicode_words, word_splitter

RougeType: TypeAlias = Literal["rouge1", "rouge2", "rougeL", "rougeLsum"]
TYPES: tuple[RougeType, ...] = ("rouge1", "rouge2", "rougeL", "rougeLsum")
MEASURES = ("", "_precision", "_recall")  # the parts of each type; the F-measure has the name of the type alone
_SHORTEST = 4  # rouge-score leaves shorter words as they are


class Rouge(Metric):
    """ROUGE F-measures between 0 and 1; of several references, the one with the best F-measure counts."""

    about = MetricInfo(
        name="rouge",
        summary="Overlap of words, word pairs and the longest common subsequence.",
        paper="Lin 2004, https://aclanthology.org/W04-1013",
        range=(0, 1),
        columns=TYPES,
    )

    holds_lock = True

    def __init__(
        self,
        *,
        type: Annotated[RougeType | None, "which is the score; else rougeL, and tables show all four"] = None,
        stemmer: Annotated[bool, "compare stems (Porter's) instead of words"] = False,
        tokenizer: Annotated[
            Literal["ascii", "unicode"], "ascii: only a to z and digits, as rouge-score; unicode: every script"
        ] = "ascii",
    ) -> None:
        self.asked, self.type = type, type or "rougeL"
        self.stemmer, self.tokenizer = stemmer, tokenizer
        self._split = word_splitter(tokenizer)

    @property
    def info(self) -> MetricInfo:
        """What this metric needs; a table shows only the type that was asked for."""
        return self.about if self.asked is None else replace(self.about, columns=())

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; the corpus score is the mean of the segments."""
        check_pairs(self.info, pairs)
        rows = counted("rouge", list(zip(pairs.candidates, pairs.references, strict=True)))
        values = np.array([self._best(candidate, references) for candidate, references in rows])
        parts = {
            f"{name}{measure}": values[:, place, side]
            for place, name in enumerate(TYPES)
            for side, measure in enumerate(MEASURES)
        }
        segments = parts[self.type]
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=(*empty_notes(pairs), *self._erased(pairs)),
            signature=Signature("rouge", self._fields()),
            system=pairs.system,
        )

    def _best(self, candidate: str, references: Sequence[str]) -> Floats:
        """Return F-measure, precision and recall of each type, for the reference that is best by that type."""
        sentences = self._sentences(candidate)
        found = np.array([rouge(sentences, self._sentences(reference)) for reference in references])
        best = found[:, :, 0].argmax(axis=0)
        return np.asarray(found[best, np.arange(len(TYPES))])

    def _sentences(self, text: str) -> list[list[str]]:
        """Return the words of every line."""
        lines = [self._split(line) for line in text.split("\n") if line]
        if not self.stemmer:
            return lines
        return [[stem(word) if len(word) >= _SHORTEST else word for word in line] for line in lines]

    def _erased(self, pairs: Pairs) -> tuple[Note, ...]:
        """Name the rows with a text of which the tokenizer leaves less than half of the letters."""
        if self.tokenizer != "ascii":
            return ()
        rows = [
            row
            for row, texts in enumerate(zip(pairs.candidates, pairs.references, strict=True))
            if any(map(is_erased, (texts[0], *texts[1])))
        ]
        message = "most of a text is lost, since only a to z and digits are read; tokenizer=unicode reads every script"
        return (Note("erased", message, tuple(rows)),) if rows else ()

    def _fields(self) -> dict[str, Value]:
        return {"type": self.type, "stemmer": self.stemmer, "tokenizer": self.tokenizer}


def rouge(candidate: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> list[tuple[float, float, float]]:
    """Return F-measure, precision and recall of each type, in the order of `TYPES`.

    :param candidate: the words of every sentence

    >>> [round(f, 3) for f, _, _ in rouge([["a", "b", "c"]], [["a", "c", "b"]])]
    [1.0, 0.0, 0.667, 0.667]
    """
    left, right = list(chain.from_iterable(candidate)), list(chain.from_iterable(reference))
    pairs = [list(pairwise(words)) for words in (left, right)]
    longest = common_length(right, left)
    union = longest if len(candidate) == len(reference) == 1 else union_length(candidate, reference)
    return [
        _measures((Counter(left) & Counter(right)).total(), len(left), len(right)),
        _measures((Counter(pairs[0]) & Counter(pairs[1])).total(), len(pairs[0]), len(pairs[1])),
        _measures(longest, len(left), len(right)),
        _measures(union, len(left), len(right)),
    ]


def union_length(candidate: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> int:
    """Count the words of the reference's sentences that are in a common subsequence with any of the candidate's.

    No word counts more often than it occurs in either text, as in ROUGE 1.5.5.
    """
    united: Counter[str] = Counter()
    for sentence in reference:
        places = {place for other in candidate for place in common_places(sentence, other)}
        united.update(sentence[place] for place in places)
    counts = (Counter(chain.from_iterable(sentences)) for sentences in (candidate, reference))
    return (united & next(counts) & next(counts)).total()


def _measures(common: int, candidate: int, reference: int) -> tuple[float, float, float]:
    precision, recall = common / max(candidate, 1), common / max(reference, 1)
    return 2 * precision * recall / (precision + recall) if common else 0.0, precision, recall


def is_erased(text: str) -> bool:
    """Tell whether more than half of a text's letters and digits are outside of ASCII.

    >>> is_erased("Привет"), is_erased("naïve"), is_erased("!?"), is_erased("👩")
    (True, False, False, True)
    """
    if text.isascii():
        return False
    letters = "".join(unicode_words(text))
    return 2 * sum(letter.isascii() for letter in letters) < len(letters)
