"""ONNX graphs that keep weights in other files: these must be beside the graph, wherever its file says they are.

A graph names such files itself, so a graph from elsewhere could name any file of this machine. The names are read from
the protobuf message without a library for it, which a base install does not have.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

from farthing.core.errors import ModelError

_LENGTH_GIVEN, _FIXED = 2, {1: 8, 5: 4}  # wire types of protobuf: bytes with their length; numbers of a fixed size
# Where tensors are: model.graph; then graph.initializer and graph.node.attribute.t, .tensors, .g and .graphs
_MODEL_GRAPH, _GRAPH_NODE, _GRAPH_TENSOR, _NODE_ATTRIBUTE = 7, 1, 5, 5
_ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS = (5, 10), (6, 11)
_TENSOR_EXTERNAL = 13  # tensor.external_data: entries of a key (1) and a value (2)


def check_graph(path: Path) -> None:
    """Raise an error if a graph names a file outside its own folder."""
    folder = path.parent.resolve()
    for name in external_files(path):
        plain = Path(name)
        inside = not plain.is_absolute() and (folder / plain).resolve().is_relative_to(folder)
        if not inside:
            raise ModelError(f"{path} names weights outside its folder ({name!r}), which are not read")


def external_files(path: Path) -> set[str]:
    """Return the names of the files that hold a graph's weights besides its own; a broken graph names none."""
    if not path.is_file() or not path.stat().st_size:
        return set()
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            return set(_in_model(content))
        except (IndexError, UnicodeDecodeError):  # onnxruntime says what is wrong with it
            return set()


def _in_model(content: mmap.mmap) -> Iterator[str]:
    for number, start, end in _fields(content, 0, len(content)):
        if number == _MODEL_GRAPH:
            yield from _in_graph(content, start, end)


def _in_graph(content: mmap.mmap, start: int, end: int) -> Iterator[str]:
    for number, first, last in _fields(content, start, end):
        if number == _GRAPH_TENSOR:
            yield from _in_tensor(content, first, last)
        elif number == _GRAPH_NODE:
            for inner, begin, stop in _fields(content, first, last):
                if inner == _NODE_ATTRIBUTE:
                    yield from _in_attribute(content, begin, stop)


def _in_attribute(content: mmap.mmap, start: int, end: int) -> Iterator[str]:
    for number, first, last in _fields(content, start, end):
        if number in _ATTRIBUTE_TENSORS:
            yield from _in_tensor(content, first, last)
        elif number in _ATTRIBUTE_GRAPHS:
            yield from _in_graph(content, first, last)


def _in_tensor(content: mmap.mmap, start: int, end: int) -> Iterator[str]:
    for number, first, last in _fields(content, start, end):
        if number == _TENSOR_EXTERNAL:
            entry = {inner: content[begin:stop] for inner, begin, stop in _fields(content, first, last)}
            if entry.get(1) == b"location":
                yield entry.get(2, b"").decode()


def _fields(content: mmap.mmap, place: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield the number, start and end of every field that holds bytes; the others are passed over."""
    while place < end:
        key, place = _number(content, place)
        kind = key & 7
        if kind == _LENGTH_GIVEN:
            size, place = _number(content, place)
            yield key >> 3, place, place + size
            place += size
        elif kind in _FIXED:
            place += _FIXED[kind]
        else:
            _, place = _number(content, place)


def _number(content: mmap.mmap, place: int) -> tuple[int, int]:
    """Read a number of variable length; return it and the place after it."""
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
