"""Texts into token ids, many at a time, by the model's own tokenizer.

Only `tokenizers` is needed where the folder has a `tokenizer.json`; older folders are converted by transformers.
Special tokens, truncation and the leading space of RoBERTa are done here, so that they are the same with every
version of every library.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from farthing.core.errors import MissingExtra, ModelError
from farthing.encoders.tokens.limits import longest_input
from farthing.encoders.tokens.slow_tokens import SlowBackend
from farthing.encoders.tokens.words import MANY, WordMemory, fits

Ids = list[int]


class Tokenizer:
    """A model's tokenizer.

    :param folder: the model's folder
    :param leading_space: True gives byte-level tokenizers (RoBERTa, GPT-2, BART …) a space before the first
        word, so that it is cut as the same word elsewhere; None leaves that to the families for which
        bert_score did so; False never
    """

    prefix: Ids  #: special tokens before a text
    suffix: Ids  #: special tokens after a text
    limit: int  #: the most tokens of a text, special ones included

    def __init__(self, folder: Path, leading_space: bool | None = True) -> None:
        self.folder = folder
        self.config = read_json(folder / "config.json")
        self._backend = _load_backend(folder)
        self.hash = hashlib.sha256(self._described()).hexdigest()[:12]
        self.limit = longest_input(self.config, read_json(folder / "tokenizer_config.json", missing_ok=True))
        self._read_template()
        byte_level = _is_byte_level(self._backend.pre_tokenizer)
        if leading_space is None:
            leading_space = self.config.get("model_type") in ("roberta", "gpt2")
        self.leading_space = byte_level and leading_space

    def _described(self) -> bytes:
        path = self.folder / "tokenizer.json"
        return path.read_bytes() if path.is_file() else self._backend.to_str().encode()

    def _read_template(self) -> None:
        """Which special tokens stand before, between and after texts."""
        probe = "a"
        plain = self._backend.encode(probe, add_special_tokens=False).ids
        self.prefix, self.suffix = _around(self._backend.encode(probe).ids, plain)
        pair = self._backend.encode(probe, probe)
        self.between, self.pair_suffix = _around(pair.ids[len(self.prefix) + len(plain) :], plain)
        self.second_type = max(pair.type_ids, default=0)

    def contents(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of every text without special tokens and without truncation."""
        stripped = [text.strip() for text in texts]
        if len(stripped) < MANY or self._words is None:
            return self._cut(stripped)
        found = self._words.cut(stripped)
        rest = iter(self._cut([text for text, ids in zip(stripped, found, strict=True) if ids is None]))
        return [next(rest) if ids is None else ids for ids in found]

    def _cut(self, texts: Sequence[str]) -> list[Ids]:
        lead = " " if self.leading_space else ""
        found = self._backend.encode_batch_fast(
            [lead + text if text else "" for text in texts], add_special_tokens=False
        )
        return [encoding.ids for encoding in found]

    @cached_property
    def _words(self) -> WordMemory | None:
        return WordMemory(self._backend) if fits(self._backend) else None

    def cut(self, content: Ids) -> Ids:
        """As much of a text's ids as the model can read."""
        return content[: self.room]

    def wrapped(self, content: Ids) -> Ids:
        """One text's ids with its special tokens."""
        return [*self.prefix, *content, *self.suffix]

    def paired(self, first: Ids, second: Ids) -> tuple[Ids, Ids]:
        """Two texts as one input, and for every token the number (0 or 1) of its text's type."""
        head = [*self.prefix, *first, *self.between]
        tail = [*second, *self.pair_suffix]
        return head + tail, [0] * len(head) + [self.second_type] * len(tail)

    @property
    def room(self) -> int:
        """The most tokens of a text without its special ones."""
        return self.limit - len(self.prefix) - len(self.suffix)

    @property
    def pad(self) -> int:
        """The id that fills up a batch."""
        found = self.config.get("pad_token_id")
        return found if isinstance(found, int) else 0

    def token(self, number: int) -> str:
        """The written form of one id."""
        return str(self._backend.id_to_token(number) or number)

    def number(self, token: str) -> int | None:
        """The id of one written token."""
        found: int | None = self._backend.token_to_id(token)
        return found

    def save(self, path: Path) -> None:
        """Write the tokenizer as a tokenizer.json."""
        if isinstance(self._backend, SlowBackend):
            raise ModelError(f"the tokenizer of {self.folder} exists in Python only and cannot be exported")
        path.write_bytes(self._described())

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return int(self._backend.get_vocab_size(with_added_tokens=True))


def read_json(path: Path, missing_ok: bool = False) -> dict[str, Any]:
    """A JSON object from a model's folder."""
    if missing_ok and not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{path.parent} is not a model's folder: it has no {path.name}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} is not a JSON object")
    return found


def _load_backend(folder: Path) -> Any:
    from tokenizers import Tokenizer as Backend

    # A pool that has been used makes a later fork warn; workers are threads here, so the choice is ours.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    path = folder / "tokenizer.json"
    if path.is_file():
        try:
            backend = Backend.from_file(str(path))
        except Exception as error:  # tokenizers raises plain Exception
            raise ModelError(f"{path} cannot be read: {error}") from error
    else:
        backend = _converted(folder)
    backend.no_truncation()
    backend.no_padding()
    return backend


def _converted(folder: Path) -> Any:
    """The tokenizer that transformers makes of a folder's vocabulary files, a fast one if it can."""
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtra(f"{folder} has no tokenizer.json; converting its vocabulary", "torch") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # advice on packages that are not needed here
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except (OSError, ValueError, ImportError) as error:
        raise ModelError(f"{folder} has no tokenizer that can be read: {str(error).strip().splitlines()[0]}") from error
    return getattr(tokenizer, "backend_tokenizer", None) or SlowBackend(tokenizer)


def _around(ids: Ids, content: Ids) -> tuple[Ids, Ids]:
    """What stands before and after a content."""
    for start in range(len(ids) - len(content) + 1):
        if ids[start : start + len(content)] == content:
            return ids[:start], ids[start + len(content) :]
    raise ModelError("the tokenizer changes a text when it adds special tokens; such tokenizers are not supported")


def _is_byte_level(pre_tokenizer: Any) -> bool:
    if pre_tokenizer is None:
        return False
    described = json.loads(pre_tokenizer.__getstate__())
    parts: list[Mapping[str, Any]] = described.get("pretokenizers", [described])
    return any(part.get("type") == "ByteLevel" for part in parts)
