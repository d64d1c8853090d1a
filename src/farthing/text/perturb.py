"""Small seeded changes to a text whose effect on its meaning is known.

Every change is a function of a text and a random generator. It returns another text, or None if the
text has nothing to change (no number, fewer than two different words …). The same seed gives the same
text. Words are separated by white space, and runs of white space become one space. Number words, negation,
names, opposites and synonyms are English.

>>> import numpy as np
>>> change_number("He sold 30 cars in May.", np.random.default_rng(0))
'He sold 86 cars in May.'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from farthing.text.lexicon import AUXILIARIES, NAMES, NUMBER_WORDS, antonyms, synonyms

Perturbation: TypeAlias = Callable[[str, np.random.Generator], "str | None"]

_DIGITS = re.compile(r"\d+")
_CORE = re.compile(r"\w(?:.*\w)?", re.DOTALL)
_NOT = re.compile(r"(?i)^(?:not|never)$")


def drop_words(text: str, random: np.random.Generator, share: float = 0.2) -> str | None:
    """Leave out a share of the words, at least one; at least one stays."""
    words = text.split()
    if len(words) < 2:
        return None
    gone = set(_some(len(words), share, random)[: len(words) - 1])
    return _changed(text, [word for place, word in enumerate(words) if place not in gone])


def repeat_words(text: str, random: np.random.Generator, share: float = 0.2) -> str | None:
    """Repeat a share of the words, at least one."""
    words = text.split()
    if not words:
        return None
    twice = set(_some(len(words), share, random))
    return " ".join(f"{word} {word}" if place in twice else word for place, word in enumerate(words))


def swap_neighbours(text: str, random: np.random.Generator) -> str | None:
    """Exchange two different words that are neighbours."""
    words = text.split()
    places = [place for place in range(len(words) - 1) if words[place] != words[place + 1]]
    if not places:
        return None
    place = places[random.integers(len(places))]
    words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


def shuffle_words(text: str, random: np.random.Generator) -> str | None:
    """Put all words in another order."""
    words = text.split()
    if len(set(words)) < 2:
        return None
    mixed = words
    while mixed == words:
        mixed = [words[place] for place in random.permutation(len(words))]
    return " ".join(mixed)


def misspell(text: str, random: np.random.Generator) -> str | None:
    """Make one typing mistake: two neighbouring letters change places, or one is lost or doubled."""
    words = text.split()
    places = [place for place, word in enumerate(words) if len(word) >= 4 and word.isalpha()]
    if not places:
        return None
    place = places[random.integers(len(places))]
    words[place] = misspelt(words[place], random)
    return " ".join(words)


def misspelt(word: str, random: np.random.Generator) -> str:
    """Make one typing mistake in a word of at least three letters; its first letter stays."""
    at = int(random.integers(1, len(word) - 1))
    before, here, then, after = word[:at], word[at], word[at + 1], word[at + 2 :]
    slips = sorted({before + then + here + after, before + then + after, before + here + here + then + after} - {word})
    return slips[random.integers(len(slips))]


def change_number(text: str, random: np.random.Generator) -> str | None:
    """Replace a number by another one with as many digits, or a number word by another one."""
    words = text.split()
    places = [
        place for place, word in enumerate(words) if _DIGITS.search(word) or word_core(word).lower() in NUMBER_WORDS
    ]
    if not places:
        return None
    place = places[random.integers(len(places))]
    found = _DIGITS.search(words[place])
    if found:
        words[place] = words[place][: found.start()] + _other_digits(found[0], random) + words[place][found.end() :]
    else:
        core = word_core(words[place])
        others = [word for word in NUMBER_WORDS if word != core.lower()]
        words[place] = in_place_of(words[place], others[random.integers(len(others))])
    return " ".join(words)


def negate(text: str, random: np.random.Generator) -> str | None:
    """Remove a "not" or "never", or else put "not" after an auxiliary verb."""
    words = text.split()
    negations = [place for place, word in enumerate(words) if _NOT.match(word_core(word)) and len(words) > 1]
    contractions = [place for place, word in enumerate(words) if _contracted(word)]
    if negations:
        del words[negations[random.integers(len(negations))]]
    elif contractions:
        place = contractions[random.integers(len(contractions))]
        words[place] = _contracted(words[place])
    else:
        places = [place for place, word in enumerate(words[:-1]) if word.lower() in AUXILIARIES]
        if not places:
            return None
        words.insert(places[random.integers(len(places))] + 1, "not")
    return " ".join(words)


def swap_names(text: str, random: np.random.Generator) -> str | None:
    """Exchange two names in the text; if there is only one, replace it by another name.

    A name is a run of capitalised words that does not start a sentence.
    """
    words = text.split()
    runs = name_runs(words)
    if not runs:
        return None
    pairs = [(a, b) for i, a in enumerate(runs) for b in runs[i + 1 :] if bare_name(words, a) != bare_name(words, b)]
    if pairs:
        first, second = pairs[random.integers(len(pairs))]
        names = bare_name(words, first), bare_name(words, second)
        words[slice(*second)] = [with_marks_of(words[second[0] : second[1]], names[0])]
        words[slice(*first)] = [with_marks_of(words[first[0] : first[1]], names[1])]
    else:
        run = runs[random.integers(len(runs))]
        others = [name for name in NAMES if name != bare_name(words, run)]
        words[slice(*run)] = [with_marks_of(words[run[0] : run[1]], others[random.integers(len(others))])]
    return " ".join(words)


def antonym(text: str, random: np.random.Generator) -> str | None:
    """Replace one word by its opposite."""
    return _looked_up(text, antonyms(), random)


def synonym(text: str, random: np.random.Generator) -> str | None:
    """Replace one word by a synonym: the meaning stays."""
    return _looked_up(text, synonyms(), random)


HARMFUL: Mapping[str, Perturbation] = {
    "negation": negate,
    "number": change_number,
    "name": swap_names,
    "antonym": antonym,
    "word order": shuffle_words,
    "neighbours": swap_neighbours,
    "drop": drop_words,
    "repeat": repeat_words,
    "typo": misspell,
}
"""Changes that make a text worse, by name."""


def _some(count: int, share: float, random: np.random.Generator) -> list[int]:
    """Choose a share of the places, at least one, in random order."""
    return [int(place) for place in random.permutation(count)[: max(1, round(share * count))]]


def _changed(text: str, words: Sequence[str]) -> str | None:
    changed = " ".join(words)
    return changed if changed != " ".join(text.split()) else None


def word_core(word: str) -> str:
    """Return the word without the punctuation around it."""
    found = _CORE.search(word)
    return found[0] if found else ""


def in_place_of(word: str, other: str) -> str:
    """Give another word the same punctuation and capitals."""
    core = word_core(word)
    if core.isupper() and len(core) > 1:
        other = other.upper()
    elif core[:1].isupper():
        other = other[:1].upper() + other[1:]
    at = word.index(core)
    return word[:at] + other + word[at + len(core) :]


def _other_digits(digits: str, random: np.random.Generator) -> str:
    other = digits
    while other == digits:
        first = str(random.integers(1, 10))
        other = first + "".join(str(digit) for digit in random.integers(0, 10, len(digits) - 1))
    return other


def _contracted(word: str) -> str:
    """Return "isn't" without its "n't", or "" if the word is no such contraction."""
    found = re.match(r"(?i)^(\W*)(\w+)n['’]t(\W*)$", word)
    if not found or found[2].lower() not in AUXILIARIES | {"has", "have", "had"}:
        return ""
    return found[1] + found[2] + found[3]


def name_runs(words: Sequence[str]) -> list[tuple[int, int]]:
    """Find the names, as (first word, past the last word)."""
    runs: list[tuple[int, int]] = []
    starts = True  # the next word starts a sentence
    for place, word in enumerate(words):
        core = word_core(word)
        if not starts and core[:1].isupper() and core not in ("I", "I'm", "I'll", "I've", "I'd"):
            continues = runs and runs[-1][1] == place and words[place - 1] == word_core(words[place - 1])
            start = runs.pop()[0] if continues else place
            runs.append((start, place + 1))
        starts = word.endswith((".", "!", "?", ":", '"', "”", "|"))
    return runs


def bare_name(words: Sequence[str], run: tuple[int, int]) -> str:
    """Return a name without the punctuation around it."""
    return word_core(" ".join(words[run[0] : run[1]]))


def with_marks_of(words: Sequence[str], name: str) -> str:
    """Give another name the punctuation of these words."""
    whole = " ".join(words)
    core = word_core(whole)
    at = whole.index(core)
    return whole[:at] + name + whole[at + len(core) :]


def _looked_up(text: str, partners: Mapping[str, tuple[str, ...]], random: np.random.Generator) -> str | None:
    words = text.split()
    places = [place for place, word in enumerate(words) if word_core(word).lower() in partners]
    if not places:
        return None
    place = places[random.integers(len(places))]
    choices = partners[word_core(words[place]).lower()]
    words[place] = in_place_of(words[place], choices[random.integers(len(choices))])
    return " ".join(words)
