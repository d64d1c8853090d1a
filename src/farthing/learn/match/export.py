"""Write a trained judge as a student's folder: weights, head, tokenizer, config."""

from __future__ import annotations

import contextlib
import filecmp
import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import torch
from torch.nn import functional

from farthing.core.errors import UsageError
from farthing.encoders.backends.embedded import FILES, FULL_GRAPH, LOWER, STATES, VECTORS, WEIGHTS, GraphPrecision
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.tokens.tokenize import part_of
from farthing.files.write import write_text
from farthing.learn.match.model import Judge
from farthing.learn.match.table import four_bit_words
from farthing.learn.match.tokens import AnyTokens, BranchTokens, ContextualTokens, SharedTokens, StaticTokens, owner_of
from farthing.students.layout import FACTS, HEAD, SURFACE, TOKENIZER

if TYPE_CHECKING:
    from onnx import GraphProto
    from transformers import PreTrainedModel

LONGEST = 4096  # tokens of a text if no transformer sets a limit: the matrix of similarities grows with its square
TableBits: TypeAlias = Literal[8, 4]
IDS = MappingProxyType({"ids": torch.tensor([[0, 1, 1, 0]])})  # an example of a graph's input
FurtherTokens: TypeAlias = Mapping[str, SharedTokens]  #: token weights of other students by the output's name
ALONE: FurtherTokens = MappingProxyType({})


def write_judge(
    judge: Judge,
    start: Path,
    folder: Path,
    *,
    floor: float,
    about: Mapping[str, object],
    further: FurtherTokens = ALONE,
    table_bits: TableBits = 8,
    precision: GraphPrecision = "int8",
    shared: int | None = None,
) -> None:
    """Write a judge as the folder of a student.

    :param start: the folder whose tokenizer the student uses
    :param floor: the value that reads as 0
    :param about: further facts for the config; "tokenizer" names a folder beside this one whose tokenizer.json is used,
        if it is the same
    :param further: tokens of other judges over the same transformer; see :func:`write_graph`
    :param table_bits: of the table of word vectors
    :param precision: fp32 writes a second graph in full precision beside the usual one
    :param shared: another judge has layers of its own above so many of these, which get a graph of their own
    """
    judge.eval()
    if isinstance(judge.tokens, ContextualTokens):
        kind = "match"
        if shared is None:
            write_graph(judge.tokens, folder / FILES[kind], further, table_bits)
        else:
            write_lower(judge.tokens, folder / LOWER, shared, table_bits)
            write_upper(judge.tokens, folder / FILES[kind], shared)
        if precision == "fp32":
            write_graph(judge.tokens, folder / FULL_GRAPH, further, precision=precision)
    elif isinstance(judge.tokens, StaticTokens):
        kind = "static"
        write_token_table(judge.tokens, folder / FILES[kind])
    else:
        raise UsageError("a judge that shares a transformer is written after the one that has it")
    write_head(judge, folder / HEAD, floor)
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
) -> None:
    """Write a judge of outputs against their sources, which uses the encoder of another student's folder.

    If it has layers of its own, its folder has a graph of these.

    :param encoder: the name of that folder, which lies beside this one
    :param weights: the output of its graph that has this judge's token weights
    :param floor: the value that reads as 0
    :param ceiling: the value that reads as 100
    :param precision: fp32 writes a second graph in full precision, if the judge has layers of its own
    """
    judge.eval()
    write_head(judge, folder / HEAD, floor, ceiling)
    own = {"against": "source", "encoder": encoder, "weights": weights}
    if isinstance(judge.tokens, BranchTokens):
        write_upper(judge.tokens, folder / FILES["match"], judge.tokens.shared)
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
        "scale": head.scale, "top": head.top, "linear": head.linear.weight, "hidden": head.hidden.weight,
        "hidden_bias": head.hidden.bias, "out": head.out.weight, "floor": torch.tensor(floor),
    }  # fmt: skip
    if ceiling is not None:
        arrays["ceiling"] = torch.tensor(ceiling)
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


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Silence tracing and the quantiser, which warn about what is intended: shapes of one text, no preparation."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            root.setLevel(level)


class _Single(torch.nn.Module):
    """One text at a time, without a mask: what a student runs.

    :param further: layers that weigh the same tokens for other students
    """

    def __init__(self, tokens: ContextualTokens, further: Iterable[torch.nn.Linear]) -> None:
        super().__init__()
        self.tokens = tokens
        self.further = torch.nn.ModuleList(further)

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, ...]:
        seen: list[torch.Tensor] = []  # the states, which are computed once for all weights
        hook = self.tokens.weight.register_forward_pre_hook(lambda _, states: seen.extend(states))
        vectors, weights = self.tokens(ids, torch.ones_like(ids))
        hook.remove()
        return vectors, weights, *(functional.softplus(layer(seen[0]))[..., 0] for layer in self.further)


class _Lower(torch.nn.Module):
    """The states of one text above its embeddings and some layers."""

    def __init__(self, model: PreTrainedModel, layers: int) -> None:
        super().__init__()
        self.embeddings, self.layers = model.embeddings, model.encoder.layer[:layers]

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return _through(self.layers, self.embeddings(input_ids=ids))


class _Upper(torch.nn.Module):
    """The vectors and weights of one text, given its states below some layers."""

    def __init__(self, tokens: ContextualTokens | BranchTokens, below: int) -> None:
        super().__init__()
        self.layers, self.weight = tokens.model.encoder.layer[below:], tokens.weight

    def forward(self, states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        states = _through(self.layers, states)
        return functional.normalize(states, dim=-1), functional.softplus(self.weight(states))[..., 0]


def _through(layers: Iterable[torch.nn.Module], states: torch.Tensor) -> torch.Tensor:
    for layer in layers:
        found = layer(states)
        states = found[0] if isinstance(found, tuple) else found
    return states


def write_graph(
    tokens: ContextualTokens,
    path: Path,
    further: FurtherTokens = ALONE,
    table_bits: TableBits = 8,
    precision: GraphPrecision = "int8",
) -> None:
    """Write a graph that onnxruntime's optimiser has fused, with products and tables of embeddings in 8 bits.

    Its outputs are `vectors`, `weights` and one of each name in `further`.

    :param further: tokens over the same transformer, whose weights become outputs, too
    :param table_bits: 4 stores the table of word vectors by :mod:`farthing.learn.match.table`
    :param precision: fp32 rounds nothing, and the table has 32 bits
    """
    if any(other.owner is not tokens for other in further.values()):
        raise UsageError("token weights of one graph must be over one transformer")
    tokens.fast = False
    words = four_bit_words(tokens.model) if table_bits == 4 and precision == "int8" else nullcontext()
    module = _Single(tokens, [other.weight for other in further.values()])
    with words:
        _write(module, IDS, [VECTORS, WEIGHTS, *further], tokens.model, path, precision)


def write_lower(tokens: ContextualTokens, path: Path, layers: int, table_bits: TableBits = 8) -> None:
    """Write a graph of the embeddings and the lowest layers, whose output is `states`; for the rest, see above."""
    words = four_bit_words(tokens.model) if table_bits == 4 else nullcontext()
    with words:
        _write(_Lower(tokens.model, layers), IDS, [STATES], tokens.model, path)


def write_upper(tokens: ContextualTokens | BranchTokens, path: Path, below: int) -> None:
    """Write a graph of the layers above some others, which reads their `states` and gives `vectors` and `weights`."""
    states = torch.zeros(1, 4, tokens.model.config.hidden_size)
    _write(_Upper(tokens, below), {STATES: states}, [VECTORS, WEIGHTS], tokens.model, path)


def write_full(tokens: BranchTokens, path: Path) -> None:
    """Write one graph in full precision of tokens that share their lowest layers, with these."""
    whole = torch.nn.Sequential(_Lower(tokens.model, tokens.shared), _Upper(tokens, tokens.shared))
    _write(whole, IDS, [VECTORS, WEIGHTS], tokens.model, path, "fp32")


def _write(
    module: torch.nn.Module,
    given: Mapping[str, torch.Tensor],
    outputs: Sequence[str],
    model: PreTrainedModel,
    path: Path,
    precision: GraphPrecision = "int8",
) -> None:
    """Trace a module of one text, fuse its graph and write it.

    :param given: an example of its only input, whose second dimension may be of any length
    """
    model.config._attn_implementation = "eager"
    [name] = given
    with tempfile.TemporaryDirectory() as place, _silent():
        plain = Path(place) / "plain.onnx"
        torch.onnx.export(
            module.eval(), tuple(given.values()), str(plain), input_names=[name], output_names=list(outputs),
            dynamic_axes={name: {1: "n"}}, dynamo=False, opset_version=17,
        )  # fmt: skip
        fused = path if precision == "fp32" else Path(place) / "fused.onnx"
        graph = _fused(plain, fused, model.config.num_attention_heads, model.config.hidden_size)
        if precision == "int8":
            _quantise(graph, fused, path)


def _fused(plain: Path, path: Path, heads: int, width: int) -> GraphProto:
    """Write and return a graph in which onnxruntime's optimiser has joined what can be computed at once."""
    from onnxruntime.transformers import optimizer

    better = optimizer.optimize_model(str(plain), model_type="bert", opt_level=0, num_heads=heads, hidden_size=width)
    better.save_model_to_file(str(path))
    return better.model.graph


def _quantise(graph: GraphProto, fused: Path, path: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    halves = {one.name for one in graph.initializer if one.data_type == onnx.TensorProto.FLOAT16}  # scales of a table
    # 7 bits of weights: processors without VNNI saturate when they add up products of 8
    quantize_dynamic(
        str(fused), str(path), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        nodes_to_exclude=[node.name for node in graph.node if halves.intersection(node.input)],
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )  # fmt: skip
