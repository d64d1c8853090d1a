"""A memory of how BERT's tokenizer cuts words: several times as fast as the tokenizer itself.

A lower-casing BERT tokenizer cuts printable texts at spaces and at ASCII punctuation, and the pieces of what is between
do not depend on what is around, so they can be remembered. What stands between two spaces, such as "word,", is
remembered as a whole: then a text is cut at its spaces alone. Texts in scripts that put no spaces between words,
texts with unprintable characters, and all other tokenizers go through the tokenizer itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from farthing.encoders.tokens.id_rows import IdRows, appended
from farthing.encoders.tokens.slow_tokens import Encoding
from farthing.text.split import NumberedWords, SplitTexts

if TYPE_CHECKING:
    import tokenizers

    from farthing.encoders.tokens.unigram import Backend

# Beyond ASCII a word keeps its case and its punctuation: what the tokenizer makes of them, it knows best.
_WORD = re.compile(r"[A-Za-z0-9\u0080-\U0010ffff]+|[^A-Za-z0-9 \u0080-\U0010ffff]")
_PLAIN = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")  # a word in lower case, or one mark


class _Known(NamedTuple):
    """The ids of the first words of a memory."""

    memory: NumberedWords
    ids: IdRows


class WordMemory:
    """Remembers the ids of words that a tokenizer has cut; whole words of the vocabulary are known from the start.

    :param backend: a tokenizer for which :func:`fits` is true
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._whole = {token: (number,) for token, number in backend.get_vocab().items() if _PLAIN.fullmatch(token)}
        self._known = _Known(NumberedWords(), IdRows.of([]))

    def cut(self, split: SplitTexts) -> IdRows:
        """Return the ids of every plain text."""
        known = self._known if self._known.memory is split.memory else _Known(split.memory, IdRows.of([]))
        if new := split.memory.words[len(known.ids) :]:
            known = self._known = _Known(split.memory, appended(known.ids, IdRows.of(self._cut(new))))
        return known.ids.chosen(split.numbers).joined(split.sizes)

    def _cut(self, chunks: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the ids of what stands between spaces."""
        parts = [_WORD.findall(chunk.lower() if chunk.isascii() else chunk) for chunk in chunks]
        distinct = set(chain.from_iterable(parts))
        words = sorted(distinct - self._whole.keys())
        encodings: Iterable[tokenizers.Encoding | Encoding] = self._backend.encode_batch_fast(
            words, add_special_tokens=False
        )
        cut: dict[str, tuple[int, ...]] = {word: self._whole[word] for word in distinct & self._whole.keys()}
        cut.update((word, tuple(encoding.ids)) for word, encoding in zip(words, encodings, strict=True))
        return [tuple(chain.from_iterable(map(cut.__getitem__, several))) for several in parts]


def fits(backend: Backend) -> bool:
    """Tell whether this is a lower-casing BERT tokenizer whose added tokens all contain a bracket."""
    if type(backend.normalizer).__name__ != "BertNormalizer":  # to describe a large vocabulary takes long
        return False
    described = json.loads(backend.to_str())
    normalizer, added = described.get("normalizer") or {}, described.get("added_tokens") or []
    return (
        normalizer.get("type") == "BertNormalizer"
        and normalizer.get("lowercase") is True
        and (described.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and described["model"].get("type") == "WordPiece"
        and all("[" in token["content"] for token in added)
    )
