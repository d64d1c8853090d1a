"""Ten kinds of damage to an English sentence, each of which a reader sees: wrong facts, wrong grammar, wrong writing.

They are functions as in :mod:`farthing.text.perturb`: of a text and a random generator to another text, or None if the
text has nothing to damage in this way.

>>> import numpy as np
>>> DAMAGES["agreement"]("She is here.", np.random.default_rng(0))
'She are here.'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from farthing.text.lexicon import DAYS, MONTHS, MORE_NAMES, PRONOUNS, singular_verbs
from farthing.text.perturb import (
    Perturbation,
    bare_name,
    change_number,
    in_place_of,
    misspelt,
    name_runs,
    negate,
    with_marks_of,
    word_core,
)
from farthing.text.roles import before_noun, exchange_roles

_FEWEST, _MOST = 0.1, 0.3  # the share of the words that get an accent or are misspelt
_LEAST = 2  # such words, if there are so many
# After these words a verb has the form that it has after many, whoever does it.
_MODALS = "to will would can could shall should may might must did do does don't doesn't didn't not"
_ACCENTS = {"a": "áàâäã", "e": "éèêë", "i": "íìîï", "o": "óòôöõ", "u": "úùûü", "c": "ç", "n": "ñ"}
_ACCENTS |= {letter.upper(): marked.upper() for letter, marked in _ACCENTS.items()}
# What is said about nobody asked: a slot is filled with one of its words.
_PHRASES = (
    "on {day}", "last {day}", "in {place}", "near {place}", "for {number} {unit}", "after {number} {unit}",
    "for the {rank} time", "with {whose} {relative}", "together with {whose} {relative}", "because of the {thing}",
    "despite the {thing}", "without any {thing}", "in the {rank} {unit} of the year", "according to {whose} {relative}",
    "to the surprise of {whose} {relative}", "as part of the {thing} in {place}", "in front of {number} witnesses",
    "and then went home", "and nobody knows why", "for no good reason", "at a cost of {number} million dollars",
)  # fmt: skip
_SLOTS: Mapping[str, tuple[str, ...]] = {
    "day": ("Monday", "Tuesday", "Thursday", "Friday", "Sunday", "summer", "winter", "weekend"),
    "place": (
        "Lisbon",
        "the old town",
        "northern Canada",
        "a small village",
        "the city centre",
        "Kenya",
        "the harbour",
    ),
    "number": ("two", "three", "five", "seven", "twelve", "20", "45", "300"),
    "unit": ("hours", "days", "weeks", "months", "years"),
    "rank": ("first", "second", "third", "last"),
    "whose": ("his", "her", "their", "a friend's", "the mayor's"),
    "relative": ("brother", "wife", "lawyer", "neighbours", "teacher", "colleagues", "dog"),
    "thing": ("rain", "strike", "festival", "new law", "noise", "election", "money", "accident"),
}
_BEFORE_NOUN = 2  # the column of "my" and "their"
_TITLES = "Mr Mrs Ms Dr Prof Rep Sen Gov Gen Lt St Jr Inc Corp Co"
_PREPOSITIONS = "in on at with from after before during near by under over across through"


def other_name(text: str, random: np.random.Generator) -> str | None:
    """Replace one name by another one, which does not occur in the text."""
    words = text.split()
    runs = [run for run in name_runs(words) if bare_name(words, run) not in _TITLES.split()]
    if not runs or 2 * sum(end - start for start, end in runs) > len(words):  # most words of a headline have capitals
        return None
    run = runs[random.integers(len(runs))]
    name, mark, _ = bare_name(words, run).partition("'s")
    alike = next((kind for kind in (DAYS, MONTHS) if name in kind), MORE_NAMES)
    others = [other for other in alike if other not in text]
    words[slice(*run)] = [with_marks_of(words[run[0] : run[1]], others[random.integers(len(others))] + mark)]
    return " ".join(words)


def disagree(text: str, random: np.random.Generator) -> str | None:
    """Give one verb the form that does not fit its subject."""
    many = singular_verbs()
    one = {verb: single for single, verb in many.items()}
    words = text.split()
    places = [
        place
        for place, word in enumerate(words)
        if word_core(word).lower() in many or (word_core(word).lower() in one and _after_many(words, place))
    ]
    if not places:
        return None
    place = places[random.integers(len(places))]
    core = word_core(words[place]).lower()
    words[place] = in_place_of(words[place], many.get(core) or one[core])
    return " ".join(words)


def _after_many(words: Sequence[str], place: int) -> bool:
    """Tell whether the word before may be the subject of a verb form that is also an infinitive."""
    if word_core(words[place]).lower() in ("are", "were", "aren't", "weren't"):
        return True
    before = words[place - 1].lower() if place else ""
    if before in _MODALS.split():
        return False
    return before in ("they", "we", "you", "i", "people", "men", "women", "children") or before[-1:] == "s"


def other_pronoun(text: str, random: np.random.Generator) -> str | None:
    """Replace one pronoun by that of another person, in the same case; verbs still agree."""
    words = text.split()
    choices = [(place, new) for place in range(len(words)) for new in _other_persons(words, place)]
    if not choices:
        return None
    places = sorted({place for place, _ in choices})
    chosen = places[random.integers(len(places))]
    own = [new for place, new in choices if place == chosen]
    new = own[random.integers(len(own))]
    words[chosen] = new if new == "I" else in_place_of(words[chosen], new)
    return " ".join(words)


def _other_persons(words: Sequence[str], place: int) -> list[str]:
    """Return what may stand for a pronoun; nothing if the word is none, or if its case is not clear."""
    word = word_core(words[place])
    core = word if word == "I" else word.lower()
    if core in ("you", "it", "mine"):  # subject or object; "mine" is also a noun
        return []
    if core == "I" and " ".join(words[place + 1 : place + 2]).lower() in ("am", "was"):
        return []
    if core in ("he", "she"):
        return ["she" if core == "he" else "he"]
    if core in ("I", "we", "they"):
        return [other for other in ("I", "we", "they", "you") if other not in (core, "I")]
    case = next((case for case in range(1, 5) if any(row[case] == core for row in PRONOUNS)), None)
    if case is None:
        return []
    if core == "her" and before_noun(words, place):
        case = _BEFORE_NOUN
    return [row[case] for row in PRONOUNS if core not in row and row[0] != "it"]


def add_phrase(text: str, random: np.random.Generator) -> str | None:
    """Add a phrase that nobody said: at the end, or before a preposition in the second half."""
    words = text.split()
    if len(words) < 3:
        return None
    phrase = _PHRASES[random.integers(len(_PHRASES))]
    for slot, fillings in _SLOTS.items():
        phrase = phrase.replace(f"{{{slot}}}", fillings[random.integers(len(fillings))])
    inside = [place for place in range(len(words) // 2, len(words)) if words[place].lower() in _PREPOSITIONS.split()]
    if inside and random.random() < 0.5:
        words.insert(inside[random.integers(len(inside))], phrase)
        return " ".join(words)
    whole = " ".join(words)
    plain = whole.rstrip(".!?\"'”")
    return f"{plain} {phrase}{whole[len(plain) :]}"


def wrong_capitals(text: str, random: np.random.Generator) -> str | None:
    """Begin all words or some of them with capitals, shout, or write names in lower case."""
    words = text.split()
    ways: tuple[Callable[[], str], ...] = (
        lambda: " ".join(word[:1].upper() + word[1:] for word in words),
        lambda: " ".join(words).upper(),
        lambda: " ".join(words).lower() if name_runs(words) else "",
        lambda: " ".join(word[:1].upper() + word[1:] if random.random() < 0.4 else word for word in words),
    )
    changed = ways[random.integers(len(ways))]()
    # one letter may be a matter of taste
    return changed if sum(a != b for a, b in zip(changed, " ".join(words), strict=False)) > 1 else None


def wrong_accents(text: str, random: np.random.Generator) -> str | None:
    """Take away all accents, or else put accents on some words that have none."""
    words = text.split()
    plain = " ".join(map(_without_accents, words))
    if plain != " ".join(words) and random.random() < 0.5:
        return plain
    places = [place for place, word in enumerate(words) if len(word) > 2 and any(letter in _ACCENTS for letter in word)]
    for place in _chosen(places, random):
        word = words[place]
        letters = [at for at, letter in enumerate(word) if letter in _ACCENTS]
        at = letters[random.integers(len(letters))]
        marked = _ACCENTS[word[at]]
        words[place] = word[:at] + marked[random.integers(len(marked))] + word[at + 1 :]
    return " ".join(words) if places else None


def _without_accents(word: str) -> str:
    apart = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(letter for letter in apart if not unicodedata.combining(letter)))


def misspell_words(text: str, random: np.random.Generator) -> str | None:
    """Make one typing mistake in each of some words."""
    words = text.split()
    places = [place for place, word in enumerate(words) if len(word_core(word)) >= 4 and word_core(word).isalpha()]
    for place in _chosen(places, random):
        core = word_core(words[place])
        words[place] = words[place].replace(core, misspelt(core, random), 1)
    return " ".join(words) if places else None


def _chosen(places: Sequence[int], random: np.random.Generator) -> list[int]:
    """Draw some of the places, at least two if there are so many."""
    count = max(_LEAST, round(random.uniform(_FEWEST, _MOST) * len(places)))
    return [places[at] for at in random.permutation(len(places))[:count]]


DAMAGES: Mapping[str, Perturbation] = {
    "numbers": change_number,
    "negation": negate,
    "names": other_name,
    "roles": exchange_roles,
    "agreement": disagree,
    "pronouns": other_pronoun,
    "additions": add_phrase,
    "case": wrong_capitals,
    "accents": wrong_accents,
    "spelling": misspell_words,
}
"""The ten kinds by name."""
