"""BERT's way of cutting plain English, word by word from memory: several times as fast as its tokenizer.

A lower-casing BERT tokenizer cuts printable ASCII at spaces and marks, and a word's pieces do not depend on its
neighbours, so they can be remembered. All other texts, and all other tokenizers, take the usual way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

MANY = 64  # texts from which on the memory pays
MOST = 500_000  # words that are remembered at most
_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")


class WordMemory:
    """The ids of words that a tokenizer has cut before; whole words of its vocabulary are known from the start.

    :param backend: a tokenizer for which :func:`fits` is true
    """

    def __init__(self, backend: Any) -> None:
        self._backend = backend
        self._whole = {token: (number,) for token, number in backend.get_vocab().items() if _WORD.fullmatch(token)}
        self._known: dict[str, tuple[int, ...]] = dict(self._whole)

    def cut(self, texts: Sequence[str]) -> list[list[int] | None]:
        """The ids of every text, or None for texts that the memory is not for."""
        plain = [text.isascii() and text.isprintable() and "[" not in text for text in texts]
        words = [_WORD.findall(text.lower()) if fine else [] for text, fine in zip(texts, plain, strict=True)]
        self._learn(set(chain.from_iterable(words)))
        recall = self._known.__getitem__
        found: list[list[int] | None] = [
            list(chain.from_iterable(map(recall, several))) if fine else None
            for several, fine in zip(words, plain, strict=True)
        ]
        return found

    def _learn(self, needed: set[str]) -> None:
        if len(self._known) > MOST:
            self._known = dict(self._whole)
        words = sorted(needed - self._known.keys())
        cut = self._backend.encode_batch_fast(words, add_special_tokens=False)
        self._known.update((word, tuple(one.ids)) for word, one in zip(words, cut, strict=True))


def fits(backend: Any) -> bool:
    """True for a lower-casing BERT tokenizer whose added tokens all have a bracket."""
    try:
        described = json.loads(backend.to_str())
    except AttributeError:  # a tokenizer in Python only
        return False
    normalizer, added = described.get("normalizer") or {}, described.get("added_tokens") or []
    return (
        normalizer.get("type") == "BertNormalizer"
        and normalizer.get("lowercase") is True
        and (described.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and described["model"].get("type") == "WordPiece"
        and all("[" in token["content"] for token in added)
    )
