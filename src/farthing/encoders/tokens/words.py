"""A memory of how BERT's tokenizer cuts words: several times as fast as the tokenizer itself.

A lower-casing BERT tokenizer cuts printable texts at spaces and at ASCII punctuation, and the pieces of what is between
do not depend on what is around, so they can be remembered. What stands between two spaces, such as "word,", is
remembered as a whole, too: then a text is cut at its spaces alone. Texts in scripts that put no spaces between words,
texts with unprintable characters, and all other tokenizers go through the tokenizer itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from farthing.encoders.tokens.slow_tokens import Encoding, SlowBackend

if TYPE_CHECKING:
    import tokenizers

MANY = 64  # with fewer texts the memory does not pay
MOST = 500_000  # the most words and chunks that are remembered
_Encodings: TypeAlias = "Sequence[tokenizers.Encoding | Encoding]"
# Beyond ASCII a word keeps its case and its punctuation: what the tokenizer makes of them, it knows best.
_WORD = re.compile(r"[A-Za-z0-9\u0080-\U0010ffff]+|[^A-Za-z0-9 \u0080-\U0010ffff]")
_PLAIN = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")  # a word in lower case, or one mark
_SPACED = re.compile(r"[ -Z\\-~\u00a1-\u058f\u2010-\u205e\u20a0-\u20bf]*")  # scripts with spaces, and no bracket [


class WordMemory:
    """Remembers the ids of words that a tokenizer has cut, and those of chunks: what stands between two spaces.

    Whole words of the vocabulary are known from the start.

    :param backend: a tokenizer for which :func:`fits` is true
    """

    def __init__(self, backend: tokenizers.Tokenizer | SlowBackend) -> None:
        self._backend = backend
        self._whole = {token: (number,) for token, number in backend.get_vocab().items() if _PLAIN.fullmatch(token)}
        self._known: dict[str, tuple[int, ...]] = dict(self._whole)

    def cut(self, texts: Sequence[str]) -> list[list[int] | None]:
        """Return the ids of every text, or None for a text that only the tokenizer can cut."""
        chunks = [_chunks_of(text) for text in texts]
        self._learn(set(chain.from_iterable(filter(None, chunks))))
        recall = self._known.__getitem__
        return [None if several is None else list(chain.from_iterable(map(recall, several))) for several in chunks]

    def _learn(self, needed: set[str]) -> None:
        if len(self._known) > MOST:
            self._known = dict(self._whole)
        chunks = {chunk: _WORD.findall(chunk) for chunk in needed - self._known.keys()}
        words = sorted(set(chain.from_iterable(chunks.values())) - self._known.keys())
        encodings: Sequence[tokenizers.Encoding | Encoding] = self._backend.encode_batch_fast(
            words, add_special_tokens=False
        )
        self._known.update((word, tuple(encoding.ids)) for word, encoding in zip(words, encodings, strict=True))
        recall = self._known.__getitem__
        self._known.update(
            (chunk, tuple(chain.from_iterable(map(recall, several)))) for chunk, several in chunks.items()
        )


def _chunks_of(text: str) -> list[str] | None:
    if not text.isprintable():
        return None
    if text.isascii():
        return None if "[" in text else text.lower().split()
    return text.split() if _SPACED.fullmatch(text) else None


def fits(backend: tokenizers.Tokenizer | SlowBackend) -> bool:
    """Tell whether this is a lower-casing BERT tokenizer whose added tokens all contain a bracket."""
    described = json.loads(backend.to_str())
    normalizer, added = described.get("normalizer") or {}, described.get("added_tokens") or []
    return (
        normalizer.get("type") == "BertNormalizer"
        and normalizer.get("lowercase") is True
        and (described.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and described["model"].get("type") == "WordPiece"
        and all("[" in token["content"] for token in added)
    )
