"""What a model's folder holds, told without loading the model."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path

from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.backends.onnx import FILE
from farthing.encoders.load import Backend, backend_of, is_static
from farthing.encoders.protocol import file_hash, layer_count
from farthing.encoders.tokens.tokenize import Tokenizer, read_json


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The facts of `farthing models info`."""

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
    config = read_json(folder / "config.json")
    backend = backend_of(folder)
    if backend == "embedded":
        return _embedded_facts(EmbeddedEncoder(folder))
    files = [folder / FILE] if backend == "onnx" else sorted(folder.glob("*.safetensors"))
    tokenizer = Tokenizer(folder)
    static = is_static(folder)
    dimension = config.get("hidden_dim") if static else config.get("hidden_size") or config.get("d_model")
    return ModelFacts(
        folder=folder,
        backend=backend,
        family=str(config.get("model_type", "unknown")),
        layers=0 if static else layer_count(config) or 0,
        dimension=dimension if isinstance(dimension, int) else None,
        parameters=None if backend == "onnx" else sum(map(parameter_count, files)),
        bytes=sum(file.stat().st_size for file in files),
        precision=str(read_json(folder / "farthing.json", missing_ok=True).get("precision", "fp32")),
        weights=file_hash(*files),
        tokenizer=tokenizer.hash,
        longest=None if static else tokenizer.limit,
    )


def _embedded_facts(encoder: EmbeddedEncoder) -> ModelFacts:
    return ModelFacts(
        folder=encoder.folder,
        backend="embedded",
        family=encoder.kind,
        layers=len(encoder.layers),
        dimension=encoder.dimension,
        parameters=None if encoder.path.suffix == ".onnx" else parameter_count(encoder.path),
        bytes=encoder.path.stat().st_size,
        precision=encoder.precision,
        weights=encoder.weights_hash,
        tokenizer=encoder.tokenizer.hash,
        longest=encoder.tokenizer.limit,
    )


def parameter_count(path: Path) -> int:
    """How many numbers a safetensors file holds, from its header alone."""
    try:
        with path.open("rb") as stream:
            (size,) = struct.unpack("<Q", stream.read(8))
            header = json.loads(stream.read(size))
        return sum(_sizes(header))
    except (OSError, ValueError, struct.error, KeyError, TypeError, MemoryError, OverflowError) as error:
        raise ModelError(f"{path} is not a safetensors file: {error}") from error


def _sizes(header: dict[str, dict[str, list[int]]]) -> Iterator[int]:
    return (prod(entry["shape"]) for name, entry in header.items() if name != "__metadata__")
