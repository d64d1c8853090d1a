"""What a model's folder holds, without loading the model."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

from farthing.core.digest import digest_files
from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.folder.graph import graph_facts
from farthing.encoders.folder.layout import ModelFolder
from farthing.encoders.load import BACKENDS, Backend, backend_of
from farthing.encoders.tokens.tokenize import Tokenizer

_LAYER = re.compile(r"(?:^|\.)layers?\.(\d+)\.")  # in the name of a weight: the layer that it belongs to
# All that reading a header of arbitrary bytes can raise.
_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, MemoryError, struct.error)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The facts that `farthing models info` shows."""

    folder: Path
    backend: Backend
    family: str
    layers: int
    dimension: int | None
    parameters: int | None
    bytes: int
    precision: str
    weights: str
    tokenizer: str
    longest: int | None


def describe(folder: Path) -> ModelFacts:
    """Read a folder's facts."""
    model, backend = ModelFolder(folder), backend_of(folder)
    if backend == "embedded":
        return _embedded_facts(EmbeddedEncoder(folder, folder.name))
    files, tokenizer = BACKENDS.get(backend).files(folder), Tokenizer(folder)
    countable = all(file.suffix == ".safetensors" for file in files)
    return ModelFacts(
        folder=folder,
        backend=backend,
        family=model.family,
        layers=model.layers,
        dimension=model.dimension,
        parameters=sum(map(parameter_count, files)) if countable else _graph_parameters(files),
        bytes=sum(file.stat().st_size for file in files),
        precision=model.precision,
        weights=digest_files(files),
        tokenizer=tokenizer.hash,
        longest=None if backend == "static" else tokenizer.limit,
    )


def _graph_parameters(files: Sequence[Path]) -> int | None:
    """Count the weights of ONNX graphs; None for other files."""
    graphs = all(file.suffix == ".onnx" for file in files)
    return sum(graph_facts(file).parameters for file in files) if graphs else None


def _embedded_facts(encoder: EmbeddedEncoder) -> ModelFacts:
    """Read the facts of a student's encoder, which only the opened graph or table states."""
    return ModelFacts(
        folder=encoder.folder,
        backend=encoder.backend,
        family=encoder.kind,
        layers=len(encoder.layers),
        dimension=encoder.dimension,
        parameters=parameter_count(encoder.path)
        if encoder.path.suffix == ".safetensors"
        else _graph_parameters(encoder.used),
        bytes=sum(path.stat().st_size for path in encoder.used),
        precision=encoder.precision,
        weights=encoder.weights_hash,
        tokenizer=encoder.tokenizer.hash,
        longest=encoder.tokenizer.limit,
    )


def parameter_count(path: Path, depth: int | None = None) -> int:
    """Count the numbers in a safetensors file, from its header alone.

    :param depth: count only so many of the layers, besides what is not part of a layer, such as the embeddings
    """
    try:
        with path.open("rb") as stream:
            (size,) = struct.unpack("<Q", stream.read(8))
            header = json.loads(stream.read(size))
        return sum(_sizes(header, depth))
    except (
        OSError,
        ValueError,
        struct.error,
        KeyError,
        TypeError,
        AttributeError,
        MemoryError,
        OverflowError,
    ) as error:
        raise ModelError(f"{path} is not a safetensors file: {error}") from error


def _sizes(header: Mapping[str, Mapping[str, list[int]]], depth: int | None) -> Iterator[int]:
    for name, entry in header.items():
        layer = _LAYER.search(name)
        above = layer is not None and depth is not None and int(layer[1]) >= depth
        if name != "__metadata__" and not above:
            yield prod(entry["shape"])
