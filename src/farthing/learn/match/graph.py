"""Write the transformer of a judge as an ONNX graph: fused, with products and tables in 8 bits.

Judges that share their lowest layers have these in a graph of their own, whose states the graphs above it read.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import torch
from torch.nn import functional

from farthing.core.errors import UsageError
from farthing.encoders.backends.embedded import STATES, VECTORS, WEIGHTS, GraphPrecision
from farthing.learn.match.lean_graph import make_lean
from farthing.learn.match.smoothing import smoothed
from farthing.learn.match.table import grouped_words
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens
from farthing.learn.match.vocabulary import TableBits

if TYPE_CHECKING:
    from onnx import GraphProto
    from transformers import PreTrainedModel

IDS = MappingProxyType({"ids": torch.tensor([[0, 1, 1, 0]])})  # an example of a graph's input
FurtherTokens: TypeAlias = Mapping[str, SharedTokens]  #: token weights of other students by the output's name
ALONE: FurtherTokens = MappingProxyType({})


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
    usual: Sequence[Sequence[int]] = (),
) -> None:
    """Write a graph that onnxruntime's optimiser has fused, with products and tables of embeddings in 8 bits.

    Its outputs are `vectors`, `weights` and one of each name in `further`.

    :param further: tokens over the same transformer, whose weights become outputs, too
    :param table_bits: 2 stores the table of word vectors by :mod:`farthing.learn.match.table`
    :param precision: fp32 rounds nothing, and the table has 32 bits
    :param usual: ids of usual texts, by which products are prepared for 8 bits: see
        :mod:`farthing.learn.match.smoothing`
    """
    if any(other.owner is not tokens for other in further.values()):
        raise UsageError("token weights of one graph must be over one transformer")
    tokens.fast = False
    words = grouped_words(tokens.model) if table_bits == 2 and precision == "int8" else nullcontext()
    module = _Single(tokens, [other.weight for other in further.values()])
    with words, smoothed(tokens.model, usual if precision == "int8" else ()):
        _write(module, IDS, [VECTORS, WEIGHTS, *further], tokens.model, path, precision)


def write_lower(
    tokens: ContextualTokens,
    path: Path,
    layers: int,
    table_bits: TableBits = 8,
    usual: Sequence[Sequence[int]] = (),
) -> None:
    """Write a graph of the embeddings and the lowest layers, whose output is `states`; for the rest, see above."""
    words = grouped_words(tokens.model) if table_bits == 2 else nullcontext()
    with words, smoothed(tokens.model, usual):
        _write(_Lower(tokens.model, layers), IDS, [STATES], tokens.model, path)


def write_upper(
    tokens: ContextualTokens | BranchTokens, path: Path, below: int, usual: Sequence[Sequence[int]] = ()
) -> None:
    """Write a graph of the layers above some others, which reads their `states` and gives `vectors` and `weights`."""
    states = torch.zeros(1, 4, tokens.model.config.hidden_size)
    with smoothed(tokens.model, usual):
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
    """Write and return a graph in which is joined what can be computed faster at once."""
    from onnxruntime.transformers import optimizer

    better = optimizer.optimize_model(str(plain), model_type="bert", opt_level=0, num_heads=heads, hidden_size=width)
    better.topological_sort()
    make_lean(better.model, heads)
    better.save_model_to_file(str(path))
    return better.model.graph


def _quantise(graph: GraphProto, fused: Path, path: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    halves = {one.name for one in graph.initializer if one.data_type == onnx.TensorProto.FLOAT16}  # groups of a table
    # 7 bits of weights: processors without VNNI saturate when they add up products of 8
    quantize_dynamic(
        str(fused), str(path), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        nodes_to_exclude=[node.name for node in graph.node if halves.intersection(node.input)],
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )  # fmt: skip
