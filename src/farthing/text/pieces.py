"""What a written token is: the start of a word or its continuation, punctuation or not.

Tokenizers mark words in one of two ways: WordPiece writes ## before the continuation of a word, SentencePiece (▁) and
byte-level tokenizers (Ġ) mark the start of one.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["##", "▁", "Ġ", ""]


def style_of(tokens: Iterable[str]) -> Style:
    """Find out how the tokens of a vocabulary mark words; empty if they do not.

    >>> style_of(["the", "##ing", "cat"]), style_of(["▁the", "ing", "▁cat"])
    ('##', '▁')
    """
    counts: dict[Style, int] = {"##": 0, "▁": 0, "Ġ": 0}
    for token in tokens:
        for style in counts:
            counts[style] += token.startswith(style) and len(token) > len(style)
    best = max(counts, key=lambda style: counts[style])
    return best if counts[best] else ""


def is_continuation(token: str, style: Style) -> bool:
    """Return True if a token continues the word before it.

    >>> is_continuation("##ing", "##"), is_continuation("ing", "▁"), is_continuation("▁cat", "▁")
    (True, True, False)
    """
    if style == "##":
        return token.startswith("##")
    return bool(style) and not token.startswith(style)


def surface(token: str, style: Style) -> str:
    """Return a token without its mark.

    >>> surface("▁cat", "▁")
    'cat'
    """
    return token.removeprefix(style) if style else token


def is_punctuation(token: str, style: Style) -> bool:
    """Return True if a token has signs but no letter or digit, in any script.

    >>> [is_punctuation(token, "▁") for token in (",", "▁“", "▁a.", "▁")]
    [True, True, False, False]
    """
    signs = surface(token, style)
    return bool(signs) and all(sign in string.punctuation or unicodedata.category(sign)[0] in "PS" for sign in signs)
