"""Outputs that fail as wholes, in any language: cut off, repeated, gibberish, without or with wrong punctuation.

They are functions as in :mod:`farthing.text.perturb`: of a text and a random generator to another text, or None if the
text has nothing that could fail in this way. Texts without spaces are treated letter by letter.

>>> import numpy as np
>>> FAILURES["missing punctuation"]("Stop, please!", np.random.default_rng(1))
'Stop please'
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import numpy as np

from farthing.text.perturb import Perturbation

SHORTEST, LONGEST = 0.2, 0.7  # what a text that is cut off keeps
_MARKS = ".,;:!?"
_FEW = 3  # words from which on a text is treated word by word


def cut_off(text: str, random: np.random.Generator) -> str | None:
    """Keep only the first words, from a fifth to seven tenths of them."""
    parts, glue = _parts(text)
    if len(parts) < 2:
        return None
    kept = max(1, min(len(parts) - 1, round(random.uniform(SHORTEST, LONGEST) * len(parts))))
    return glue.join(parts[:kept])


def said_twice(text: str, random: np.random.Generator) -> str | None:
    """Say the text again, or its last part several times."""
    parts, glue = _parts(text)
    if not parts:
        return None
    if len(parts) < _FEW or random.random() < 0.5:
        return glue.join([*parts, *parts])
    tail = parts[-int(random.integers(2, max(3, len(parts) // 2 + 1))) :]
    return glue.join([*parts, *tail * max(2, len(parts) // len(tail))])


def gibberish(text: str, random: np.random.Generator) -> str | None:
    """Put the letters of the text into another order; the spaces stay where they are."""
    places = [place for place, letter in enumerate(text) if not letter.isspace()]
    if len({text[place] for place in places}) < 2:
        return None
    mixed = list(text)
    while "".join(mixed) == text:
        for place, other in zip(places, random.permutation(places), strict=True):
            mixed[place] = text[other]
    return "".join(mixed)


def without_marks(text: str, random: np.random.Generator) -> str | None:
    """Take away all punctuation at the ends of words, or only that at the end of the text."""
    words = text.split()
    if random.random() < 0.5 and words and _bare(words[-1]) != words[-1]:
        changed = " ".join([*words[:-1], _bare(words[-1])])
    else:
        changed = " ".join(filter(None, map(_bare, words)))
    return changed.strip() if changed.strip() and changed.strip() != " ".join(words) else None


def wrong_marks(text: str, random: np.random.Generator) -> str | None:
    """Put wrong marks behind some words, and another one at the end."""
    words = text.split()
    if len(words) < 2:
        return None
    for place in random.permutation(len(words) - 1)[: max(1, len(words) // 6)]:
        bare = _bare(words[place])
        words[place] = (bare or words[place]) + _other_mark(words[place][-1:], random)
    if random.random() < 0.5:
        words[-1] = (_bare(words[-1]) or words[-1]) + _other_mark(words[-1][-1:], random)
    return " ".join(words)


def _other_mark(mark: str, random: np.random.Generator) -> str:
    others = [one for one in _MARKS if one != mark]
    return others[random.integers(len(others))]


def _bare(word: str) -> str:
    """Return a word without the marks around it."""
    first, last = 0, len(word)
    while first < last and unicodedata.category(word[first]).startswith("P"):
        first += 1
    while last > first and unicodedata.category(word[last - 1]).startswith("P"):
        last -= 1
    return word[first:last]


def _parts(text: str) -> tuple[list[str], str]:
    words = text.split()
    return (words, " ") if len(words) >= _FEW else (list(text.strip()), "")


FAILURES: Mapping[str, Perturbation] = {
    "truncated": cut_off,
    "duplicated": said_twice,
    "gibberish": gibberish,
    "missing punctuation": without_marks,
    "wrong punctuation": wrong_marks,
}
"""The kinds by name; an empty and an unrelated output need no function."""
