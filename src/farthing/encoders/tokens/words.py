"""A memory of how BERT's tokenizer cuts words: several times as fast as the tokenizer itself.

A lower-casing BERT tokenizer cuts printable texts at spaces and at ASCII punctuation, and the pieces of what is between
do not depend on what is around, so they can be remembered. What stands between two spaces, such as "word,", is
remembered as a whole, too: then a text is cut at its spaces alone. Texts in scripts that put no spaces between words,
texts with unprintable characters, and all other tokenizers go through the tokenizer itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.encoders.tokens.id_rows import Ids, IdRows, merged
from farthing.encoders.tokens.slow_tokens import Encoding, SlowBackend
from farthing.text.split import SplitTexts

if TYPE_CHECKING:
    import tokenizers

Cutter: TypeAlias = Callable[[Sequence[str]], list[Ids]]  #: cuts texts into ids
MANY = 64  # with fewer texts the memory does not pay
MOST = 500_000  # the most words and chunks that are remembered
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

    def cut(self, texts: Sequence[str], split: SplitTexts, otherwise: Cutter) -> IdRows:
        """Return the ids of every text.

        :param split: the words of the texts
        :param otherwise: cuts the texts that only the tokenizer can cut
        """
        plain = np.fromiter(map(is_plain, texts), dtype=bool, count=len(texts))
        known = split.chosen(plain)
        remembered = IdRows.of(self._recalled(known.words)).chosen(known.numbers).joined(known.sizes)
        if plain.all():
            return remembered
        others = [text for text, in_memory in zip(texts, plain.tolist(), strict=True) if not in_memory]
        return merged(plain, remembered, IdRows.of(otherwise(others)))

    def _recalled(self, chunks: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the ids of distinct chunks."""
        if len(self._known) > MOST:
            self._known = dict(self._whole)
        known = self._known
        if new := [chunk for chunk in chunks if chunk not in known]:
            self._learn(new, known)
        return list(map(known.__getitem__, chunks))

    def _learn(self, new: Sequence[str], known: dict[str, tuple[int, ...]]) -> None:
        chunks = {chunk: _WORD.findall(chunk.lower() if chunk.isascii() else chunk) for chunk in new}
        words = sorted(set(chain.from_iterable(chunks.values())) - known.keys())
        encodings: Sequence[tokenizers.Encoding | Encoding] = self._backend.encode_batch_fast(
            words, add_special_tokens=False
        )
        known.update((word, tuple(encoding.ids)) for word, encoding in zip(words, encodings, strict=True))
        recall = known.__getitem__
        known.update((chunk, tuple(chain.from_iterable(map(recall, several)))) for chunk, several in chunks.items())


def is_plain(text: str) -> bool:
    """Tell whether words from memory make up the text; only the tokenizer itself can cut all others."""
    if not text.isprintable():
        return False
    return "[" not in text if text.isascii() else _SPACED.fullmatch(text) is not None


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
