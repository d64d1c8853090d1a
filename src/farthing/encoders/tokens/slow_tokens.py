"""Tokenizers that exist in Python only (Marian's, say), behind the few calls that ours needs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a fast tokenizer answers."""

    ids: list[int]
    type_ids: list[int]


class SlowBackend:
    """One of transformers' Python tokenizers in the shape of a fast one; it cannot be saved as tokenizer.json."""

    pre_tokenizer = None

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> Encoding:
        """The ids of a text or of two."""
        found = self._tokenizer(text, pair, add_special_tokens=add_special_tokens, verbose=False)["input_ids"]
        return Encoding(list(found), [0] * len(found))

    def encode_batch_fast(self, texts: Sequence[str], add_special_tokens: bool = True) -> list[Encoding]:
        """The ids of many texts."""
        return [self.encode(text, add_special_tokens=add_special_tokens) for text in texts]

    def id_to_token(self, number: int) -> str:
        """The written form of an id."""
        return str(self._tokenizer.convert_ids_to_tokens(number))

    def token_to_id(self, token: str) -> int | None:
        """The id of a written token."""
        found = self._tokenizer.get_vocab().get(token)
        return None if found is None else int(found)

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """How many tokens there are."""
        return len(self._tokenizer)

    def to_str(self) -> str:
        """A description that changes with the vocabulary, for the hash."""
        vocabulary = json.dumps(sorted(self._tokenizer.get_vocab().items()))
        digest = hashlib.sha256(vocabulary.encode()).hexdigest()
        return json.dumps({"class": type(self._tokenizer).__name__, "vocabulary": digest})

    def no_truncation(self) -> None:
        """It never truncates here."""

    def no_padding(self) -> None:
        """It never pads here."""
