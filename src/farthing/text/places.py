"""Where the words of a text are, whatever its script and its Unicode form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.explanation import Mark
from farthing.text.words import UNSPACED

_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
# Over one letter per character: words; flags; a sign or a character of a script without spaces, with its marks.
_WORD = re.compile("(?:w[mj]*)+|ff?[mj]*|[stu][mjt]*(?:(?<=j)s[mjt]*)*")
_JOINED_LETTERS = "\u1160-\u11ff\U00016d63-\U00016d6a"  # vowels and finals of Hangul, vowels of Kirat Rai
_JOINED_LETTER = re.compile(f"[{_JOINED_LETTERS}]")


class _Kinds(dict[int, str]):
    """What a character is: w in a word, u a word by itself, s a sign, f half a flag, t a skin, m a mark, j a joiner."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(chr(code))
        return kind


def _kind(character: str) -> str:
    category = unicodedata.category(character)
    if character.isspace() or category == "Cc" or character == "\u200b":  # a space without width separates words
        return " "
    if category[0] in "LN":
        return "u" if _IS_UNSPACED.match(character) else "w"
    if character == "\u200d":
        return "j"
    if category[0] == "M" or category == "Cf":
        return "m"
    if "\U0001f3fb" <= character <= "\U0001f3ff":
        return "t"
    return "f" if "\U0001f1e6" <= character <= "\U0001f1ff" else "s"


_KINDS = _Kinds()


def word_spans(text: str) -> list[tuple[int, int]]:
    """Find the words of a text, and its punctuation marks and pictures, each of which is a word of its own.

    In scripts without spaces every character is a word. An accent belongs to its letter, in every Unicode form.

    >>> text = "Don't, 世界 👋🏽!"
    >>> [text[first:last] for first, last in word_spans(text)]
    ['Don', "'", 't', ',', '世', '界', '👋🏽', '!']
    """
    return [found.span() for found in _WORD.finditer(text.translate(_KINDS))]


@dataclass(frozen=True, slots=True)
class ComposedText:
    """A text in the Unicode form NFC, and where its characters came from.

    :param origins: for each character, and for the end, its place in the text before
    """

    text: str
    origins: Sequence[int]

    @classmethod
    def of(cls, text: str) -> ComposedText:
        """Compose a text.

        >>> ComposedText.of("e\\u0301t").origins
        [0, 2, 3]
        """
        if unicodedata.is_normalized("NFC", text):
            return cls(text, range(len(text) + 1))
        parts: list[str] = []
        origins: list[int] = []
        for first, last in _joined(text):
            part = unicodedata.normalize("NFC", text[first:last])
            parts.append(part)
            same = part == text[first:last]
            origins += range(first, last) if same else [first] * len(part)
        return cls("".join(parts), [*origins, len(text)])

    def marks(self, tokens: Sequence[tuple[int, int]], probabilities: Floats) -> list[Mark]:
        """Give each word of the text before the greatest probability of its tokens; a word without any has no mark.

        :param tokens: where the tokens are in the composed text
        """
        highest = np.full(len(self.text), -np.inf)
        for (first, last), probability in zip(tokens, probabilities, strict=True):
            highest[first:last] = np.maximum(highest[first:last], probability)
        words = ((first, last, float(highest[first:last].max())) for first, last in word_spans(self.text))
        return [
            {"start": self.origins[first], "end": self.origins[last], "probability": probability}
            for first, last, probability in words
            if probability >= 0
        ]


def _joined(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text before every character that never joins the one before it."""
    first = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not _joins(text[place]):
            yield first, place
            first = place


def _joins(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or _JOINED_LETTER.match(character) is not None
