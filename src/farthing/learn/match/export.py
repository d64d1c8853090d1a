"""Write a trained judge as a student's folder: weights, head, tokenizer, config."""

from __future__ import annotations

import filecmp
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch

from farthing.core.errors import UsageError
from farthing.encoders.backends.embedded import FILES, FULL_GRAPH, LOWER, GraphPrecision
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.tokens.tokenize import part_of
from farthing.files.write import write_text
from farthing.learn.match.graph import (
    ALONE,
    FurtherTokens,
    write_full,
    write_graph,
    write_lower,
    write_upper,
)
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import AnyTokens, BranchTokens, ContextualTokens, StaticTokens, owner_of
from farthing.learn.match.vocabulary import TableBits
from farthing.students.layout import FACTS, HEAD, SURFACE, TOKENIZER

LONGEST = 4096  # tokens of a text if no transformer sets a limit: the matrix of similarities grows with its square


def write_judge(
    judge: Judge,
    start: Path,
    folder: Path,
    *,
    floor: float,
    ceiling: float | None = None,
    about: Mapping[str, object],
    further: FurtherTokens = ALONE,
    table_bits: TableBits = 8,
    precision: GraphPrecision = "int8",
    shared: int | None = None,
    usual: Sequence[Sequence[int]] = (),
) -> None:
    """Write a judge as the folder of a student.

    :param start: the folder whose tokenizer the student uses
    :param floor: the value that reads as 0
    :param ceiling: the value that reads as 100, by default that of equal texts
    :param about: further facts for the config; "tokenizer" names a folder beside this one whose tokenizer.json is used,
        if it is the same
    :param further: tokens of other judges over the same transformer; see :func:`write_graph`
    :param table_bits: of the table of word vectors
    :param precision: fp32 writes a second graph in full precision beside the usual one
    :param shared: another judge has layers of its own above so many of these, which get a graph of their own
    :param usual: ids of usual texts; see :func:`write_graph`
    """
    judge.eval()
    if isinstance(judge.tokens, ContextualTokens):
        kind = "match"
        if shared is None:
            write_graph(judge.tokens, folder / FILES[kind], further, table_bits, usual=usual)
        else:
            write_lower(judge.tokens, folder / LOWER, shared, table_bits, usual)
            write_upper(judge.tokens, folder / FILES[kind], shared, usual)
        if precision == "fp32":
            write_graph(judge.tokens, folder / FULL_GRAPH, further, precision=precision)
    elif isinstance(judge.tokens, StaticTokens):
        kind = "static"
        write_token_table(judge.tokens, folder / FILES[kind])
    else:
        raise UsageError("a judge that shares a transformer is written after the one that has it")
    write_head(judge, folder / HEAD, floor, ceiling)
    names = TOKENIZER[:2] if kind == "match" else TOKENIZER[:1]  # the second has the transformer's limit
    shared = _has_tokenizer(folder.parent / str(about.get("tokenizer", "")), start)
    for name in names[1:] if shared else names:
        if (path := part_of(start, name)).is_file():
            shutil.copyfile(path, folder / name)
    facts = {name: fact for name, fact in about.items() if shared or name != "tokenizer"}
    _write_config(judge, folder, {"kind": kind, **facts})


def _has_tokenizer(folder: Path, start: Path) -> bool:
    """Tell whether a folder has the tokenizer.json of the start."""
    own, other = folder / TOKENIZER[0], part_of(start, TOKENIZER[0])
    return own.is_file() and other.is_file() and filecmp.cmp(own, other, shallow=False)


def write_second_judge(
    judge: Judge,
    folder: Path,
    *,
    encoder: str = "multi",
    weights: str = "source",
    floor: float,
    ceiling: float,
    about: Mapping[str, object],
    precision: GraphPrecision = "int8",
    usual: Sequence[Sequence[int]] = (),
) -> None:
    """Write a judge of outputs against their sources, which uses the encoder of another student's folder.

    If it has layers of its own, its folder has a graph of these.

    :param encoder: the name of that folder, which lies beside this one
    :param weights: the output of its graph that has this judge's token weights
    :param floor: the value that reads as 0
    :param ceiling: the value that reads as 100
    :param precision: fp32 writes a second graph in full precision, if the judge has layers of its own
    :param usual: ids of usual texts; see :func:`write_graph`
    """
    judge.eval()
    write_head(judge, folder / HEAD, floor, ceiling)
    own = {"against": "source", "encoder": encoder, "weights": weights}
    if isinstance(judge.tokens, BranchTokens):
        write_upper(judge.tokens, folder / FILES["match"], judge.tokens.shared, usual)
        if precision == "fp32":
            write_full(judge.tokens, folder / FULL_GRAPH)
        del own["weights"]
    _write_config(judge, folder, {"kind": "match", **own, **about})


def _write_config(judge: Judge, folder: Path, facts: Mapping[str, object]) -> None:
    features = {"features": list(judge.groups)} if judge.groups != (SURFACE,) else {}
    config = {FACTS: {**facts, **features}, "max_position_embeddings": _limit(judge.tokens), "pad_token_id": 0}
    write_text(folder / CONFIG, json.dumps(config, indent=2) + "\n")


def _limit(tokens: AnyTokens) -> int:
    if isinstance(tokens, StaticTokens):
        return LONGEST
    return int(owner_of(tokens).model.config.max_position_embeddings)


def write_head(judge: Judge, path: Path, floor: float, ceiling: float | None = None) -> None:
    """Write the head with its scale as safetensors.

    :param floor: the value that reads as 0
    :param ceiling: the value that reads as 100, by default that of equal texts
    """
    head = judge.head
    arrays = {
        "scale": head.scale, "top": head.top, "linear": head.linear.weight * head.read,
        "hidden": head.hidden.weight * head.read,
        "hidden_bias": head.hidden.bias, "out": head.out.weight, "floor": torch.tensor(floor),
    }  # fmt: skip
    if ceiling is not None:
        arrays["ceiling"] = torch.tensor(ceiling)
    if not head.cap.isinf():
        arrays["cap"] = head.cap
    if (marks := judge.marks) is not None:
        arrays |= {"mark_in": marks.inner.weight, "mark_bias": marks.inner.bias, "mark_out": marks.outer.weight[0]}
        arrays["mark_top"] = marks.top
    _save({name: one.detach().float().contiguous().numpy() for name, one in arrays.items()}, path)


def write_token_table(tokens: StaticTokens, path: Path) -> None:
    """Write both tables in 8 bits with one scale per row, and the small layer in full."""
    arrays = {
        "weights": tokens.weight.weight[:, 0].half(), "heavy": tokens.heavy.weight[0],
        "mix": tokens.mix.weight.permute(2, 1, 0), "bias": tokens.mix.bias, "out": tokens.out.weight.T,
    }  # fmt: skip
    small = {name: np.ascontiguousarray(one.detach().numpy()) for name, one in arrays.items() if one is not None}
    _save({**small, **_rows("vectors", tokens.table), **_rows("near", tokens.near)}, path)


def _rows(name: str, table: torch.nn.Embedding) -> dict[str, np.ndarray]:
    rows = table.weight.detach().numpy()
    scales = (np.maximum(np.abs(rows).max(axis=1), 1e-6) / 127).astype(np.float32)
    return {name: np.round(rows / scales[:, None]).astype(np.int8), f"{name}_scale": scales}


def _save(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    from safetensors.numpy import save

    path.write_bytes(save(dict(arrays)))  # save_file() would make it unreadable for other users
