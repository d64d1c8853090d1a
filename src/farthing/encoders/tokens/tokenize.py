"""Texts into token ids, many at a time, by the model's own tokenizer.

A folder with a `tokenizer.json` needs only the library `tokenizers`; transformers converts older folders. Special
tokens, truncation and the leading space of RoBERTa are handled here, so that they are the same with every version
of every library.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from farthing.core.digest import digest
from farthing.core.errors import ModelError
from farthing.core.progress import step
from farthing.core.texts import without_surrogates
from farthing.encoders.tokens.id_rows import IdRows, interleaved
from farthing.encoders.tokens.id_rows import Ids as Ids
from farthing.encoders.tokens.slow_tokens import SlowBackend, converted
from farthing.encoders.tokens.words import WordMemory, fits
from farthing.text.split import SplitTexts, split_texts

if TYPE_CHECKING:
    from farthing.encoders.tokens.unigram import Backend

Fields: TypeAlias = Mapping[str, object]  #: the content of a JSON file of a model's folder

USUAL_LIMIT = 512  # relative positions have no end, but attention's cost is quadratic and training stopped here
_UNKNOWN_LIMIT = 1_000_000_000  # a tokenizer that was never told its limit says 1e30
# These families count positions from the padding id + 1, so two of their 514 positions are never used.
_OFFSET_FAMILIES = frozenset(
    [
        *("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer", "roberta-prelayernorm"),
        *("data2vec-text", "ibert", "luke", "mluke", "xmod", "markuplm", "bertweet", "esm"),
    ]
)


class Tokenizer:
    """A model's tokenizer.

    :param folder: the model's folder
    :param leading_space: True puts a space before the first word if the tokenizer is byte-level (RoBERTa, GPT-2,
        BART …), so that the word is cut as it is elsewhere in a text; None does so only for the families for
        which bert_score did; False never does
    """

    prefix: Ids  #: special tokens before a text
    suffix: Ids  #: special tokens after a text
    limit: int  #: the most tokens of a text, special ones included

    def __init__(self, folder: Path, leading_space: bool | None = True) -> None:
        self.folder = folder
        self.config = read_json(folder / "config.json")
        self._backend = _load_backend(folder)
        self.hash = digest(self._described())
        self.limit = longest_input(self.config, read_json(part_of(folder, "tokenizer_config.json"), missing_ok=True))
        self._read_template()
        byte_level = _is_byte_level(self._backend)
        if leading_space is None:
            leading_space = self.config.get("model_type") in ("roberta", "gpt2")
        self.leading_space = byte_level and leading_space

    def _described(self) -> bytes:
        path = part_of(self.folder, "tokenizer.json")
        return path.read_bytes() if path.is_file() else self._backend.to_str().encode()

    def _read_template(self) -> None:
        """Learn which special tokens stand before, between and after texts."""
        probe = "a"
        plain = self._backend.encode(probe, add_special_tokens=False).ids
        self.prefix, self.suffix = _around(self._backend.encode(probe).ids, plain)
        pair = self._backend.encode(probe, probe)
        self.between, self.pair_suffix = _around(pair.ids[len(self.prefix) + len(plain) :], plain)
        self.second_type = max(pair.type_ids, default=0)

    def contents(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of every text, without special tokens and without truncation."""
        return list(self.rows(texts))

    def rows(self, texts: Sequence[str], split: SplitTexts | None = None) -> IdRows:
        """Return the same as :meth:`contents` in one array, given the words of the texts if they are known already."""
        with step("tokenise"):
            known = split_texts(texts) if split is None else split
            if not known.plain.any() or self._words is None:  # for few texts, to learn the vocabulary does not pay
                return IdRows.of(self._cut(texts))
            rest = [text for text, plain in zip(texts, known.plain.tolist(), strict=True) if not plain]
            return interleaved(known.plain, self._words.cut(known), IdRows.of(self._cut(rest)))

    def _cut(self, texts: Sequence[str]) -> list[Ids]:
        lead = " " if self.leading_space else ""
        led = [lead + text if text else "" for text in map(str.strip, texts)]
        try:
            encodings = self._backend.encode_batch_fast(led, add_special_tokens=False)
        except TypeError:  # halves of characters, which Rust has no place for
            encodings = self._backend.encode_batch_fast(list(map(without_surrogates, led)), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return for every token of :meth:`contents` where it is in the text: its first character, the one behind it.

        White space is no part of a token here, whatever the tokenizer says.
        """
        if isinstance(self._backend, SlowBackend):
            raise ModelError(f"the tokenizer of {self.folder} exists in Python only and does not tell where tokens are")
        stripped = text.strip()
        lead = " " if self.leading_space and stripped else ""
        shift = len(text) - len(text.lstrip()) - len(lead)
        found = self._backend.encode(without_surrogates(lead + stripped), add_special_tokens=False).offsets
        return [_without_space(text, max(first + shift, 0), last + shift) for first, last in found]

    @cached_property
    def bytes(self) -> frozenset[int]:
        """The ids of single bytes, which spell the characters that the vocabulary does not have."""
        if isinstance(self._backend, SlowBackend):
            return frozenset()
        found = map(self._backend.token_to_id, (f"<0x{byte:02X}>" for byte in range(256)))
        return frozenset(one for one in found if one is not None)

    @cached_property
    def _words(self) -> WordMemory | None:
        return WordMemory(self._backend) if fits(self._backend) else None

    def cut(self, content: Ids) -> Ids:
        """Return as many of a text's ids as the model can read."""
        return content[: self.room]

    def wrapped(self, content: Ids) -> Ids:
        """Put the special tokens around the ids of one text."""
        return [*self.prefix, *content, *self.suffix]

    def paired(self, first: Ids, second: Ids) -> tuple[Ids, Ids]:
        """Join two texts into one input, and give for every token the number (0 or 1) of its text's type."""
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
        number = self.config.get("pad_token_id")
        return number if isinstance(number, int) else 0

    def token(self, number: int) -> str:
        """Return the written form of an id."""
        return str(self._backend.id_to_token(number) or number)

    def number(self, token: str) -> int | None:
        """Return the id of a written token, or None if the vocabulary does not have it."""
        number: int | None = self._backend.token_to_id(token)
        return number

    def save(self, path: Path) -> None:
        """Write the tokenizer as a tokenizer.json."""
        if isinstance(self._backend, SlowBackend):
            raise ModelError(f"the tokenizer of {self.folder} exists in Python only and cannot be exported")
        path.write_bytes(self._described())

    @property
    def size(self) -> int:
        """How many tokens the vocabulary has."""
        return int(self._backend.get_vocab_size(with_added_tokens=True))


def read_json(path: Path, missing_ok: bool = False) -> dict[str, Any]:
    """Read a JSON object of a model's folder.

    :param missing_ok: a file that is not there counts as an empty object
    """
    if missing_ok and not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{path.parent} is not a model's folder: it has no {path.name}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path} is not a JSON object")
    return content


def part_of(folder: Path, name: str) -> Path:
    """Return where a file of a model's folder is: in the folder itself, or in the one beside it that it shares.

    A student that shares names a folder of the same parent in its config.json, under "farthing": as "tokenizer" the one
    whose tokenizer.json it uses, as "encoder" the one that has whatever else it lacks. Files of its own come first.
    """
    own = folder / name
    facts = {} if own.is_file() else read_json(folder / "config.json", missing_ok=True).get("farthing")
    if not isinstance(facts, dict):
        return own
    # not its tokenizer_config.json: that has the limit of the model that it was written for
    fact = "tokenizer" if name == "tokenizer.json" and "tokenizer" in facts else "encoder"
    shared = facts.get(fact)
    if shared is None:
        return own
    if not isinstance(shared, str) or not shared.strip(". ") or set(shared) & set("/\\:\0"):
        raise ModelError(f"{folder}/config.json: {fact}={shared!r} is not the plain name of a folder beside it")
    beside = folder.resolve().parent / shared
    if not beside.is_dir():
        raise ModelError(f"{folder} shares the {fact} of {shared!r}, but there is no folder {beside}: put it there")
    return beside / name


def longest_input(config: Fields, tokenizer_config: Fields | None = None) -> int:
    """Return the most tokens that a text may have, special ones included.

    The number of positions in the config decides: a tokenizer's own limit is often 1e30.

    >>> longest_input({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1})
    512
    >>> longest_input({"model_type": "t5"}, {"model_max_length": 1e30})
    512
    """
    limits = [limit for limit in (_positions(config), _stated_limit(tokenizer_config or {})) if limit]
    return min(limits) if limits else USUAL_LIMIT


def _positions(config: Fields) -> int | None:
    for key in ("max_position_embeddings", "n_positions", "max_source_positions", "seq_length"):
        positions, padding = config.get(key), config.get("pad_token_id")
        if isinstance(positions, int) and positions > 0:
            offset = (padding if isinstance(padding, int) else 0) + 1
            return positions - offset if config.get("model_type") in _OFFSET_FAMILIES else positions
    return None


def _stated_limit(tokenizer_config: Fields) -> int | None:
    limit = tokenizer_config.get("model_max_length")
    return int(limit) if isinstance(limit, int | float) and 0 < limit < _UNKNOWN_LIMIT else None


@cache
def _use_pool() -> None:
    """Let tokenizers use its pool of threads, but not in a process that was forked from this one.

    The threads do not survive a fork, so the child would wait for them forever.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: os.environ.update(TOKENIZERS_PARALLELISM="false"))


def _without_space(text: str, first: int, last: int) -> tuple[int, int]:
    while first < last and text[first].isspace():
        first += 1
    return first, max(first, last)


def _load_backend(folder: Path) -> Backend:
    _use_pool()
    path = part_of(folder, "tokenizer.json")
    backend = _read_backend(path) if path.is_file() else converted(folder)
    backend.no_truncation()
    backend.no_padding()
    return backend


def _read_backend(path: Path) -> Backend:
    from tokenizers import Tokenizer as Whole

    try:
        if b'"Unigram"' in (content := path.read_bytes()):
            from farthing.encoders.tokens.unigram import PartedUnigram, UnigramFile

            if file := UnigramFile.of(content):
                return PartedUnigram(path, file)
        whole: Backend = Whole.from_buffer(content)
    except Exception as error:  # tokenizers raises plain Exception
        raise ModelError(f"{path} cannot be read: {error}") from error
    return whole


def _around(ids: Ids, content: Ids) -> tuple[Ids, Ids]:
    """Split ids into what stands before and what stands after a content."""
    for start in range(len(ids) - len(content) + 1):
        if ids[start : start + len(content)] == content:
            return ids[:start], ids[start + len(content) :]
    raise ModelError("the tokenizer changes a text when it adds special tokens; such tokenizers are not supported")


def _is_byte_level(backend: Backend) -> bool:
    if backend.pre_tokenizer is None:
        return False
    described = json.loads(backend.pre_tokenizer.__getstate__())
    return any(part.get("type") == "ByteLevel" for part in described.get("pretokenizers", [described]))
