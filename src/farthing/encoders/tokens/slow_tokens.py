"""Tokenizers that exist in Python only (such as Marian's), with the few methods that ours needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tokenizers
    import transformers


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a fast tokenizer returns for a text."""

    ids: list[int]
    type_ids: list[int]
    offsets: Sequence[tuple[int, int]] = ()


class SlowBackend:
    """One of transformers' Python tokenizers in the shape of a fast one; it cannot be saved as tokenizer.json."""

    normalizer = pre_tokenizer = None

    def __init__(self, tokenizer: transformers.PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer

    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> Encoding:
        """Cut one text, or two as a pair."""
        ids = self._tokenizer(text, pair, add_special_tokens=add_special_tokens, verbose=False)["input_ids"]
        return Encoding(list(ids), [0] * len(ids))

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool = True) -> list[Encoding]:
        """Cut many texts."""
        return [self.encode(text, add_special_tokens=add_special_tokens) for text in texts]

    def id_to_token(self, number: int) -> str:
        """Return the written form of an id."""
        return str(self._tokenizer.convert_ids_to_tokens(number))

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a written token."""
        number = self._tokenizer.get_vocab().get(token)
        return None if number is None else int(number)

    def get_vocab(self) -> dict[str, int]:
        """Return the id of every token."""
        return dict(self._tokenizer.get_vocab())

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Count the tokens."""
        return len(self._tokenizer)

    def to_str(self) -> str:
        """Describe the tokenizer by a text that changes with the vocabulary, for the hash."""
        vocabulary = json.dumps(sorted(self._tokenizer.get_vocab().items()))
        content = hashlib.sha256(vocabulary.encode()).hexdigest()
        return json.dumps({"class": type(self._tokenizer).__name__, "vocabulary": content})

    def no_truncation(self) -> None:
        """Do nothing: it never truncates here."""

    def no_padding(self) -> None:
        """Do nothing: it never pads here."""


def converted(folder: Path) -> tokenizers.Tokenizer | SlowBackend:
    """Let transformers make a tokenizer of a folder's vocabulary files, a fast one if it can."""
    from farthing.encoders.backends.pretrained import load_tokenizer

    tokenizer = load_tokenizer(folder)
    return getattr(tokenizer, "backend_tokenizer", None) or SlowBackend(tokenizer)
