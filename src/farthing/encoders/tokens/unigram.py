"""A Unigram tokenizer that is opened piece by piece: the first texts need few of its pieces.

The library builds a tree over all pieces when it opens a file, which for 160,000 of them takes longer than to open the
graphs of a student. How it cuts a word depends on no other pieces than those that are part of the word, so a few texts
are cut by a small tokenizer of these pieces alone. For more texts the whole is opened.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from farthing.encoders.tokens.slow_tokens import Encoding, SlowBackend

if TYPE_CHECKING:
    import tokenizers

    Backend: TypeAlias = "tokenizers.Tokenizer | SlowBackend | PartedUnigram"

CHARACTERS = 1 << 14  #: of texts that are cut by small tokenizers; for more, opening the whole takes no longer


@dataclass(frozen=True)
class UnigramFile:
    """What is in a tokenizer.json with a Unigram model whose first pieces are its special tokens, and no others.

    :param frame: all but the pieces
    :param rows: each piece with its score, in the order of the ids
    :param unknown: the id of what stands for characters that are in no piece
    :param added: the special tokens
    """

    frame: Mapping[str, object]
    rows: Sequence[tuple[str, float]]
    unknown: int
    added: Sequence[str]

    @classmethod
    def of(cls, content: bytes) -> UnigramFile | None:
        """Read the content of a tokenizer.json; None if it is of another kind, or broken."""
        try:
            with _uncollected():
                frame = json.loads(content)
            model, added = frame["model"], frame["added_tokens"]
            rows, unknown = model.pop("vocab"), model.pop("unk_id")
            first = [(number, piece, False) for number, (piece, _) in enumerate(rows[: len(added)])]
            known = [(token["id"], token["content"], token["normalized"]) for token in added] == first
            fits = known and model["type"] == "Unigram" and isinstance(unknown, int) and _only_wraps(frame, len(added))
        except (ValueError, KeyError, TypeError, AttributeError):
            return None  # the library says what is wrong with it
        return cls(frame, rows, unknown, [piece for _, piece, _ in first]) if fits else None

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The id of every piece."""
        return {piece: number for number, (piece, _) in enumerate(self.rows)}

    @cached_property
    def always(self) -> frozenset[int]:
        """The ids that every small tokenizer needs: special tokens, bytes, and the piece with the lowest score.

        That score decides how bad an unknown character is.
        """
        lowest = self.numbers[min(self.rows, key=itemgetter(1))[0]]
        single = (self.numbers.get(f"<0x{byte:02X}>", self.unknown) for byte in range(256))
        return frozenset([*range(len(self.added)), self.unknown, lowest, *single])

    @cached_property
    def longest(self) -> int:
        """The characters of the longest piece."""
        return max(map(len, self.numbers))

    def within(self, words: set[str]) -> list[int]:
        """Return the ids of the pieces that some words need, in ascending order."""
        parts = set(chain.from_iterable(map(self._parts, words)))
        return sorted(self.always.union(map(self.numbers.__getitem__, parts & self.numbers.keys())))

    def _parts(self, word: str) -> Iterator[str]:
        for begin in range(len(word)):
            for end in range(begin + 1, min(begin + self.longest, len(word)) + 1):
                yield word[begin:end]

    def described(self, numbers: Sequence[int], **changed: object) -> str:
        """Return a tokenizer.json with some of the pieces.

        :param numbers: their ids, in ascending order
        :param changed: what else is different
        """
        model = self.frame["model"]
        assert isinstance(model, dict)
        rows = [self.rows[number] for number in numbers]
        return json.dumps(
            {**self.frame, **changed, "model": {**model, "vocab": rows, "unk_id": numbers.index(self.unknown)}}
        )

    def id_to_token(self, number: int) -> str | None:
        """Return the written form of an id."""
        return self.rows[number][0] if 0 <= number < len(self.rows) else None

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a written token."""
        return self.numbers.get(token)

    def get_vocab(self) -> dict[str, int]:
        """Return the id of every token."""
        return dict(self.numbers)

    def get_vocab_size(self) -> int:
        """Count the tokens."""
        return len(self.rows)

    def to_str(self) -> str:
        """Describe the tokenizer."""
        return self.described(range(len(self.rows)))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let Python not look for garbage: among hundreds of thousands of new lists there is none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class PartedUnigram:
    """A Unigram tokenizer in the shape of the library's own.

    :param path: its tokenizer.json
    :param file: what is in it
    """

    def __init__(self, path: Path, file: UnigramFile) -> None:
        self._path, self._left = path, CHARACTERS
        self._known: UnigramFile | tokenizers.Tokenizer = file
        empty = _opened(file.described(sorted(file.always)))
        self.normalizer, self.pre_tokenizer = empty.normalizer, empty.pre_tokenizer

    def encode(
        self, text: str, pair: str | None = None, add_special_tokens: bool = True
    ) -> Encoding | tokenizers.Encoding:
        """Cut one text, or two as a pair."""
        backend, numbers = self._backend([text, pair or ""])
        found = backend.encode(text, pair, add_special_tokens=add_special_tokens)
        return _numbered(found, numbers) if numbers else found

    def encode_batch_fast(
        self, texts: Sequence[str], add_special_tokens: bool = True
    ) -> Sequence[Encoding | tokenizers.Encoding]:
        """Cut many texts."""
        backend, numbers = self._backend(texts)
        every: list[tokenizers.Encoding] = backend.encode_batch_fast(texts, add_special_tokens=add_special_tokens)
        return [_numbered(found, numbers) for found in every] if numbers else every

    def _backend(self, texts: Sequence[str]) -> tuple[tokenizers.Tokenizer, Sequence[int] | None]:
        """Return what cuts these texts, and the ids of its pieces unless it is the whole."""
        self._left -= sum(map(len, texts))
        if isinstance(self._known, UnigramFile):
            if self._left >= 0 and (numbers := self._needed(texts, self._known)):
                return self._small(self._known, numbers), numbers
            self._known = _opened(self._path.read_text(encoding="utf-8"))
        return self._known, None

    def _needed(self, texts: Sequence[str], file: UnigramFile) -> Sequence[int] | None:
        """Return the ids of the pieces that texts need, None if they have special tokens in them."""
        if any(special in text for text in texts for special in file.added):
            return None
        try:
            return file.within({word for text in texts for word in self._words(text)})
        except UnicodeEncodeError:  # halves of characters, which Rust has no place for
            return None

    def _small(self, file: UnigramFile, numbers: Sequence[int]) -> tokenizers.Tokenizer:
        small = _opened(file.described(numbers, normalizer=None))
        small.normalizer = self.normalizer  # to read it again would take longer than all the rest
        return small

    def _words(self, text: str) -> list[str]:
        """Return what the model cuts; no piece goes beyond one of these."""
        plain = self.normalizer.normalize_str(text) if self.normalizer else text
        found = self.pre_tokenizer.pre_tokenize_str(plain) if self.pre_tokenizer else [(plain, None)]
        return [word for word, _ in found]

    def id_to_token(self, number: int) -> str | None:
        """Return the written form of an id."""
        return self._known.id_to_token(number)

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a written token."""
        return self._known.token_to_id(token)

    def get_vocab(self) -> dict[str, int]:
        """Return the id of every token."""
        return self._known.get_vocab()

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """Count the tokens, all of which are pieces."""
        return self._known.get_vocab_size()

    def to_str(self) -> str:
        """Describe the tokenizer."""
        return self._known.to_str()

    def no_truncation(self) -> None:
        """Do nothing: it never truncates."""

    def no_padding(self) -> None:
        """Do nothing: it never pads."""


def _opened(described: str) -> tokenizers.Tokenizer:
    from tokenizers import Tokenizer

    backend = Tokenizer.from_str(described)
    backend.no_truncation()
    backend.no_padding()
    return backend


def _numbered(found: tokenizers.Encoding, numbers: Sequence[int]) -> Encoding:
    """Return what a small tokenizer found with the ids of the whole."""
    return Encoding([numbers[one] for one in found.ids], found.type_ids, found.offsets)


def _only_wraps(frame: Mapping[str, object], added: int) -> bool:
    """Tell whether no more is put to a text than some of the special tokens."""
    template = frame["post_processor"]
    if not isinstance(template, dict):
        return template is None
    tokens = template["special_tokens"].values() if template["type"] == "TemplateProcessing" else [{"ids": [added]}]
    return all(number < added for token in tokens for number in token["ids"])
