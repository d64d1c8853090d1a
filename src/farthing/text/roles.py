"""Exchange who does something and to whom it is done, in an English sentence, by rules over its words.

There is no parser here: a phrase is a determiner and the words after it, up to a word that cannot belong to it. What is
exchanged is two such phrases, two names, or two pronouns, one before and one after a verb or a preposition.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from farthing.text.lexicon import AUXILIARIES, NUMBER_WORDS, PRONOUNS, singular_verbs
from farthing.text.perturb import bare_name, in_place_of, name_runs, with_marks_of, word_core

WordRun: TypeAlias = tuple[int, int]  #: the first word of a part, and the one past its last word
Exchange: TypeAlias = "tuple[WordRun, str, WordRun, str]"  #: two parts and what they become

_ARTICLES = "a an the this these those his her its their our my your some"
_BETWEEN = (
    "about above across after against along among around at before behind below beneath beside between beyond by down "
    "during for from in inside into near of off on onto out outside over past through to toward towards under until up "
    "upon with within without"
)
_JOINING = (
    "and or but nor so yet as if when while where who whom which what because although though than then there here not "
    "that never also just only have has had been be being many much more most all both each every no said says"
)
_IRREGULAR = (
    "ate became began bought brought came fell felt found gave got grew held kept knew led left lost made met paid put "
    "ran rode said sang sat saw sent sold spoke spent stood took told threw thought went won wore wrote"
)
_DETERMINERS = {*_ARTICLES.split(), *NUMBER_WORDS}
_OTHERS = {*_JOINING.split()}
_PRONOUNS = {word.lower() for row in PRONOUNS for word in row}
_STOPS = {*_BETWEEN.split(), *_OTHERS, *AUXILIARIES, *_DETERMINERS, *_PRONOUNS}
_VERBAL = {"be", "been", "being", "has", "have", "had"}  # a part of the verb between two phrases
_PAST = {*_IRREGULAR.split()}
_MARKS = (",", ".", ";", ":", "!", "?", '"', "”", ")")
_MOST_WORDS = 4  # of a phrase, its determiner included
_FARTHEST = 4  # words between two phrases that are exchanged
_SUBJECT, _OBJECT = 0, 1


def exchange_roles(text: str, random: np.random.Generator) -> str | None:
    """Exchange two names, two pronouns, or two phrases around a verb or a preposition.

    >>> exchange_roles("The dog chased a small cat.", np.random.default_rng(0))
    'A small cat chased the dog.'
    """
    words = text.split()
    choices = [*_names(words), *_pronouns(words), *_phrases(words)]
    if not choices:
        return None
    first, before, second, after = choices[random.integers(len(choices))]
    words[slice(*second)] = [after]
    words[slice(*first)] = [before]
    changed = " ".join(words)
    return changed if changed != " ".join(text.split()) else None


def _names(words: Sequence[str]) -> list[Exchange]:
    """Find two different names with one to four words between them."""
    runs = name_runs(words)
    if 2 * sum(end - start for start, end in runs) > len(words):  # a headline: most of its capitals say nothing
        return []
    near = [(one, other) for one in runs for other in runs if 0 < other[0] - one[1] <= _FARTHEST]
    return [
        (one, _worn(words, one, bare_name(words, other)), other, _worn(words, other, bare_name(words, one)))
        for one, other in near
        if bare_name(words, one) != bare_name(words, other)
        and all(_is_plain(words, run) for run in (one, other))
        and not _apart(words, one, other)
    ]


def _apart(words: Sequence[str], one: WordRun, other: WordRun) -> bool:
    """Tell whether a mark or "and" stands between two parts."""
    marked = any(word.endswith(_MARKS) for word in words[one[1] - 1 : other[0]])
    return marked or not {"and", "or"}.isdisjoint(word.lower() for word in words[one[1] : other[0]])


def _is_plain(words: Sequence[str], run: WordRun) -> bool:
    """Tell whether a name is letters alone, so that no short form, title or number is taken for a name."""
    return len(bare_name(words, run)) > 3 and bare_name(words, run).replace(" ", "").isalpha()


def _pronouns(words: Sequence[str]) -> list[Exchange]:
    """Find a subject and an object of two persons, such as "he told me"."""
    by_subject = {row[_SUBJECT].lower(): row for row in PRONOUNS}
    by_object = {row[_OBJECT]: row for row in PRONOUNS}
    found: list[Exchange] = []
    for place, word in enumerate(words):
        subject = by_subject.get(word.lower())
        for other in range(place + 2, min(place + 4, len(words))):
            object_ = by_object.get(word_core(words[other]).lower())
            told = word.lower() not in ("it", "you") and word_core(words[other]).lower() not in ("it", "you")
            if subject and object_ and told and subject != object_ and not before_noun(words, other):
                new = object_[_SUBJECT].capitalize() if place == 0 else object_[_SUBJECT]
                taken = in_place_of(words[other], subject[_OBJECT])
                found.append(((place, place + 1), new, (other, other + 1), taken))
    return found


def before_noun(words: Sequence[str], place: int) -> bool:
    """Tell whether a word such as "her" stands before a noun, as far as short words tell."""
    after = words[place + 1 : place + 2]
    return bool(after) and word_core(words[place]) == words[place] and after[0].lower() not in _STOPS


def _phrases(words: Sequence[str]) -> list[Exchange]:
    """Find two phrases with a verb or a preposition between them."""
    runs = _runs(words)
    found: list[Exchange] = []
    for one, other in pairwise(runs):
        first, second = bare_name(words, one), bare_name(words, other)
        if _related(words, one, other) and first.lower() != second.lower():
            starts = words[one[0]][:1].isupper()
            new = second[:1].upper() + second[1:] if starts else second
            taken = first[:1].lower() + first[1:] if starts else first
            found.append((one, _worn(words, one, new), other, _worn(words, other, taken)))
    return found


def _related(words: Sequence[str], one: WordRun, other: WordRun) -> bool:
    """Tell whether only a verb or a preposition stands between two phrases, and no "of" belongs to one of them."""
    between = [word.lower() for word in words[one[1] : other[0]]]
    joined = any(word in _OTHERS and word not in _VERBAL for word in between)
    longer = "of" in between[:1] or "of" in [word.lower() for word in words[other[1] : other[1] + 1]]
    return 0 < len(between) <= _FARTHEST and not _apart(words, one, other) and not joined and not longer


def _runs(words: Sequence[str]) -> list[WordRun]:
    """Find the phrases that start with a determiner."""
    runs: list[WordRun] = []
    place = 0
    while place < len(words):
        end = _end(words, place) if words[place].lower() in _DETERMINERS else place
        if end > place + 1:
            runs.append((place, end))
        place = max(end, place + 1)
    return runs


def _end(words: Sequence[str], start: int) -> int:
    """Return where the phrase that starts here ends; a verb at its end does not belong to it."""
    end = start + 1
    while end < len(words) and words[end].lower().strip("\"'.,;:!?") not in _STOPS:
        end += 1
        if words[end - 1].endswith(_MARKS):
            return end
    for place in range(start + 2, end):
        if _is_verb(words, start, place):
            return place
    followed = end < len(words) and words[end].lower() in _DETERMINERS and end > start + 2
    end = end - 1 if followed else end  # "the dog chased | the cat"
    return end if end - start <= _MOST_WORDS else start


def _is_verb(words: Sequence[str], start: int, place: int) -> bool:
    word = words[place].lower()
    forms = singular_verbs()
    if word in forms or word in forms.values() or word in _PAST or word.endswith(("ing", "ed")):
        return True
    return words[start].lower() in ("a", "an") and word.endswith("s") and not word.endswith(("ss", "us"))


def _worn(words: Sequence[str], run: WordRun, other: str) -> str:
    """Give another phrase the punctuation around these words."""
    return with_marks_of(words[run[0] : run[1]], other)
