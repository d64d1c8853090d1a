"""Which texts a model cannot read: seen by their script and, for Latin letters, by a small table of letter trigrams.

A text's sum of rows of the table (:mod:`farthing.text.trigrams`) says how much it looks like each language. The last
column stands for languages that the table does not know.

Only evidence counts. Names, numbers, code, addresses and single words say nothing about a language, so a text is called
foreign only if enough other words are left, and if they speak clearly against all languages that the model reads.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Mask, Matrix
from farthing.text.split import NumberedWords, SplitTexts, split_texts
from farthing.text.trigrams import UNIT, Trigrams, sums_between, trigram_table, trigrams, word_trigrams
from farthing.text.words import composed

OTHER = "other"  #: the column of languages that the table does not know
LATIN, SYMBOLS = "LATIN", "SYMBOLS"
EMOJI = "emoji and symbols"  #: what a text without any language is written in
CLEAR = 4.0  #: nats by which the evidence must speak against all languages that a model reads
LEAST_TRIGRAMS, LEAST_WORDS = 6, 2  #: with less, a text says nothing about its language
MIXED = 0.1  #: the share of texts, among those that tell a language, that may be in another one than most of them
LEAST_LIKELY = -30.0  #: nats below the likeliest language at which all others are equally unlikely
_STRETCH = 256  # texts at a time: few enough for the processor's cache
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
NAMES = {
    "cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "et": "Estonian", "fi": "Finnish", "fr": "French",
    "ha": "Hausa", "hr": "Croatian", "is": "Icelandic", "it": "Italian", "lt": "Lithuanian", "lv": "Latvian",
    "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "sw": "Swahili", "tr": "Turkish",
    "vi": "Vietnamese", OTHER: "an unknown language",
}  # fmt: skip
# The languages of other scripts, by the first word of the letters' Unicode names: who reads one reads the script.
SCRIPTS = {
    "ARABIC": ("ar", "fa", "ur"), "ARMENIAN": ("hy",), "BENGALI": ("bn", "as"), "CJK": ("zh", "ja"),
    "CYRILLIC": ("ru", "uk", "bg", "sr", "be", "mk", "kk"), "DEVANAGARI": ("hi", "mr", "ne"), "ETHIOPIC": ("am", "ti"),
    "GEORGIAN": ("ka",), "GREEK": ("el",), "GUJARATI": ("gu",), "GURMUKHI": ("pa",), "HANGUL": ("ko",),
    "HEBREW": ("he", "yi"), "HIRAGANA": ("ja",), "KANNADA": ("kn",), "KATAKANA": ("ja",), "KHMER": ("km",),
    "LAO": ("lo",), "MALAYALAM": ("ml",), "MYANMAR": ("my",), "ORIYA": ("or",), "SINHALA": ("si",), "TAMIL": ("ta",),
    "TELUGU": ("te",), "THAI": ("th",), "TIBETAN": ("bo",),
}  # fmt: skip


def foreign(
    texts: Sequence[str], reads: Collection[str], clear: float = CLEAR, split: SplitTexts | None = None
) -> list[str]:
    """Return for every text what it is written in, if that is clearly none of the languages in `reads`, else "".

    :param reads: codes of languages, such as "en"
    :param clear: how clearly, in nats; among texts that are known to be mostly readable, more evidence is needed
    :param split: the words of the texts, if they are known already and the texts are in the Unicode form NFC

    >>> foreign(["Er hat alles vergessen, was ich ihm gesagt habe.", "Мама", "3.5 %", "Ludwig van Beethoven"], {"en"})
    ['German', 'Cyrillic script', '', '']
    """
    scripts = {row: script(text) for row, text in enumerate(texts) if not text.isascii()}
    found = [""] * len(texts)
    for row, name in scripts.items():
        if not set(reads).intersection(SCRIPTS.get(name, ())):
            found[row] = _shown(name)
    if split is None:
        split = split_texts([text if text.isascii() else composed(text) for text in texts])
    doubtful = ~_readable(split, tuple(reads), clear)
    latin = [row for row in np.flatnonzero(doubtful).tolist() if scripts.get(row, LATIN) == LATIN]
    for begin in range(0, len(latin), _STRETCH):
        rows = latin[begin : begin + _STRETCH]
        for row, name in zip(rows, _foreign_latin([texts[row] for row in rows], reads, clear), strict=True):
            found[row] = name
    return found


def telling(texts: Sequence[str]) -> int:
    """Return how many texts tell a language: they have letters of another script, or enough words in Latin letters.

    >>> telling(["We walked all day long.", "Мама", "3.5 %", "Ludwig van Beethoven", "😀", ""])
    2
    """
    scripts = [LATIN if text.isascii() else script(text) for text in texts]
    words = _evidence(trigrams([text for text, name in zip(texts, scripts, strict=True) if name == LATIN]))
    return int(words.sum()) + sum(name not in ("", LATIN, SYMBOLS) for name in scripts)


def is_english(texts: Sequence[str]) -> bool:
    """Tell whether texts are English as a whole: few of those that tell a language are clearly in another one.

    Names, numbers, single words and code tell no language.

    >>> is_english(["We walked all day long."] * 9 + ["42"]), is_english(["Wir sind den ganzen Tag gelaufen."])
    (True, False)
    """
    languages = Counter(filter(None, foreign(texts, ("en",))))
    if not languages:
        return True
    spoken = languages.total() - languages[EMOJI]
    return spoken <= MIXED * telling(texts) and 2 * languages.total() <= len(texts)


def listed(codes: Collection[str]) -> str:
    """Return the names of languages for a sentence.

    >>> listed(["en", "de", "th"])
    'English, German and th'
    """
    names = [NAMES.get(code, code) for code in codes]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _shown(name: str) -> str:
    return EMOJI if name == SYMBOLS else f"{name.capitalize()} script" if name not in ("", LATIN) else ""


def script(text: str) -> str:
    """Return the script of most letters and symbols of a text: the first word of their Unicode names, "" if none.

    >>> script("Это Paris"), script("12 €"), script("😀")
    ('LATIN', '', 'SYMBOLS')
    """
    ascii_part = text.encode("ascii", "ignore")
    letters = len(ascii_part.translate(None, _NO_LETTERS))
    if letters and letters >= len(text) - len(ascii_part):
        return LATIN  # no other script can have more characters
    counts = _script_counts(text)
    if not counts:
        return ""
    most = max(counts.values())
    return LATIN if counts[LATIN] == most else min(name for name, count in counts.items() if count == most)


def script_shares(text: str) -> dict[str, float]:
    """Return the share of each script among the letters and symbols of a text; nothing if it has none.

    >>> script_shares("Да, ok"), script_shares("12 €")
    ({'CYRILLIC': 0.5, 'LATIN': 0.5}, {})
    """
    if text.isascii():  # all its letters are Latin, and it has no symbols that count
        return {LATIN: 1.0} if any(map(str.isalpha, text)) else {}
    counts = _script_counts(text)
    return {name: count / counts.total() for name, count in counts.items()}


def _script_counts(text: str) -> Counter[str]:
    """Count the letters and symbols of every script; a character that is there often is looked up once."""
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        counts[_script_of(character)] += count
    del counts[""]
    return counts


@lru_cache(maxsize=1 << 16)
def _script_of(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("So", "Co", "Cn"):
        return SYMBOLS
    if category[0] not in "LM":
        return ""
    if ord(character) < 0x250:
        return LATIN
    name = unicodedata.name(character, "").partition(" ")[0]
    return "" if name in ("COMBINING", "VARIATION", "MODIFIER") else name


def _foreign_latin(texts: Sequence[str], reads: Collection[str], clear: float) -> list[str]:
    languages, steps = trigram_table()
    given = trigrams(texts)
    sums = sums_between(steps.take(given.buckets, axis=0), given.bounds)
    own = np.array([language in reads for language in languages])
    others = np.where(own, -np.inf, sums)
    gain = others.max(axis=1) - np.where(own, sums, -np.inf).max(axis=1)
    sure = (gain > clear * UNIT) & _evidence(given)
    best = others.argmax(axis=1)
    return [NAMES[languages[column]] if known else "" for column, known in zip(best, sure, strict=True)]


class _Heard(NamedTuple):
    """What the first words of a memory say, one row per word.

    The columns are how many trigrams a word has, how much it speaks for the language for which it speaks most among
    those that are not read, and how much it speaks for each that is.
    """

    memory: NumberedWords
    rows: np.ndarray


_heard: dict[tuple[str, ...], _Heard] = {}  # by the languages that are read


def _readable(split: SplitTexts, reads: tuple[str, ...], clear: float) -> Mask:
    """Tell which texts cannot be foreign, by their words: most texts of a run, and no other sum is needed for them.

    They do not speak clearly against what is read even if each word is taken for the other language for which it speaks
    most; so they cannot do so with all their words for one language.
    """
    known: Mask = np.zeros(len(split.plain), dtype=bool)
    bounds = np.concatenate([[0], np.cumsum(split.sizes)])
    sums = sums_between(_hear(split.memory, reads).take(split.numbers, axis=0), bounds)
    doubt = sums[:, 1] - sums[:, 2:].max(axis=1, initial=-np.inf)
    known[split.plain] = (doubt <= clear * UNIT) & (sums[:, 0] > 0)  # a text in capitals has no trigrams in its words
    return known


def _hear(memory: NumberedWords, reads: tuple[str, ...]) -> np.ndarray:
    """Return what every word of a memory says; each is looked at once."""
    languages, steps = trigram_table()
    own = np.array([language in reads for language in languages])
    known = _heard.get(reads)
    if known is None or known.memory is not memory:
        known = _Heard(memory, np.zeros((0, 2 + own.sum()), np.float32))
    parts, words = [known.rows], memory.words[len(known.rows) :]
    for begin in range(0, len(words), _STRETCH):
        given = word_trigrams(words[begin : begin + _STRETCH])
        sums = sums_between(steps.take(given.buckets, axis=0), given.bounds)
        most = np.where(own, -np.inf, sums).max(axis=1)
        parts.append(np.column_stack([np.diff(given.bounds), most, sums[:, own]]).astype(np.float32))
    if words:
        known = _heard[reads] = _Heard(memory, np.concatenate(parts))
    return known.rows


def _evidence(given: Trigrams) -> Mask:
    """Tell which texts have enough words to say anything about their language."""
    words = np.diff(np.searchsorted(np.flatnonzero(given.opens), given.bounds))
    enough: Mask = (np.diff(given.bounds) >= LEAST_TRIGRAMS) & (words >= LEAST_WORDS)
    return enough


def language_shares(texts: Sequence[str]) -> Matrix:
    """Return how likely each text is in each language of the table (one column per language), given its trigrams.

    A text without trigrams, such as one in another script, is as likely in one language as in any other.
    """
    languages, steps = trigram_table()
    shares = np.zeros((len(texts), len(languages)))
    for begin in range(0, len(texts), _STRETCH):
        given = trigrams(texts[begin : begin + _STRETCH])
        sums = sums_between(steps.take(given.buckets, axis=0), given.bounds).astype(np.float64) / UNIT
        likely = np.exp(np.maximum(sums - sums.max(axis=1, keepdims=True), LEAST_LIKELY))
        shares[begin : begin + _STRETCH] = likely / likely.sum(axis=1, keepdims=True)
    return shares
