"""What an ONNX graph holds, read from the file itself: no onnx package, and no session, is needed.

A file of protocol buffers is a row of fields, each with a number and a value: a number, or bytes that may hold fields
in turn. Of onnx.proto, only the numbers below matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

from farthing.core.errors import ModelError

GRAPH = 7  # of the model
NODE, TENSOR = 1, 5  # of the graph; its tensors are the weights
OPERATOR = 4  # of a node
DIMENSION = 1  # of a tensor
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5  # the kinds of values
_HIGH, _LOW = 0x80, 0x7F  # of each byte of a number: whether more bytes follow, and its share


@dataclass(frozen=True, slots=True)
class GraphFacts:
    """What can be counted in a graph.

    :param layers: how often it attends from token to token, once per layer of a transformer
    :param parameters: the numbers in its weights
    """

    layers: int
    parameters: int


def graph_facts(path: Path) -> GraphFacts:
    """Count the layers and the weights of an ONNX graph."""
    try:
        [graph] = [value for number, value in _fields(path.read_bytes()) if number == GRAPH]
        parts = [(number, value) for number, value in _fields(_bytes(graph)) if number in (NODE, TENSOR)]
        operators = [_operator(_bytes(value)) for number, value in parts if number == NODE]
        sizes = [_size(_bytes(value)) for number, value in parts if number == TENSOR]
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise ModelError(f"{path} is not an ONNX graph: {error}") from error
    fused = sum("Attention" in name for name in operators)
    return GraphFacts(fused + operators.count("Softmax"), sum(sizes))  # what was not fused has a softmax of its own


def _fields(data: memoryview | bytes) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the number and the value of each field."""
    view, at = memoryview(data), 0
    while at < len(view):
        key, at = _number(view, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = _number(view, at)
            yield key >> 3, value
            continue
        if kind == _BYTES:
            length, at = _number(view, at)
        elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
            length = 8 if kind == _EIGHT_BYTES else 4
        else:
            raise ValueError(f"unknown kind of field {kind}")
        if at + length > len(view):
            raise ValueError("the file ends within a field")
        yield key >> 3, view[at : at + length]
        at += length


def _number(view: memoryview, at: int) -> tuple[int, int]:
    """Read a number of seven bits per byte, and the place after it."""
    value = shift = 0
    while True:
        byte = view[at]
        at += 1
        value |= (byte & _LOW) << shift
        shift += 7
        if not byte & _HIGH:
            return value, at


def _bytes(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise TypeError("a number where fields should be")
    return value


def _operator(node: memoryview) -> str:
    return next((bytes(_bytes(value)).decode() for number, value in _fields(node) if number == OPERATOR), "")


def _size(tensor: memoryview) -> int:
    """How many numbers a tensor holds; its dimensions are numbers, or packed into bytes."""
    sizes: list[int] = []
    for number, value in _fields(tensor):
        if number == DIMENSION and isinstance(value, int):
            sizes.append(value)
        elif number == DIMENSION:
            at, packed = 0, _bytes(value)
            while at < len(packed):
                size, at = _number(packed, at)
                sizes.append(size)
    return prod(sizes)
