"""The same graph with smaller numbers: halves on disk, or eight-bit integers on disk and in the large products.

Integers have fixed ranges, measured on real pairs, not the ranges of each batch, so that a score does not depend on the
other pairs of its batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from farthing.learn.cross.export.bert import BertGraph, BertShape, StateArrays
from farthing.learn.cross.export.builder import FUSED
from farthing.students.pair_ids import INPUTS

if TYPE_CHECKING:
    from onnx import ModelProto

Ranges: TypeAlias = Mapping[str, tuple[float, float]]  #: the lowest and the highest number by name of the product
Feed: TypeAlias = Mapping[str, np.ndarray]  #: the inputs of a graph by name
LEVELS = 63  # seven bits of weights: processors without VNNI saturate when they add products of eight bits
SMALL = 4096  # constants of fewer numbers stay as they are


class HalfGraph(BertGraph):
    """Weights stored as halves; onnxruntime widens them once, when it loads the model."""

    def build(self) -> ModelProto:
        """Write the model."""
        from onnx import numpy_helper

        model = super().build()
        for place, tensor in enumerate(list(model.graph.initializer)):
            value = numpy_helper.to_array(tensor)
            if value.dtype == np.float32 and value.size >= SMALL:
                name = tensor.name
                half = numpy_helper.from_array(value.astype(np.float16), f"{name}.half")
                model.graph.initializer[place].CopyFrom(half)
                _widen(model, half.name, name)
        return model


def _widen(model: ModelProto, half: str, name: str) -> None:
    from onnx import TensorProto, helper

    model.graph.node.insert(0, helper.make_node("Cast", [half], [name], to=TensorProto.FLOAT))


class MeasuredGraph(BertGraph):
    """The plain graph, which also notes the inputs of its large products."""

    def __init__(self, shape: BertShape, weights: StateArrays) -> None:
        super().__init__(shape, weights)
        self.measured: dict[str, str] = {}  # the value that goes into a product, by the product's name

    def attention(self, state: str, name: str) -> str:
        """Note the input and do as the plain graph."""
        self.measured[name] = state
        return super().attention(state, name)

    def dense(self, state: str, name: str) -> str:
        """Note the input and do as the plain graph."""
        self.measured[name] = state
        return super().dense(state, name)


def measure(shape: BertShape, weights: StateArrays, batches: Iterable[Feed]) -> Ranges:
    """Measure the lowest and the highest input of each large product on some batches of real pairs."""
    import onnxruntime
    from onnx import TensorProto, helper

    graph = MeasuredGraph(shape, weights)
    model = graph.build()
    values = sorted(set(graph.measured.values()))
    if not values:
        return {}
    model.graph.output.extend(helper.make_tensor_value_info(one, TensorProto.FLOAT, None) for one in values)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    ranges = dict.fromkeys(values, (0.0, 0.0))
    for batch in batches:
        for value, numbers in zip(values, session.run(values, dict(batch)), strict=True):
            low, high = ranges[value]
            ranges[value] = (min(low, float(numbers.min())), max(high, float(numbers.max())))
    return {name: ranges[value] for name, value in graph.measured.items()}


class IntegerGraph(BertGraph):
    """Eight-bit weights everywhere, eight-bit products in all layers but the last.

    :param ranges: the result of :func:`measure`
    """

    def __init__(self, shape: BertShape, weights: StateArrays, ranges: Ranges) -> None:
        super().__init__(shape, weights)
        self.ranges = ranges

    def constant(self, name: str) -> str:
        """Add a weight as it is; the large tables of vectors as integers with one scale per row."""
        if self.weights[name].ndim == 2 and self.weights[name].size >= SMALL:
            return self.matrix(name, self.weights[name])
        return super().constant(name)

    def matrix(self, name: str, value: np.ndarray) -> str:
        """Add a matrix as integers, which onnxruntime turns back into floats once, when it loads the model."""
        if value.size < SMALL:
            return super().matrix(name, value)
        scale = np.maximum(np.abs(value).max(axis=-1, keepdims=True) / 127, 1e-12).astype(np.float32)
        whole = self.graph.constant(f"{name}.integers", np.rint(value / scale).astype(np.int8))
        wide = self.graph.node("Cast", [whole], to=1)
        return self.graph.node("Mul", [wide, self.graph.constant(f"{name}.scale", scale)])

    def attention(self, state: str, name: str) -> str:
        """Add self-attention whose projections are products of integers."""
        weight, bias = self.projections(name)
        small, scale, zero = self.integers(state, name)
        whole, weight_scale, weight_zero = self.columns(f"{name}qkv", weight)
        bias_name = self.graph.constant(f"{name}qkv.bias", bias)
        inputs = [small, whole, bias_name, scale, weight_scale, INPUTS[2], zero, weight_zero]
        return self.graph.node("QAttention", inputs, FUSED, num_heads=self.shape.heads)

    def dense(self, state: str, name: str) -> str:
        """Add a product of integers without its bias."""
        small, scale, zero = self.integers(state, name)
        whole, weight_scale, weight_zero = self.columns(f"{name}.turned", self.turned(name))
        inputs = [small, whole, scale, weight_scale, zero, weight_zero]
        return self.graph.node("MatMulIntegerToFloat", inputs, FUSED)

    def integers(self, state: str, name: str) -> tuple[str, str, str]:
        """Turn a value into unsigned bytes over the range that was measured for it."""
        low, high = self.ranges[name]
        width = max(high - low, 1e-6) / 255
        scale = self.graph.constant(f"{name}.in_scale", np.array(width, np.float32))
        zero = self.graph.constant(f"{name}.in_zero", np.array(np.clip(np.rint(-low / width), 0, 255), np.uint8))
        return self.graph.node("QuantizeLinear", [state, scale, zero]), scale, zero

    def columns(self, name: str, weight: np.ndarray) -> tuple[str, str, str]:
        """Add a matrix as integers with one scale per column."""
        scale = np.maximum(np.abs(weight).max(axis=0) / LEVELS, 1e-12).astype(np.float32)
        whole = self.graph.constant(f"{name}.integers", np.rint(weight / scale).astype(np.int8))
        zero = self.graph.constant(f"{name}.zero", np.zeros(len(scale), np.int8))
        return whole, self.graph.constant(f"{name}.scale", scale), zero
