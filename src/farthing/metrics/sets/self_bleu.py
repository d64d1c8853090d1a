"""Self-BLEU: how much each text of a set repeats the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo
from farthing.metrics.lexical import Tokenization, check_tokenizer
from farthing.metrics.sets.base import Verdict
from farthing.metrics.sets.distinct import word_ngrams
from farthing.metrics.sets.texts import TextSetMetric


class SelfBleu(TextSetMetric):
    """Mean BLEU of each text with all others as its references (Zhu et al. 2018); lower is more diverse.

    Of all other texts only the largest count of an n-gram and the nearest length matter, so the time grows with the
    number of words, not with its square.
    """

    about = MetricInfo(
        name="self_bleu",
        summary="Mean BLEU of each text against all others of its set; no reference.",
        paper="Zhu et al. 2018, https://arxiv.org/abs/1802.01886",
        range=(0, 100),
        higher_is_better=False,
        needs=frozenset(),
        level="set",
    )
    fewest = 2

    def __init__(
        self,
        *,
        max_ngram_order: Annotated[int, "length of the longest n-gram"] = 4,
        tokenize: Annotated[Tokenization, "tokenizer of sacrebleu; flores and spBLEU need a model"] = "13a",
        lowercase: Annotated[bool, "ignore case"] = False,
        smooth_method: Annotated[Literal["exp", "floor", "add-k", "none"], "for n-grams without a match"] = "exp",
    ) -> None:
        from sacrebleu.metrics import BLEU

        check_positive("self_bleu", max_ngram_order=max_ngram_order)
        check_tokenizer(tokenize)
        self.order, self.tokenize, self.lowercase, self.smooth = max_ngram_order, tokenize, lowercase, smooth_method
        self._bleu = BLEU(tokenize=tokenize, force=True)

    def words(self, text: str) -> list[str]:
        """Cut a text into words as sacrebleu's BLEU does."""
        words: list[str] = self._bleu.tokenizer((text.lower() if self.lowercase else text).rstrip()).split()
        return words

    def judge(self, texts: Sequence[Sequence[str]]) -> Verdict:
        """Compute the mean of all texts' BLEU."""
        counts = [[Counter(word_ngrams(text, n)) for n in range(1, self.order + 1)] for text in texts]
        others = [Largest([one[n] for one in counts]) for n in range(self.order)]
        lengths = nearest_lengths([len(text) for text in texts])
        scores = [
            self._scored([others[n].shared(row, one[n]) for n in range(self.order)], len(texts[row]), lengths[row])
            for row, one in enumerate(counts)
        ]
        return Verdict(float(np.mean(scores)), {})

    def _scored(self, correct: list[int], length: int, other: int) -> float:
        total = [max(0, length - n) for n in range(self.order)]
        scored = self._bleu.compute_bleu(
            correct, total, length, other, self.smooth, effective_order=True, max_ngram_order=self.order
        )
        return float(scored.score)

    def fields(self) -> dict[str, Value]:
        """Return the options for the signature."""
        case = "lc" if self.lowercase else "mixed"
        return {"order": self.order, "tok": self.tokenize, "case": case, "smooth": self.smooth}


class Largest:
    """The two largest counts of every n-gram over all texts, so that any text can be left out.

    :param counts: the n-grams of every text
    """

    def __init__(self, counts: Sequence[Counter[tuple[str, ...]]]) -> None:
        self._best: dict[tuple[str, ...], tuple[int, int]] = {}  # a count and the text that has it
        self._second: dict[tuple[str, ...], int] = {}
        for row, one in enumerate(counts):
            for ngram, count in one.items():
                best, _ = self._best.get(ngram, (0, -1))
                if count > best:
                    self._best[ngram], count = (count, row), best
                self._second[ngram] = max(count, self._second.get(ngram, 0))

    def shared(self, row: int, counts: Counter[tuple[str, ...]]) -> int:
        """Return how many n-grams of a text another text has, each at most as often as in one other text."""
        found = 0
        for ngram, count in counts.items():
            best, owner = self._best[ngram]
            found += min(count, self._second[ngram] if owner == row else best)
        return found


def nearest_lengths(lengths: Sequence[int]) -> list[int]:
    """Return for every text the length of the other text that is nearest to its own; of two the shorter.

    >>> nearest_lengths([3, 5, 5, 8, 1])
    [1, 5, 5, 5, 3]
    """
    counts = Counter(lengths)
    known = sorted(counts)
    nearest = {}
    for place, length in enumerate(known):
        around = [*known[max(0, place - 1) : place], *known[place + 1 : place + 2]]
        distances = [(abs(other - length), other) for other in around]
        nearest[length] = length if counts[length] > 1 else min(distances)[1]
    return [nearest[length] for length in lengths]
