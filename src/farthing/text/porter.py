"""Porter's stemmer, in the form that rouge-score and METEOR use: that of NLTK, which adds a few rules to the paper's.

A stem is described by its shape: one letter per character, c for a consonant and v for a vowel. Porter's measure is the
number of times that a vowel is followed by a consonant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_PLURALS = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
_LONG = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "entli": "ent",
    "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "fulli": "ful",
}  # fmt: skip
_MIDDLE = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_LAST = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Strip the endings of an English word.

    >>> [stem(word) for word in ("relational", "hopping", "Skies", "agreed", "by")]
    ['relat', 'hop', 'sky', 'agre', 'by']
    """
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if len(word) <= 2:
        return lower
    return _without_e(_without_last(_suffixed(_long(_y_to_i(_past(_plural(lower)))), _MIDDLE)))


def _shape(stem: str) -> str:
    """Return which letters are vowels; a y is one after a consonant.

    >>> _shape("syzygy"), _shape("toy")
    ('cvcvcv', 'cvc')
    """
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    return _shape(stem).count("vc")


def _ends_short(stem: str) -> bool:
    """Tell whether a stem ends in consonant, vowel, consonant (but w, x, y), or is a vowel and a consonant."""
    shape = _shape(stem)
    return (shape[-3:] == "cvc" and stem[-1] not in "wxy") or shape == "vc"


def _ends_double(stem: str) -> bool:
    return len(stem) > 1 and stem[-1] == stem[-2] and _shape(stem)[-1] == "c"


def _ending(word: str, endings: Iterable[str]) -> str | None:
    """Return the longest ending that the word has."""
    return max((ending for ending in endings if word.endswith(ending)), key=len, default=None)


def _suffixed(word: str, endings: Mapping[str, str]) -> str:
    """Replace the longest ending if the stem before it has a vowel and a consonant after it."""
    ending = _ending(word, endings)
    if ending is None or not _measure(word.removesuffix(ending)):
        return word
    return word.removesuffix(ending) + endings[ending]


def _plural(word: str) -> str:
    if len(word) == 4 and word.endswith("ies"):
        return word[:-1]
    ending = _ending(word, _PLURALS)
    return word if ending is None else word.removesuffix(ending) + _PLURALS[ending]


def _past(word: str) -> str:
    """Remove -ed and -ing, and mend what is left: hop(p)ing, fil(e)ing."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and "v" in _shape(word.removesuffix(ending)):
            return _mended(word.removesuffix(ending))
    return word


def _mended(stem: str) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _y_to_i(word: str) -> str:
    changes = word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c"
    return word[:-1] + "i" if changes else word


def _long(word: str) -> str:
    """Shorten a long ending; one that follows -alli is shortened, too."""
    if word.endswith("alli") and _measure(word[:-4]):
        return _long(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) else word
    return _suffixed(word, _LONG)


def _without_last(word: str) -> str:
    """Remove one of the last endings if the stem before it is long enough."""
    ending = _ending(word, _LAST)
    if ending is None:
        return word
    stem = word.removesuffix(ending)
    fits = _measure(stem) > 1 and (ending != "ion" or stem[-1] in "st")
    return stem if fits else word


def _without_e(word: str) -> str:
    """Remove a last e, then one of two last l."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
