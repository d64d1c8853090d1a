"""What `farthing bench` asks of a fresh process, and what that answers: JSON files of these classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from farthing.bench.cost import Spent
from farthing.core.schema import record
from farthing.core.types import Pairs

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Message = TypeVar("_Message")


@dataclass(frozen=True, slots=True)
class Request:
    """What to measure of one metric.

    :param texts: the file of the texts, see :func:`write_texts`
    :param part: how many of the segments are used for batch sizes, steps and tricks
    :param batches: how many segments the metric is given at a time, one pass for each number
    :param systems: how many systems are scored together, one pass for each number
    :param steps: measure how long each step takes
    :param tricks: measure the engine without sorting, and with the cache
    :param scratch: a folder for the cache
    """

    spec: str
    texts: str
    part: int
    batches: tuple[int, ...]
    systems: tuple[int, ...]
    steps: bool
    tricks: bool
    scratch: str


@dataclass(frozen=True, slots=True)
class PassCost:
    """What one pass over some outputs cost."""

    name: str
    outputs: int
    cost: Spent


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one metric in one process.

    :param load: until the first segment has its score
    :param cold: the first pass over all segments
    :param warm: the second one
    :param cpu: seconds of all cores since the process began, up to the end of the first pass
    :param memory: bytes of the process at their peak, up to the end of the first pass
    :param device_memory: the same on a GPU
    :param signature: the fields of the signature of the scores
    :param steps: the passes over a part of the segments, by step
    """

    load: Spent
    cold: Spent
    warm: Spent
    cpu: float
    memory: int
    device_memory: int | None
    scores: tuple[float, ...]
    higher_is_better: bool
    signature: Mapping[str, str]
    batches: tuple[PassCost, ...] = ()
    steps: tuple[PassCost, ...] = ()
    tricks: tuple[PassCost, ...] = ()
    notes: tuple[str, ...] = ()


def write_message(path: Path, message: DataclassInstance) -> None:
    """Write a request or an answer, which is a dataclass."""
    path.write_text(json.dumps(asdict(message)), encoding="utf-8")


def read_message(path: Path, shape: type[_Message]) -> _Message:
    """Read a request or an answer."""
    return record(shape, json.loads(path.read_text(encoding="utf-8")), str(path))


def write_texts(path: Path, pairs: Pairs) -> None:
    """Write pairs for another process."""
    sources = None if pairs.sources is None else list(pairs.sources)
    content = {
        "candidates": list(pairs.candidates),
        "references": [list(row) for row in pairs.references],
        "sources": sources,
    }
    path.write_text(json.dumps(content), encoding="utf-8")


def read_texts(path: Path) -> Pairs:
    """Read pairs that another process wrote."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return Pairs(content["candidates"], content["references"], content["sources"])
