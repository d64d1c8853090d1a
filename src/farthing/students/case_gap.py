"""What a tokenizer without capitals and accents does not see, and which small words change the meaning.

All features are 0 for equal texts. A count n is told as n / (n + 1), so that one wrong word is seen in a long text.

case       words that differ only in their capitals: their share of the words, and their count. A word that starts a
           sentence counts a tenth.
accents    words that differ only in their accents: the same two
numbers    numbers that only the candidate has, and those that only the reference has
negations  how many more words that negate one of the texts has
pronouns   persons of whom only the candidate speaks by a pronoun, and those of the reference
names      other words with a capital, not at the start of a sentence, that only the candidate has, and those of the
           reference
endings    words that differ only in a final s, and is and are, was and were, has and have

Only the words that one text has and the other has not are looked at, so what equal texts share costs nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from farthing.core.arrays import Matrix
from farthing.students.word_gaps import WordFeatures
from farthing.text.lexicon import NEGATIONS, NUMBER_WORDS, PRONOUNS, singular_verbs
from farthing.text.perturb import word_core
from farthing.text.words import composed

NAMES = (
    "case, share", "case", "accents, share", "accents", "numbers of the candidate", "numbers of the reference",
    "negations", "pronouns of the candidate", "pronouns of the reference", "names of the candidate",
    "names of the reference", "endings",
)  # fmt: skip
_START = 0.1  # what a word at the start of a sentence counts if its capital differs
_ENDS = (".", "!", "?", ":", '"', "”")
_DIGITS = re.compile(r"\d[\d.]*")
NUMBER, NEGATION, PRONOUN, NAME = range(1, 5)  #: the kinds of words
_NOTHING = (0.0,) * len(NAMES)
_PERSONS = {word.lower(): row[0] for row in reversed(PRONOUNS) for word in row}
_VALUES = dict(zip(NUMBER_WORDS, [*range(2, 20), *range(20, 100, 10)], strict=True))


class Word(NamedTuple):
    """A word and the forms by which it is compared.

    :param piece: with the punctuation around it
    :param core: without that
    :param low: in lower case
    :param plain: in lower case without accents
    :param stem: without the ending that tells one from many
    :param kind: whether it is a number, a negation, a pronoun or a name, by its capital; 0 for all others
    :param sense: the number, or the person of a pronoun
    """

    piece: str
    core: str
    low: str
    plain: str
    stem: str
    kind: int
    sense: str


class Profile(NamedTuple):
    """The words of a text, with the punctuation around them, in order and as a set."""

    words: list[str]
    pieces: frozenset[str]
    ascii: bool

    def starts(self, piece: str) -> bool:
        """Tell whether one of the words starts a sentence where it is first."""
        place = self.words.index(piece)
        return place == 0 or ends_sentence(self.words[place - 1])


class Special(NamedTuple):
    """What is told of the words of one text that the other text does not have."""

    numbers: set[str]
    persons: set[str]
    negations: int
    names: int


_NONE = Special(set(), set(), 0, 0)


def case_gaps(candidates: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return the features of every pair: one row per pair, one column per name of :data:`NAMES`.

    >>> case_gaps(["The cat is in Paris."], ["the cat is in paris"])[0, :2].round(2).tolist()
    [0.22, 0.52]
    """
    return CASE_FEATURES.pairs(candidates, others)


def profile(text: str) -> Profile:
    """Read the words of a text."""
    words = composed(text).split()
    return Profile(words, frozenset(words), text.isascii())


def profile_gap(own: Profile, other: Profile) -> tuple[float, ...]:
    """Return the features of two texts, in the order of :data:`NAMES`."""
    ours, theirs = _only(own, other), _only(other, own)
    if not ours and not theirs:
        return _NOTHING
    starting = elsewhere = 0
    for low in ours.keys() & theirs.keys():
        one, two = ours.pop(low), theirs.pop(low)
        if one.core != two.core:
            if own.starts(one.piece) or other.starts(two.piece):
                starting += 1
            else:
                elsewhere += 1
    case = _START * starting + elsewhere
    accents = 0
    if not (own.ascii and other.ascii):
        for plain in {word.plain for word in ours.values()} & {word.plain for word in theirs.values()}:
            accents += 1
            ours, theirs = _without(ours, plain), _without(theirs, plain)
    first, second = _special(ours, own, other), _special(theirs, other, own)
    endings = {word.stem for word in ours.values()} & {word.stem for word in theirs.values()}
    count = max(len(own.pieces), len(other.pieces))
    return (
        case / count,
        case / (case + 1),
        accents / count,
        accents / (accents + 1),
        _saturated(len(first.numbers - second.numbers)),
        _saturated(len(second.numbers - first.numbers)),
        _saturated(abs(first.negations - second.negations)),
        _saturated(len(first.persons - second.persons)),
        _saturated(len(second.persons - first.persons)),
        _saturated(first.names),
        _saturated(second.names),
        _saturated(len(endings)),
    )


def _only(own: Profile, other: Profile) -> dict[str, Word]:
    """Return the words that only one text has, by their form in lower case; the last one of those with the same form.

    They are looked at in the order of the text: that of a set differs from one process to the next.
    """
    others = other.pieces
    return {word.low: word for word in map(word_of, [piece for piece in own.words if piece not in others])}


def _special(words: Mapping[str, Word], own: Profile, other: Profile) -> Special:
    """Count the numbers, persons, negations and names among the words that only one text has.

    A word that the other text has without the same punctuation does not count.
    """
    special = [word for word in words.values() if word.kind and word.core not in other.pieces]
    if not special:
        return _NONE
    numbers, persons, negations, names = set(), set(), 0, 0
    for word in special:
        if word.kind == NAME:
            names += not own.starts(word.piece)
        elif word.kind == NUMBER:
            numbers.add(word.sense)
        elif word.kind == PRONOUN:
            persons.add(word.sense)
        else:
            negations += 1
    return Special(numbers, persons, negations, names)


def _without(words: Mapping[str, Word], plain: str) -> dict[str, Word]:
    return {low: word for low, word in words.items() if word.plain != plain}


def _saturated(count: int) -> float:
    return count / (count + 1)


def ends_sentence(piece: str) -> bool:
    """Tell whether a sentence may end after a word with its punctuation."""
    return piece.endswith(_ENDS)


@lru_cache(maxsize=1 << 16)
def word_of(piece: str) -> Word:
    """Read a word, with the punctuation around it."""
    core = word_core(piece).replace("’", "'")
    low = core.lower()
    kind, sense = _sense(low)
    return Word(piece, core, low, _plain(low), _stem(low), kind or NAME * core[:1].isupper(), sense)


def _sense(low: str) -> tuple[int, str]:
    """Return the kind of a word, and what it stands for."""
    if digits := "".join(_DIGITS.findall(low)).rstrip("."):
        return NUMBER, digits
    if low in _VALUES:
        return NUMBER, str(_VALUES[low])
    if low in NEGATIONS:
        return NEGATION, ""
    person = _PERSONS.get(low.partition("'")[0], "")  # "he's" speaks of him, too
    return (PRONOUN if person else 0), person


def _stem(low: str) -> str:
    many = singular_verbs().get(low)
    return many or (low[:-1] if low.endswith("s") and len(low) > 3 and not low.endswith("ss") else low)


def _plain(low: str) -> str:
    """Return a word without accents."""
    if low.isascii():
        return low
    return "".join(letter for letter in unicodedata.normalize("NFD", low) if not unicodedata.combining(letter))


CASE_FEATURES = WordFeatures(NAMES, profile, profile_gap)
