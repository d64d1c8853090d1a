"""METEOR by NLTK's formula: words, then stems, then synonyms are matched, and broken order is punished."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

import numpy as np

from farthing.core.errors import SpecError, UsageError
from farthing.core.metric import Metric, check_pairs, check_positive, empty_notes
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores
from farthing.text.porter import stem
from farthing.text.wordnet import Synonyms, find_synonyms
from farthing.text.words import word_splitter

_Keys: TypeAlias = Callable[[str], Iterable[str]]  # what a candidate's word may be matched with


class Meteor(Metric):
    """METEOR between 0 and 1 (Lavie and Agarwal 2007); of several references the best counts."""

    about = MetricInfo(
        name="meteor",
        summary="Matched words, stems and synonyms, less a penalty for broken order.",
        paper="Lavie and Agarwal 2007, https://aclanthology.org/W07-0734",
        range=(0, 1),
    )

    holds_lock = True

    def __init__(
        self,
        *,
        stemmer: Annotated[bool, "match stems (Porter's), too"] = True,
        synonyms: Annotated[bool | None, "match WordNet's synonyms, too; else if NLTK has its data here"] = None,
        tokenizer: Annotated[
            Literal["13a", "unicode", "space"], "13a: sacrebleu's; unicode: words of any script; space: as written"
        ] = "13a",
        alpha: Annotated[float, "weight of precision against recall, from 0 to 1"] = 0.9,
        beta: Annotated[float, "exponent of the share of broken order"] = 3.0,
        gamma: Annotated[float, "the largest penalty, from 0 to 1"] = 0.5,
    ) -> None:
        check_positive("meteor", beta=beta)
        for name, value in (("alpha", alpha), ("gamma", gamma)):
            if not 0 <= value <= 1:
                raise SpecError(f"meteor: {name}={value} must be from 0 to 1")
        self.stemmer, self.tokenizer = stemmer, tokenizer
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.wordnet = None if synonyms is False else find_synonyms()
        self.missing = self.wordnet is None and synonyms is None
        if synonyms and self.wordnet is None:
            raise UsageError(
                "meteor(synonyms=true) needs WordNet: pip install 'farthing[wordnet]', then python -m nltk.downloader "
                "wordnet"
            )
        self._split = word_splitter(tokenizer)

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair; the corpus score is the mean of the segments."""
        check_pairs(self.info, pairs)
        rows = zip(pairs.candidates, pairs.references, strict=True)
        segments = np.array([self._best(candidate, references) for candidate, references in rows])
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            notes=(*empty_notes(pairs), *self._missing_note()),
            signature=Signature("meteor", self._fields()),
            system=pairs.system,
        )

    def _best(self, candidate: str, references: Sequence[str]) -> float:
        words = self._split(candidate.lower())
        return max(self.compared(words, self._split(text.lower())) for text in references)

    def compared(self, candidate: Sequence[str], reference: Sequence[str]) -> float:
        """Compare two lists of words."""
        matches = matched(candidate, reference, stems=self.stemmer, synonyms=self.wordnet)
        if not matches:
            return 0.0
        precision, recall = len(matches) / len(candidate), len(matches) / len(reference)
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        broken = run_count(matches) / len(matches)
        return float((1 - self.gamma * broken**self.beta) * mean)

    def _missing_note(self) -> tuple[Note, ...]:
        message = "WordNet is not on this machine, so synonyms do not match (synonyms=false says that this is meant)"
        return (Note("synonyms", message),) if self.missing else ()

    def _fields(self) -> dict[str, Value]:
        return {
            "stemmer": self.stemmer,
            "synonyms": self.wordnet.version if self.wordnet else False,
            "tokenizer": self.tokenizer,
            "alpha": self.alpha,
            "beta": self.beta,
            "gamma": self.gamma,
        }


def matched(
    candidate: Sequence[str], reference: Sequence[str], *, stems: bool = True, synonyms: Synonyms | None = None
) -> list[tuple[int, int]]:
    """Match each word with at most one of the other text: equal words first, then equal stems, then synonyms.

    As in NLTK, the words of the candidate choose from last to first, and each takes the last word that is still free;
    and synonyms are those of stems, which WordNet often does not have.

    >>> matched(["the", "cats", "sat"], ["a", "cat", "sat"])
    [(1, 1), (2, 2)]
    """
    matches: dict[int, int] = {}
    _match(candidate, reference, lambda word: (word,), matches)
    if stems:
        candidate, reference = ([stem(word) for word in words] for words in (candidate, reference))
        _match(candidate, reference, lambda word: (word,), matches)
    if synonyms is not None:
        _match(candidate, reference, synonyms.of, matches)
    return sorted(matches.items())


def _match(candidate: Sequence[str], reference: Sequence[str], keys: _Keys, matches: dict[int, int]) -> None:
    """Add the matches of words that have none yet."""
    taken = set(matches.values())
    free: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(reference):
        if place not in taken:
            free[word].append(place)
    for place in reversed(range(len(candidate))):
        if place in matches:
            continue
        last = max(
            (key for key in keys(candidate[place]) if free.get(key)), key=lambda key: free[key][-1], default=None
        )
        if last is not None:
            matches[place] = free[last].pop()


def run_count(matches: Sequence[tuple[int, int]]) -> int:
    """Count the runs of matches that are neighbours in both texts.

    >>> run_count([(0, 0), (1, 1), (2, 4)])
    2
    """
    return 1 + sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in pairwise(matches))
