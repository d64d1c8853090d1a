"""One thing wrong in a text that is otherwise like the reference: what a reader sees at once, and similarity does not.

A wrong number or an exchanged name hardly changes the vectors of a text. These features see such edits. They are 0 for
texts that differ in any other word, so they say nothing about usual outputs, and hardly a paraphrase has one.

numbers    a number in the place of another one
negation   a word that negates more, or one less
names      a name in the place of another one, not at the start of a sentence, where every word has a capital
roles      two parts of the text exchanged, with at least one word between them
agreement  a verb in the form for one in the place of the form for many, or the other way round, and no auxiliary verb
           that asks for it
pronouns   a pronoun of one person in the place of another one's
additions  two or more words more in one place (articles and auxiliary verbs do not count, and one of them must say more
           than "in here" does), nothing less
case       two or more words that differ only in their capitals, not at the start of a sentence
accents    words that differ only in their accents
spelling   words that differ in one letter, or in the order of two

A count n is told as n / (n + 1). Articles, auxiliary verbs, plurals and British spelling may differ besides. A text of
fewer than six words is never "otherwise like the reference".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from farthing.core.arrays import Matrix
from farthing.students.case_gap import NAME, NEGATION, NUMBER, PRONOUN, Word, ends_sentence, word_of
from farthing.students.word_gaps import WordFeatures
from farthing.text.lexicon import AUXILIARIES, singular_verbs
from farthing.text.words import composed

NAMES = (
    "numbers", "negation", "names", "roles", "agreement", "pronouns", "additions", "case", "accents", "spelling",
)  # fmt: skip
_NOTHING = (0.0,) * len(NAMES)
_FEWEST_WORDS = 6  # of a text
_MOST = 12  # words that only one text has: a long sentence with many typing mistakes
_PHRASE = 12  # words of the longest addition
_FEWEST_ADDED = 2  # words; one more is often a matter of style
_FEWEST_RECASED = 2  # words; one capital is often a matter of taste
_SHORTEST = 4  # letters of the longer of two words; a mistake in a shorter one is often another word
_SUPPORT = frozenset(("do", "does", "did"))  # come and go with a negation
_LIGHT = frozenset(
    ("a", "an", "the", "been", "being", "s", "ve", "re", "ll", "d", "m", *AUXILIARIES)
)  # hardly change what is said
_SMALL_WORDS = """
about all also and as at but by even for from here in it its just of off on only or out over so still that then there
these this those to too up very well which who with
"""
_SMALL = frozenset(_SMALL_WORDS.split())  # alone, they add nothing
_JOINTS = re.compile(r"[-–/'’]")  # between the words of "twenty-five" and "we've"
_VARIANTS = (("our", "or"), ("ll", "l"), ("re", "er"), ("ise", "ize"), ("isi", "izi"), ("ae", "e"), ("ogue", "og"))


class EditProfile(NamedTuple):
    """The words of a text without the punctuation around them.

    :param lows: the words in lower case
    :param counts: how often each of them occurs
    :param distinct: each of them once
    :param starting: those of them that start a sentence somewhere
    """

    words: list[Word]
    lows: list[str]
    counts: Mapping[str, int]
    distinct: frozenset[str]
    starting: frozenset[str]


class _Rest:
    """Words that one of two texts has more often than the other, and that no edit explains yet."""

    def __init__(self, ours: list[Word], theirs: list[Word]) -> None:
        self.ours, self.theirs = ours, theirs

    def explained(self, same: Callable[[Word, Word], bool]) -> int:
        """Take away pairs of words, one of each text, for which a test holds; return how many."""
        before, left = len(self.ours), []
        for word in self.ours:
            place = next((place for place, other in enumerate(self.theirs) if same(word, other)), None)
            if place is None:
                left.append(word)
            else:
                del self.theirs[place]
        self.ours = left
        return before - len(left)

    def disagreeing(self) -> int:
        """Take away verbs that differ in their form; return how many, 0 if an auxiliary verb may be the reason."""
        count = self.explained(_disagree)
        return 0 if any(word.low in AUXILIARIES for side in self._sides() for word in side) else count

    def exchanged(self, kind: int, but: frozenset[str] = frozenset()) -> int:
        """Take away the words of a kind, but some, if both texts have such; return how many differ."""
        sides = [[word for word in side if word.kind == kind and word.low not in but] for side in self._sides()]
        if not all(sides):
            return 0
        self._drop(lambda word: word.kind == kind and word.low not in but)
        return min(map(len, sides))

    def negations(self) -> int:
        """Take away words that negate, and the verbs that come with them; return how many more one text has."""
        ours, theirs = (sum(word.kind == NEGATION for word in side) for side in self._sides())
        if ours != theirs:
            self._drop(lambda word: word.kind == NEGATION or word.low in _SUPPORT)
        return abs(ours - theirs)

    def added(self, own: EditProfile, other: EditProfile) -> int:
        """Take away a phrase that only the first text has, if the second has nothing of its own; return its words."""
        self._drop(lambda word: word.low in _LIGHT)
        count = len(self.ours)
        if self.theirs or not _FEWEST_ADDED <= count <= _PHRASE or inserted(own.lows, other.lows) < count:
            return 0
        small = all(word.low in _SMALL for word in self.ours)
        self.ours = []
        return 0 if small else count

    def empty(self) -> bool:
        """Tell whether everything is explained."""
        return not self.ours and not self.theirs

    def _sides(self) -> tuple[list[Word], list[Word]]:
        return self.ours, self.theirs

    def _drop(self, unwanted: Callable[[Word], bool]) -> None:
        self.ours, self.theirs = ([word for word in side if not unwanted(word)] for side in self._sides())


def edit_gaps(candidates: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return the features of every pair: one row per pair, one column per name of :data:`NAMES`.

    >>> edit_gaps(["We saw 5 cats on the roof."], ["We saw 7 cats on the roof."])[0, 0].item()
    0.5
    """
    return EDIT_FEATURES.pairs(candidates, others)


def edit_profile(text: str) -> EditProfile:
    """Read the words of a text."""
    words = [word_of(part) for piece in composed(text).split() for part in _JOINTS.split(piece)]
    words = [word for word in words if word.core]
    lows = [word.low for word in words]
    starting = {low for place, low in enumerate(lows) if place == 0 or ends_sentence(words[place - 1].piece)}
    counts = Counter(lows)
    return EditProfile(words, lows, counts, frozenset(counts), frozenset(starting))


def edit_gap(own: EditProfile, other: EditProfile) -> tuple[float, ...]:
    """Return the features of two texts, in the order of :data:`NAMES`."""
    if min(len(own.words), len(other.words)) < _FEWEST_WORDS:
        return _NOTHING
    if max(len(own.distinct - other.distinct), len(other.distinct - own.distinct)) > _MOST:
        return _NOTHING  # most pairs: two sets are compared many times as fast as all that follows
    ours, theirs = extra_words(own, other), extra_words(other, own)
    if max(ours.total(), theirs.total()) > _MOST:
        return _NOTHING
    rest = _Rest(_chosen(own, ours), _chosen(other, theirs))
    roles = not ours and not theirs and exchanged_parts(own.lows, other.lows)
    accents, agreement = rest.explained(lambda one, two: one.plain == two.plain), rest.disagreeing()
    rest.explained(_same)
    negation, numbers = rest.negations(), rest.exchanged(NUMBER)
    pronouns, names = rest.exchanged(PRONOUN), rest.exchanged(NAME, own.starting | other.starting)
    spelling, added = rest.explained(lambda one, two: one_slip(one.low, two.low)), rest.added(own, other)
    if not rest.empty():
        return _NOTHING
    counts = (
        numbers, negation, names, int(roles), agreement, pronouns, added, _recased(own, other), accents, spelling,
    )  # fmt: skip
    return tuple(count / (count + 1) for count in counts)


def extra_words(own: EditProfile, other: EditProfile) -> Counter[str]:
    """Count the words that a text has more often than another one."""
    there = other.counts.get
    return Counter({word: more for word, count in own.counts.items() if (more := count - there(word, 0)) > 0})


def _chosen(profile: EditProfile, surplus: Counter[str]) -> list[Word]:
    """Return the words that a text has more often than the other one, in its order."""
    left, chosen = surplus.copy(), []
    for word in profile.words if surplus else ():
        if left[word.low] > 0:
            left[word.low] -= 1
            chosen.append(word)
    return chosen


def _recased(own: EditProfile, other: EditProfile) -> int:
    """Count the words of the candidate that the reference has with other capitals only."""
    cores, starting = {word.core for word in other.words}, own.starting | other.starting
    count = sum(word.core not in cores and word.low in other.counts and word.low not in starting for word in own.words)
    return count if count >= _FEWEST_RECASED else 0


def inserted(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many words more the first text has, if they stand in one place and nothing else differs; 0 if not.

    >>> inserted("we left early that evening".split(), "we left early".split())
    2
    >>> inserted("then we left early again".split(), "we left early".split())
    0
    """
    ours, theirs = ([word for word in words if word not in _LIGHT] for words in (first, second))
    more = len(ours) - len(theirs)
    same = next((place for place, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), len(theirs))
    return more if more > 0 and ours[same + more :] == theirs[same:] else 0


def _same(one: Word, two: Word) -> bool:
    """Tell whether two words are nearly one: a number in two forms, one and many, British and American spelling."""
    if one.kind == two.kind == NUMBER:
        return one.sense == two.sense
    return one.stem == two.stem or same_word(one.low, two.low)


def _disagree(one: Word, two: Word) -> bool:
    """Tell whether two words are the forms of a verb for one and for many."""
    many = singular_verbs()
    return many.get(one.low) == two.low or many.get(two.low) == one.low


def exchanged_parts(first: Sequence[str], second: Sequence[str]) -> bool:
    """Tell whether two parts of a text have changed places around at least one word that stays.

    >>> exchanged_parts("the dog bit the man".split(), "the man bit the dog".split())
    True
    >>> exchanged_parts("today it rains".split(), "it rains today".split())
    False
    """
    same = next((place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first))
    end = next(
        (place for place, (a, b) in enumerate(zip(reversed(first), reversed(second), strict=False)) if a != b), 0
    )
    ours, theirs = list(first[same : len(first) - end]), list(second[same : len(second) - end])
    size = len(ours)
    if len(theirs) != size:
        return False
    return any(
        ours[:one] == theirs[size - one :]
        and ours[size - two :] == theirs[:two]
        and ours[one : size - two] == theirs[two : size - one]
        for one in range(1, size - 1)
        for two in range(1, size - one)
    )


@lru_cache(maxsize=1 << 16)
def one_slip(first: str, second: str) -> bool:
    """Tell whether two words differ by one letter (another, one more, one less) or by the order of two neighbours.

    The first letter is the same: people seldom mistype it.

    >>> one_slip("people", "poeple"), one_slip("people", "purple")
    (True, False)
    """
    if max(len(first), len(second)) < _SHORTEST or first[0] != second[0] or abs(len(first) - len(second)) > 1:
        return False
    at = next((place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if at is None:
        return True  # one letter more at the end
    if len(first) == len(second):
        crossed = first[at : at + 2] == second[at : at + 2][::-1] and first[at + 2 :] == second[at + 2 :]
        return crossed or first[at + 1 :] == second[at + 1 :]
    short, long = sorted((first, second), key=len)
    return short[at:] == long[at + 1 :]


@lru_cache(maxsize=1 << 16)
def same_word(first: str, second: str) -> bool:
    """Tell whether two words differ only as British and American spelling do.

    >>> same_word("colour", "color"), same_word("form", "from")
    (True, False)
    """
    return any(first.replace(british, other) == second.replace(british, other) for british, other in _VARIANTS)


EDIT_FEATURES = WordFeatures(NAMES, edit_profile, edit_gap)
