"""A BERT cross-encoder as a graph of fused operators whose last layer computes nothing but the [CLS] row.

Only the [CLS] row of the last layer reaches the head. Its query attends to all tokens, but the keys and values of all
tokens are not needed: with q the query and X the layer's input, q(X·K)ᵀ = (q·Kᵀ)Xᵀ and softmax(…)(X·V) =
(softmax(…)X)·V. The bias of the keys adds the same number to all attention scores of a row, which softmax ignores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.learn.cross.export.builder import FUSED, Builder
from farthing.students.pair_ids import INPUTS

if TYPE_CHECKING:
    from onnx import ModelProto
    from transformers import PretrainedConfig

StateArrays: TypeAlias = Mapping[str, np.ndarray]  #: the weights of a model by name


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the graph needs to know about a model besides its weights."""

    layers: int
    width: int
    heads: int
    epsilon: float


def shape_of(config: PretrainedConfig) -> BertShape | None:
    """Read the shape of a BERT that this file can write; None for any other model."""
    plain = getattr(config, "position_embedding_type", "absolute") in ("absolute", None)
    if config.model_type != "bert" or config.hidden_act != "gelu" or not plain or getattr(config, "is_decoder", False):
        return None
    return BertShape(config.num_hidden_layers, config.hidden_size, config.num_attention_heads, config.layer_norm_eps)


class BertGraph:
    """Writes the graph; subclasses change the precision.

    :param weights: the state of a `BertForSequenceClassification`, as arrays
    """

    def __init__(self, shape: BertShape, weights: StateArrays) -> None:
        self.shape, self.weights, self.graph = shape, weights, Builder()

    def build(self) -> ModelProto:
        """Write the model."""
        state = self.embeddings()
        for layer in range(self.shape.layers - 1):
            state = self.layer(state, f"bert.encoder.layer.{layer}.")
        first = self.last_layer(state, f"bert.encoder.layer.{self.shape.layers - 1}.")
        pooled = self.graph.node("Tanh", [self.row_dense(first, "bert.pooler.dense")])
        return self.graph.model(INPUTS, self.row_dense(pooled, "classifier"))

    def constant(self, name: str) -> str:
        """Add a weight as it is."""
        return self.graph.constant(name, self.weights[name])

    def turned(self, name: str) -> np.ndarray:
        """Transpose a matrix, as `x @ matrix` needs it."""
        return np.ascontiguousarray(self.weights[f"{name}.weight"].T)

    def embeddings(self) -> str:
        """Add the normalised sum of word, position and type vectors."""
        kinds = ("word_embeddings", "position_embeddings", "token_type_embeddings")
        tables = [self.constant(f"bert.embeddings.{kind}.weight") for kind in kinds]
        norm = [self.constant(f"bert.embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
        return self.graph.node(
            "EmbedLayerNormalization",
            [*INPUTS[:2], *tables, *norm],
            FUSED,
            outputs=2,
            epsilon=self.shape.epsilon,
        )

    def layer(self, state: str, name: str) -> str:
        """Add one whole layer, with all rows."""
        context = self.attention(state, name)
        state = self.added(self.dense(context, f"{name}attention.output.dense"), state, f"{name}attention.output")
        inner = self.graph.node(
            "BiasGelu",
            [self.dense(state, f"{name}intermediate.dense"), self.constant(f"{name}intermediate.dense.bias")],
            FUSED,
        )
        return self.added(self.dense(inner, f"{name}output.dense"), state, f"{name}output")

    def attention(self, state: str, name: str) -> str:
        """Add self-attention with one product for queries, keys and values."""
        weight, bias = self.projections(name)
        inputs = [
            state,
            self.graph.constant(f"{name}qkv", weight),
            self.graph.constant(f"{name}qkv.bias", bias),
            INPUTS[2],
        ]
        return self.graph.node("Attention", inputs, FUSED, num_heads=self.shape.heads)

    def projections(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Put the projections of queries, keys and values side by side."""
        parts = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
        bias = np.concatenate([self.weights[f"{part}.bias"] for part in parts])
        return np.concatenate([self.turned(part) for part in parts], axis=1), bias

    def dense(self, state: str, name: str) -> str:
        """Add a product without its bias, which the next fused operator adds."""
        return self.graph.node("MatMul", [state, self.graph.constant(f"{name}.turned", self.turned(name))])

    def added(self, state: str, skip: str, name: str) -> str:
        """Add the normalised sum of state, bias and skip connection."""
        inputs = [state, skip, self.constant(f"{name}.LayerNorm.weight"), self.constant(f"{name}.LayerNorm.bias")]
        inputs.append(self.constant(f"{name}.dense.bias"))
        return self.graph.node("SkipLayerNormalization", inputs, FUSED, epsilon=self.shape.epsilon)

    def matrix(self, name: str, value: np.ndarray) -> str:
        """Add a matrix of the last layer, by which few rows are multiplied."""
        return self.graph.constant(name, value)

    def row_dense(self, rows: str, name: str) -> str:
        """Add a product with its bias, for the few [CLS] rows."""
        weight = self.matrix(f"{name}.turned", self.turned(name))
        return self.graph.node("Gemm", [rows, weight, self.constant(f"{name}.bias")])

    def last_layer(self, state: str, name: str) -> str:
        """Add the last layer for the [CLS] row only."""
        graph = self.graph
        first = graph.node("Gather", [state, graph.constant("zero", np.array(0, np.int64))], axis=1)
        context = self.first_attention(state, first, name)
        attended = self.row_added(
            self.row_dense(context, f"{name}attention.output.dense"), first, f"{name}attention.output"
        )
        inner = graph.node("Gelu", [self.row_dense(attended, f"{name}intermediate.dense")], FUSED)
        return self.row_added(self.row_dense(inner, f"{name}output.dense"), attended, f"{name}output")

    def first_attention(self, state: str, first: str, name: str) -> str:
        """Add the attention of the [CLS] row to all tokens, without keys and values of all tokens."""
        graph, shape = self.graph, self.shape
        size = shape.width // shape.heads
        by_head = graph.constant("by_head", np.array([0, shape.heads, size], np.int64))
        query = graph.node("Reshape", [self.row_dense(first, f"{name}attention.self.query"), by_head])
        query = graph.node("Transpose", [query], perm=[1, 0, 2])  # heads, rows, size
        keys = self.turned(f"{name}attention.self.key").reshape(shape.width, shape.heads, size) / np.sqrt(size)
        probes = graph.node("MatMul", [query, self.matrix(f"{name}keys", keys.transpose(1, 2, 0).astype(np.float32))])
        probes = graph.node("Transpose", [probes], perm=[1, 0, 2])  # rows, heads, width
        scores = graph.node("MatMul", [probes, graph.node("Transpose", [state], perm=[0, 2, 1])])
        shares = graph.node("Softmax", [graph.node("Add", [scores, self.mask()])], axis=-1)
        gathered = graph.node("Transpose", [graph.node("MatMul", [shares, state])], perm=[1, 0, 2])
        values = self.turned(f"{name}attention.self.value").reshape(shape.width, shape.heads, size)
        context = graph.node("MatMul", [gathered, self.matrix(f"{name}values", values.transpose(1, 0, 2))])
        context = graph.node("Transpose", [context], perm=[1, 0, 2])
        flat = graph.constant("flat", np.array([0, shape.width], np.int64))
        return graph.node(
            "Add", [graph.node("Reshape", [context, flat]), self.constant(f"{name}attention.self.value.bias")]
        )

    def mask(self) -> str:
        """Add 0 for tokens and a very low number for padding."""
        graph = self.graph
        absent = graph.node("Sub", [graph.constant("one", np.array(1, np.int32)), INPUTS[2]])
        spread = graph.node(
            "Unsqueeze", [graph.node("Cast", [absent], to=1), graph.constant("axis", np.array([1], np.int64))]
        )
        return graph.node("Mul", [spread, graph.constant("lowest", np.array(-1e9, np.float32))])

    def row_added(self, rows: str, skip: str, name: str) -> str:
        """Add the normalised sum of rows and skip connection."""
        norm = [self.constant(f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
        return self.graph.node(
            "LayerNormalization", [self.graph.node("Add", [rows, skip]), *norm], axis=-1, epsilon=self.shape.epsilon
        )
