"""Prune the vocabulary of a multilingual model to the pieces that languages need, with bytes for everything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.core.errors import ModelError
from farthing.core.progress import Log
from farthing.encoders.folder.layout import CONFIG, WEIGHTS
from farthing.encoders.tokens.tokenize import read_json
from farthing.files.read import lines, records
from farthing.files.write import write_text

if TYPE_CHECKING:
    import tokenizers
    import torch

Piece: TypeAlias = "tuple[str, float]"  #: a piece of a word, and the logarithm of its probability
TOKENIZER, TOKENIZER_CONFIG = "tokenizer.json", "tokenizer_config.json"
WORD_START = "▁"
BYTES = 256
BYTE_SCORE = -30.0  # less likely than any piece: a byte is the last resort
COUNTED = 0.8  # share of the pieces that are chosen by counts; the tokenizer's own probabilities choose the rest
FEW = 100_000  # pieces of a language; the shares of one with less text count for less
AT_A_TIME = 2000  # texts
NOISE = 0.5  # deviations; bytes start near the mean of all pieces, but apart from each other
OUTSIDE = ("test", "dev", "valid", "validation")  # splits of a file that has one for training


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How to prune.

    :param size: how many pieces to keep, bytes included
    :param files: texts of the languages that matter
    """

    size: int
    files: tuple[str, ...]


def pruned(start: Path, plan: Vocabulary, root: Path, target: Path, seed: int, log: Log) -> None:
    """Write a model's folder with a smaller vocabulary; every piece that stays keeps its vector.

    Special tokens and single characters stay, so that every script does. A character that the vocabulary lacks is read
    as its bytes, so that nothing is unknown.

    :param start: a folder with a Unigram tokenizer
    :param root: the folder that holds the files
    """
    from tokenizers import Tokenizer

    description = read_json(start / TOKENIZER)
    if description["model"].get("type") != "Unigram":
        raise ModelError(f"{start} has no Unigram tokenizer: its vocabulary cannot be pruned")
    pieces: list[Piece] = [(piece, score) for piece, score in description["model"]["vocab"]]
    shares = largest_shares(Tokenizer.from_file(str(start / TOKENIZER)), _texts(plan.files, root), len(pieces), log)
    kept = kept_pieces(pieces, shares, plan.size - BYTES, _special(description))
    log(f"vocabulary: {len(kept) + BYTES} of {len(pieces)} pieces stay")
    _write_tokenizer(description, [pieces[place] for place in kept], start, target)
    _write_weights(start, kept, seed, target)


def _texts(files: Iterable[str], root: Path) -> dict[str, list[str]]:
    """Gather the distinct texts of every language, in a fixed order."""
    gathered: dict[str, set[str]] = {}
    for name in files:
        for language, text in texts_by_language(str(root / name)):
            gathered.setdefault(language, set()).add(text)
    return {language: sorted(gathered[language]) for language in sorted(gathered)}


def texts_by_language(path: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of a file, each with a name of its language; of a file with a training split only that.

    The name is the key of a table of texts, a part of the column `lp` or `lang`, or the column of a file of lines,
    together with the first cell.
    """
    if ".tsv" in Path(path).suffixes:
        for _, line in lines(path):
            label, *cells = line.rstrip("\n").split("\t")
            yield from ((f"{label} {column}", cell) for column, cell in enumerate(cells) if cell)
        return
    rows = [record for _, record in records(path)]
    splits = {str(record.get("split")) for record in rows}
    for record in rows:
        if "train" not in splits or record.get("split") not in OUTSIDE:
            yield from _texts_of(record)


def _texts_of(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    source, _, own = str(record.get("lp") or record.get("lang") or "").rpartition("-")
    for name, value in record.items():
        language = source if name == "source" else own
        if name in ("source", "candidate", "reference"):
            texts = value if isinstance(value, list) else [value]
            yield from ((language, text) for text in texts if isinstance(text, str))
        elif name == "systems" and isinstance(value, Mapping):
            outputs = (one.get("output", ()) if isinstance(one, Mapping) else one for one in value.values())
            yield from ((own, text) for texts in outputs for text in texts if isinstance(text, str))
        elif isinstance(value, Mapping):
            yield from ((str(key), text) for key, text in value.items() if isinstance(text, str))


def largest_shares(tokenizer: tokenizers.Tokenizer, texts: Mapping[str, list[str]], size: int, log: Log) -> np.ndarray:
    """Return for every piece its share of the pieces of the language in which it has the largest."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    shares = np.zeros(size)
    for own in texts.values():
        counts = np.zeros(size, dtype=np.int64)
        for begin in range(0, len(own), AT_A_TIME):
            encoded = tokenizer.encode_batch(own[begin : begin + AT_A_TIME], add_special_tokens=False)
            ids = np.concatenate([np.asarray(one.ids, dtype=np.int64) for one in encoded])
            counts += np.bincount(ids, minlength=size)
        shares = np.maximum(shares, counts / (counts.sum() + FEW))
    log(f"vocabulary: counted in {sum(map(len, texts.values()))} texts of {len(texts)} kinds")
    return shares


def kept_pieces(pieces: list[Piece], shares: np.ndarray, size: int, special: set[str]) -> list[int]:
    """Choose the places of the pieces to keep, in their order.

    >>> pieces = [("<s>", 0.0), ("▁ab", -1.0), ("a", -5.0), ("bc", -2.0), ("cd", -3.0)]
    >>> kept_pieces(pieces, np.array([0, 0, 0, 0, 0.1]), 4, {"<s>"})
    [0, 1, 2, 4]
    """
    fixed = [
        place for place, (piece, _) in enumerate(pieces) if piece in special or len(piece.replace(WORD_START, "")) <= 1
    ]
    counted = [int(place) for place in np.argsort(-shares, kind="stable") if shares[place] > 0]
    likely = sorted(range(len(pieces)), key=lambda place: -pieces[place][1])
    kept = dict.fromkeys(fixed)
    for order, most in ((counted, max(len(fixed), int(COUNTED * size))), (likely, size)):
        for place in order:
            if len(kept) >= most:
                break
            kept.setdefault(place)
    return sorted(kept)


def _special(description: Mapping[str, object]) -> set[str]:
    """Name the special tokens that stay; nothing is masked any more."""
    added = description.get("added_tokens")
    names = {str(one["content"]) for one in added} if isinstance(added, list) else set()
    return names - {"<mask>"}


def _write_tokenizer(description: dict[str, object], kept: list[Piece], start: Path, target: Path) -> None:
    special = _special(description)
    model = description["model"]
    added = description["added_tokens"]
    assert isinstance(model, dict)
    assert isinstance(added, list)
    numbers = {piece: number for number, (piece, _) in enumerate(kept)}
    tokens = [{**one, "id": numbers[one["content"]]} for one in added if one["content"] in special]
    pieces = [*kept, *((f"<0x{byte:02X}>", BYTE_SCORE) for byte in range(BYTES))]
    content = {**description, "added_tokens": tokens, "model": {**model, "vocab": pieces, "byte_fallback": True}}
    write_text(target / TOKENIZER, json.dumps(content, ensure_ascii=False, separators=(",", ":")))
    settings = read_json(start / TOKENIZER_CONFIG, missing_ok=True)
    settings.pop("mask_token", None)
    write_text(target / TOKENIZER_CONFIG, json.dumps(settings, indent=1))


def _write_weights(start: Path, kept: list[int], seed: int, target: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    weights: dict[str, torch.Tensor] = load_file(start / WEIGHTS)
    [name] = [name for name in weights if name.endswith("word_embeddings.weight")]
    table = weights[name]
    noise = torch.randn(BYTES, table.shape[1], generator=torch.Generator().manual_seed(seed))
    spread = table.mean(dim=0) + NOISE * table.std(dim=0) * noise
    weights[name] = torch.cat([table[kept], spread]).contiguous()
    save_file(weights, target / WEIGHTS)
    config = {**read_json(start / CONFIG), "vocab_size": len(weights[name])}
    write_text(target / CONFIG, json.dumps(config, indent=1))
