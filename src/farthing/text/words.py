"""Cut texts into words by rules alone, without a model or a dictionary."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeAlias

WordRule: TypeAlias = Literal["ascii", "unicode", "13a", "space"]
Splitter: TypeAlias = Callable[[str], list[str]]

_ASCII = re.compile("[a-z0-9]+")
# Scripts without spaces between words: Thai and Lao, Burmese, Khmer, Chinese and Japanese.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_WITH_MARKS = (*range(0x0E00, 0x0F00), *range(0x1000, 0x10A0), *range(0x1780, 0x1800), *range(0x3000, 0x3100))


class _Characters(dict[int, str]):
    """What each character becomes: itself in a word, a word of its own, a space, or nothing."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        becomes = " "
        if category == "Cf" or 0xFE00 <= code <= 0xFE0F:  # joiners, directions, soft hyphens and variation selectors
            becomes = ""
        elif category[0] in "LNM":
            becomes = character
        elif category == "So":  # emoji and other pictures
            becomes = f" {character} "
        self[code] = becomes
        return becomes


_CHARACTERS = _Characters()


def composed(text: str) -> str:
    """Return a text in the Unicode form NFC, in which an accent and its letter are one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def word_splitter(rule: WordRule) -> Splitter:
    """Return what cuts a text into words.

    ascii: runs of a to z and digits in lower case, as rouge-score cuts; other letters are lost.
    unicode: runs of letters, marks and digits of any script in lower case; a character of a script that is written
    without spaces and a picture such as an emoji are words of their own.
    13a: sacrebleu's tokenizer for languages with spaces; it separates punctuation, and keeps case.
    space: what stands between spaces.
    """
    if rule == "13a":
        return _sacrebleu()
    rules: dict[str, Splitter] = {"ascii": ascii_words, "unicode": unicode_words, "space": str.split}
    return rules[rule]


def ascii_words(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case.

    >>> ascii_words("Don't über-cook it!")
    ['don', 't', 'ber', 'cook', 'it']
    """
    return _ASCII.findall(text.lower())


def unicode_words(text: str) -> list[str]:
    """Return the words of a text in any script, in lower case.

    >>> unicode_words("Don't über-cook it! Привет, 世界 👋")
    ['don', 't', 'über', 'cook', 'it', 'привет', '世', '界', '👋']
    """
    plain = unicodedata.normalize("NFC", text).casefold().translate(_CHARACTERS)
    return _unspaced().sub(r" \g<0> ", plain).split()


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Match one character of a script without spaces, with its vowel signs."""
    marks = "".join(chr(code) for code in _WITH_MARKS if unicodedata.category(chr(code))[0] == "M")
    return re.compile(f"[{UNSPACED}][{marks}]*")


@lru_cache(maxsize=1)
def _sacrebleu() -> Splitter:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()
    return lambda text: tokenize(text).split()
