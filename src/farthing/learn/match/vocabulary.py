"""Prune the vocabulary of a multilingual model: fewer pieces, every script, nothing unknown.

Of a Unigram tokenizer (SentencePiece's usual kind) stay its special tokens, all single characters, the pieces that some
language needs most, and those that the tokenizer itself holds for most likely. New pieces of one byte each stand for
characters that are in no piece, so no text is unknown, and no two different ones look alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Floats, Indices, Mask, Weights
from farthing.core.errors import ModelError, UsageError
from farthing.core.progress import Log, silent_log
from farthing.encoders.folder.layout import CONFIG, TOKENIZER, WEIGHTS
from farthing.encoders.tokens.tokenize import Tokenizer, read_json
from farthing.files.folders import new_folder, write_json
from farthing.learn.match.language_texts import texts_by_language

if TYPE_CHECKING:
    import torch

TableBits: TypeAlias = Literal[2, 8]  #: of a number in a table of word vectors
COUNTED = 0.95  # share of the pieces that counts choose; the tokenizer's own probabilities choose the others
LITTLE = 100_000  # pieces; a language of which fewer were counted has less of a say
DIGITS = 4  # of a logarithm: with more of them, only cuts that are equally likely differ
STRETCH = 2000  # texts that are cut at a time
BYTES = tuple(f"<0x{number:02X}>" for number in range(256))
WORD = "▁"  # marks the beginning of a word
TOKENIZER_FACTS = "tokenizer_config.json"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Which pieces of the start's vocabulary a student keeps.

    :param size: how many, with special tokens and the 256 of single bytes
    :param files: texts of the languages that it should read; only rows of a training split, or of none, are counted
    :param whole: files of which all rows are counted, whatever their split
    """

    size: int
    files: tuple[str, ...]
    whole: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnigramPieces:
    """The pieces of a Unigram tokenizer.

    :param names: their written forms
    :param chances: the logarithms of their probabilities
    :param leading: how many special tokens stand at the beginning; they keep their ids
    :param plain: the ids of all pieces that are not special tokens; special ones among them, such as <mask>, are lost
    """

    names: tuple[str, ...]
    chances: Floats
    leading: int
    plain: Indices

    @classmethod
    def of(cls, described: Mapping[str, object]) -> UnigramPieces:
        """Take the pieces from the content of a tokenizer.json."""
        model, added = described.get("model"), described.get("added_tokens")
        if not isinstance(model, dict) or model.get("type") != "Unigram":
            raise ModelError("only vocabularies of the kind Unigram can be pruned")
        names, chances = zip(*model["vocab"], strict=True)
        if set(names).intersection(BYTES) or not set(names).issuperset("".join(BYTES)):
            raise ModelError("the vocabulary has pieces of single bytes already, or lacks the characters to write them")
        special = {int(one["id"]) for one in added} if isinstance(added, list) else set()
        leading = next(number for number in range(len(special) + 1) if number not in special)
        return cls(names, np.array(chances), leading, np.setdiff1d(np.arange(len(names)), list(special)))


def pruned(start: Path, plan: Vocabulary, root: Path, target: Path, seed: int, log: Log = silent_log) -> None:
    """Write a model's folder again with fewer pieces; the same files give the same bytes.

    :param start: the folder of a model with a Unigram tokenizer
    :param root: the folder that holds the plan's files
    :param target: the new folder
    :param seed: of the vectors of bytes, which are new
    """
    pieces = UnigramPieces.of(read_json(start / TOKENIZER))
    texts = texts_by_language([root / name for name in plan.files], [root / name for name in plan.whole])
    log(f"vocabulary: {sum(map(len, texts.values()))} texts of {len(texts)} languages and files")
    tokenizer = Tokenizer(start)
    shares = largest_shares(piece_counts(tokenizer, texts[language]) for language in sorted(texts))
    kept = kept_pieces(pieces, shares, plan.size)
    with new_folder(target, overwrite=True) as folder:
        write_pruned(start, folder, kept, seed)
    log(f"vocabulary: {len(kept)} of {len(pieces.names)} pieces are kept, and {len(BYTES)} of single bytes added")


def piece_counts(tokenizer: Tokenizer, texts: Iterable[str]) -> Indices:
    """Count how often every piece occurs in some texts."""
    listed, counts = list(texts), np.zeros(tokenizer.size, dtype=np.int64)
    for begin in range(0, len(listed), STRETCH):
        ids = list(chain.from_iterable(tokenizer.contents(listed[begin : begin + STRETCH])))
        counts += np.bincount(np.array(ids, dtype=np.int64), minlength=len(counts))
    return counts


def largest_shares(counts: Iterable[Indices]) -> Weights:
    """Return for every piece its share of all pieces in the language where that is largest.

    >>> largest_shares([np.array([100_000, 0]), np.array([0, 300_000])]).tolist()
    [0.5, 0.75]
    """
    shares: Weights = np.max([one / (one.sum() + LITTLE) for one in counts], axis=0)
    return shares


def kept_pieces(pieces: UnigramPieces, shares: Weights, size: int) -> Indices:
    """Choose pieces, so many that together with those of bytes there are `size` of them; return their ids in order.

    :param shares: of every piece, in the language that needs it most
    """
    kept: Mask = np.zeros(len(pieces.names), dtype=bool)
    kept[: pieces.leading] = True
    kept[[number for number in pieces.plain if len(pieces.names[number].replace(WORD, "")) <= 1]] = True
    room = size - len(BYTES)
    if kept.sum() > room:
        least = int(kept.sum()) + len(BYTES)
        raise UsageError(f"a vocabulary of {size} pieces is too small: single characters and bytes alone are {least}")
    needed = pieces.plain[np.argsort(-shares[pieces.plain], kind="stable")]
    _fill(kept, needed[shares[needed] > 0], min(int(COUNTED * size), room))
    _fill(kept, pieces.plain[np.argsort(-pieces.chances[pieces.plain], kind="stable")], room)
    return np.flatnonzero(kept)


def _fill(kept: Mask, order: Indices, goal: int) -> None:
    """Keep further pieces in some order, until there are so many."""
    kept[order[~kept[order]][: max(goal - int(kept.sum()), 0)]] = True


def write_pruned(start: Path, folder: Path, kept: Indices, seed: int) -> None:
    """Write a model with the kept pieces, then those of bytes, and the rows of its table that belong to them."""
    described = read_json(start / TOKENIZER)
    pieces = UnigramPieces.of(described)
    fewer = pruned_tokenizer(described, pieces, kept)
    text = json.dumps(fewer, ensure_ascii=False, separators=(",", ":"))
    (folder / TOKENIZER).write_text(text, encoding="utf-8")
    write_json(folder / CONFIG, {**read_json(start / CONFIG), "vocab_size": len(kept) + len(BYTES)})
    facts = read_json(start / TOKENIZER_FACTS, missing_ok=True)
    same = {name: value for name, value in facts.items() if name not in ("mask_token", "added_tokens_decoder")}
    # the class of a family would build its tokenizer anew, without the pieces of bytes
    write_json(folder / TOKENIZER_FACTS, {**same, "tokenizer_class": "PreTrainedTokenizerFast"})
    change_words(start / WEIGHTS, folder / WEIGHTS, lambda table: _rows(table, pieces, kept, seed))


def pruned_tokenizer(described: dict[str, Any], pieces: UnigramPieces, kept: Indices) -> dict[str, object]:
    """Return a tokenizer.json with other pieces."""
    # less likely than any way to write "<0x0A>" in letters, so that this text is not taken for the byte
    never = 8 * float(pieces.chances.min())
    vocab = [(pieces.names[number], float(pieces.chances[number])) for number in kept] + [(one, never) for one in BYTES]
    decoders = [{"type": "ByteFallback"}, *([described["decoder"]] if described.get("decoder") else [])]
    return {
        **described,
        "added_tokens": [one for one in described["added_tokens"] if one["id"] < pieces.leading],
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": {
            **described["model"],
            "vocab": [[one, round(chance, DIGITS)] for one, chance in vocab],
            "byte_fallback": True,
        },
    }


def change_words(source: Path, target: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Write a model's weights again with another table of word vectors."""
    from safetensors.torch import load_file, save

    weights = load_file(source)
    named = [name for name in weights if name.endswith("word_embeddings.weight")]
    if len(named) != 1:
        raise ModelError(f"{source} has {len(named)} tables of word vectors; one is needed")
    weights[named[0]] = change(weights[named[0]])
    target.write_bytes(save(weights, metadata={"format": "pt"}))


def _rows(table: torch.Tensor, pieces: UnigramPieces, kept: Indices, seed: int) -> torch.Tensor:
    """Return the rows of kept pieces, then one for every byte: the mean of all pieces and some noise."""
    import torch

    plain = table[pieces.leading : int(pieces.plain.max()) + 1]
    noise = torch.randn(len(BYTES), table.shape[1], generator=torch.Generator().manual_seed(seed))
    return torch.cat([table[torch.from_numpy(kept)], plain.mean(dim=0) + 0.5 * plain.std(dim=0) * noise])
