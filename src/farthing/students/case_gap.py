"""What a tokenizer without capitals and accents does not see, and which small words change the meaning.

All features are 0 for equal texts. A count n is told as n / (n + 1), so that one wrong word is seen in a long text.

case       words that differ only in their capitals: their share of the words, and their count. A word that starts a
           sentence counts a tenth.
accents    words that differ only in their accents: the same two
numbers    numbers that only the candidate has, and those that only the reference has, as often as they are there
negations  how many more words that negate one of the texts has
pronouns   persons of whom only the candidate speaks by a pronoun, and those of the reference
names      other words with a capital, not at the start of a sentence, that only the candidate has, and those of the
           reference
endings    words that differ only in a final s, and is and are, was and were, has and have
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Matrix
from farthing.text.lexicon import NEGATIONS, NUMBER_WORDS, PRONOUNS, singular_verbs
from farthing.text.perturb import word_core
from farthing.text.words import composed

NAMES = (
    "case, share", "case", "accents, share", "accents", "numbers of the candidate", "numbers of the reference",
    "negations", "pronouns of the candidate", "pronouns of the reference", "names of the candidate",
    "names of the reference", "endings",
)  # fmt: skip
_START = 0.1  # what a word at the start of a sentence counts if its capital differs
_ENDS = (".", "!", "?", ":", '."', '!"', '?"', ".”", "…")
_DIGITS = re.compile(r"\d[\d.]*")
_NUMBER, _NEGATION, _PRONOUN = range(1, 4)
_PERSONS = {word.lower(): row[0] for row in reversed(PRONOUNS) for word in row}
_VALUES = dict(zip(NUMBER_WORDS, [*range(2, 20), *range(20, 100, 10)], strict=True))


class Word(NamedTuple):
    """A word without the punctuation around it, and the forms by which it is compared.

    :param low: in lower case
    :param plain: in lower case without accents
    :param stem: without the ending that tells one from many
    :param kind: whether it is a number, a pronoun or a negation; 0 for all others
    :param sense: the number, or the person of a pronoun
    """

    core: str
    low: str
    plain: str
    stem: str
    capital: bool
    kind: int
    sense: str


class Profile(NamedTuple):
    """The words of a text.

    :param cores: the distinct words, with capitals and accents
    :param starts: those that start a sentence
    :param numbers: in order; one that is there twice counts twice
    """

    cores: frozenset[str]
    starts: frozenset[str]
    numbers: tuple[str, ...]
    persons: frozenset[str]
    negations: int


def case_gaps(candidates: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return the features of every pair: one row per pair, one column per name of :data:`NAMES`.

    >>> case_gaps(["The cat is in Paris."], ["the cat is in paris"])[0, :2].round(2).tolist()
    [0.22, 0.52]
    """
    profiles = {text: profile(text) for text in dict.fromkeys([*candidates, *others])}
    rows = [profile_gap(profiles[one], profiles[two]) for one, two in zip(candidates, others, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))


class CrossedCase:
    """The features of all candidates and all references of a list."""

    def __init__(self, candidates: Sequence[str], references: Sequence[str]) -> None:
        self.own, self.other = list(map(profile, candidates)), list(map(profile, references))

    def gaps(self, rows: slice) -> Matrix:
        """Return the features of some candidates with all references, one per name along the last axis."""
        some = self.own[rows]
        gaps = [profile_gap(own, other) for own in some for other in self.other]
        return np.array(gaps, dtype=np.float64).reshape(len(some), len(self.other), len(NAMES))


def profile(text: str) -> Profile:
    """Read the words of a text."""
    pieces = composed(text).split()
    words = [_word(piece) for piece in pieces]
    special = [word for word in words if word.kind]
    starts = words[:1] + [words[place] for place, piece in enumerate(pieces[:-1], 1) if piece.endswith(_ENDS)]
    return Profile(
        frozenset([word.core for word in words if word.core]),
        frozenset([word.core for word in starts]),
        tuple(sorted(word.sense for word in special if word.kind == _NUMBER)),
        frozenset([word.sense for word in special if word.kind == _PRONOUN]),
        sum(word.kind == _NEGATION for word in special),
    )


def profile_gap(own: Profile, other: Profile) -> tuple[float, ...]:
    """Return the features of two texts, in the order of :data:`NAMES`."""
    ours = {word.low: word for word in map(_word, own.cores - other.cores)}
    theirs = {word.low: word for word in map(_word, other.cores - own.cores)}
    both = ours.keys() & theirs.keys()
    case = sum(
        _START if ours[low].core in own.starts or theirs[low].core in other.starts else 1.0 for low in both
    )  # fmt: skip
    left = [word for low, word in ours.items() if low not in both]
    right = [word for low, word in theirs.items() if low not in both]
    marked = {word.plain for word in left} & {word.plain for word in right}
    stems = ({word.stem for word in left} & {word.stem for word in right}) - marked
    count = max(len(own.cores), len(other.cores), 1)
    return (
        case / count,
        _saturated(case),
        len(marked) / count,
        _saturated(len(marked)),
        *_more(own.numbers, other.numbers),
        _saturated(abs(own.negations - other.negations)),
        *_more(own.persons, other.persons),
        _saturated(sum(word.capital and word.core not in own.starts and word.plain not in marked for word in left)),
        _saturated(sum(word.capital and word.core not in other.starts and word.plain not in marked for word in right)),
        _saturated(len(stems)),
    )


def _more(own: Iterable[str], other: Iterable[str]) -> tuple[float, float]:
    """Tell how many more of some things each text has."""
    if own == other:
        return 0.0, 0.0
    first, second = Counter(own), Counter(other)
    return _saturated((first - second).total()), _saturated((second - first).total())


def _saturated(count: float) -> float:
    return count / (count + 1)


@lru_cache(maxsize=1 << 16)
def _word(piece: str) -> Word:
    core = word_core(piece).replace("’", "'")
    low = core.lower()
    kind, sense = _sense(low)
    return Word(core, low, _plain(low), _stem(low), core[:1].isupper() and not kind, kind, sense)


def _sense(low: str) -> tuple[int, str]:
    """Return the kind of a word, and what it stands for."""
    if digits := "".join(_DIGITS.findall(low)).rstrip("."):
        return _NUMBER, digits
    if low in _VALUES:
        return _NUMBER, str(_VALUES[low])
    if low in NEGATIONS:
        return _NEGATION, ""
    person = _PERSONS.get(low.partition("'")[0], "")  # "he's" speaks of him, too
    return (_PRONOUN if person else 0), person


def _stem(low: str) -> str:
    many = singular_verbs().get(low)
    return many or (low[:-1] if low.endswith("s") and len(low) > 3 and not low.endswith("ss") else low)


def _plain(low: str) -> str:
    """Return a word without accents."""
    if low.isascii():
        return low
    return "".join(letter for letter in unicodedata.normalize("NFD", low) if not unicodedata.combining(letter))
