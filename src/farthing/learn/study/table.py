"""The paper's Table 1 for any teacher and students: agreement, runtime, size, and what the students keep."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import format_value
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import find_local
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.data.humans import Judged, grouped_pearson

WARM = 32  # pairs that are scored before the clock starts, so that loading does not count


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of the table.

    :param human: Pearson with people by data set, averaged over its groups
    :param teacher: Pearson with the teacher by data set, averaged likewise
    :param seconds: to score all pairs, tokenising included, loading not
    """

    name: str
    role: str
    human: dict[str, float]
    teacher: dict[str, float]
    seconds: float
    parameters: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a student keeps: the share of the agreement with people, and how much cheaper it is."""

    name: str
    retained: float
    speed_up: float
    parameter_ratio: float


def measure_table(
    sets: Sequence[Judged],
    teacher: str,
    students: Sequence[str],
    others: Sequence[str] = (),
    say: Callable[[str], None] = lambda text: None,
) -> list[Measured]:
    """Measure the teacher, its students and any other metrics on judged data.

    :param students: folders or specs of students
    """
    if not sets or not students:
        raise UsageError("the table needs judged data and at least one student")
    roles = [(teacher, "teacher"), *((_spec(one), "student") for one in students), *((one, "metric") for one in others)]
    known: dict[str, np.ndarray] = {}
    rows = []
    for spec, role in roles:
        say(f"scoring with {spec}")
        metric = load_pairs_metric(spec)
        seconds, scores = _scored(metric, sets)
        known = known or scores
        rows.append(_row(spec, role, metric, seconds, scores, known, sets))
    return rows


def _spec(student: str) -> str:
    """A folder stands for the metric that loads it."""
    return f"frugalscore(model={format_value(student)})" if Path(student).is_dir() else student


def _scored(metric: Any, sets: Sequence[Judged]) -> tuple[float, dict[str, np.ndarray]]:
    first = sets[0].pairs
    metric.score(Pairs(first.candidates[:WARM], first.references[:WARM]))
    sign = 1 if metric.info.higher_is_better else -1
    began = time.perf_counter()
    found = {one.name: sign * np.asarray(metric.score(one.pairs).segments) for one in sets}
    return time.perf_counter() - began, found


def _row(
    spec: str,
    role: str,
    metric: Any,
    seconds: float,
    scores: dict[str, np.ndarray],
    teacher: dict[str, np.ndarray],
    sets: Sequence[Judged],
) -> Measured:
    human = {one.name: one.agreement(scores[one.name]) for one in sets}
    agreement = {one.name: grouped_pearson(teacher[one.name], scores[one.name], one.groups) for one in sets}
    return Measured(spec, role, human, agreement, seconds, parameters(metric))


def summarise(rows: Sequence[Measured]) -> list[Summary]:
    """The three figures for every student, then their mean."""
    teacher = rows[0]
    students = [row for row in rows if row.role == "student"]
    found = [
        Summary(
            row.name,
            float(np.mean([row.human[name] / teacher.human[name] for name in row.human])),
            teacher.seconds / row.seconds,
            teacher.parameters / row.parameters if row.parameters else float("inf"),
        )
        for row in students
    ]
    mean = [float(np.mean([getattr(one, part) for one in found])) for part in Summary.__slots__[1:]]
    return found if len(found) < 2 else [*found, Summary("mean", *mean)]


def parameters(metric: Any) -> int:
    """How many numbers a metric's model has: from a student's own notes, or from the heads of its weight files."""
    name = getattr(metric, "folder", None) or getattr(metric, "model", None)
    folder = find_local(name) if name else None
    if folder is None:
        return 0
    told = read_json(folder / "config.json", missing_ok=True).get("farthing", {}).get("parameters")
    return int(told) if told else sum(_count(path) for path in folder.glob("*.safetensors"))


def _count(path: Path) -> int:
    with path.open("rb") as stream:
        size = struct.unpack("<Q", stream.read(8))[0]
        head = json.loads(stream.read(size))
    shapes = [value["shape"] for name, value in head.items() if name != "__metadata__" and "position_ids" not in name]
    return sum(int(np.prod(shape)) for shape in shapes)
