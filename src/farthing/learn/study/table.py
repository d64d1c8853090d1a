"""The paper's Table 1 for any teacher and students: agreement, runtime, size, and what the students retain."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.progress import Log, silent_log
from farthing.core.registry import load_pairs_metric
from farthing.core.specs import format_value
from farthing.core.types import Pairs
from farthing.encoders.folder.describe import parameter_count
from farthing.encoders.folder.locate import find_local
from farthing.files.write import write_text
from farthing.learn.data.humans import Judged, grouped_pearson
from farthing.students.facts import is_student, student_parameters
from farthing.students.layout import StudentFolder

WARM = 32  # pairs that are scored before the clock starts, so that loading does not count


@dataclass(frozen=True, slots=True)
class MetricMeasures:
    """One row of the table.

    :param human: Pearson's correlation with people by data set, averaged over its groups
    :param teacher: Pearson's correlation with the teacher by data set, averaged likewise
    :param seconds: CPU time to score all pairs, with tokenising, without loading
    :param parameters: those that are used: of an encoder of which a lower layer is read, not those above that layer
    """

    name: str
    role: str
    human: dict[str, float]
    teacher: dict[str, float]
    seconds: float
    parameters: int


@dataclass(frozen=True, slots=True)
class StudentSummary:
    """What a student retains: the share of the agreement with people, and how much cheaper it is."""

    name: str
    retained: float
    speed_up: float
    parameter_ratio: float


def measure_table(
    sets: Sequence[Judged],
    teacher: str,
    students: Sequence[str],
    others: Sequence[str] = (),
    log: Log = silent_log,
) -> list[MetricMeasures]:
    """Measure the teacher, its students and any other metrics on judged data.

    :param students: folders or specs of students
    """
    return measure_tables(sets, [teacher], students, others, log)[teacher]


def measure_tables(
    sets: Sequence[Judged],
    teachers: Sequence[str],
    students: Sequence[str],
    others: Sequence[str] = (),
    log: Log = silent_log,
) -> dict[str, list[MetricMeasures]]:
    """Measure several teachers, the same students and any other metrics: one table per teacher, all scored once."""
    if not sets or not students or not teachers:
        raise UsageError("the table needs judged data, a teacher and at least one student")
    learners = [_spec(one) for one in students]
    loaded = {spec: load_pairs_metric(spec) for spec in (*teachers, *learners, *others)}  # a wrong name is told first
    measured: dict[str, tuple[float, dict[str, Segments]]] = {}
    for spec, metric in loaded.items():
        log(f"scoring with {spec}")
        measured[spec] = _scored(metric, sets)

    def row(spec: str, role: str, teacher: str) -> MetricMeasures:
        (seconds, scores), reference = measured[spec], measured[teacher][1]
        human = {one.name: one.agreement(scores[one.name]) for one in sets}
        agreement = {one.name: grouped_pearson(reference[one.name], scores[one.name], one.groups) for one in sets}
        return MetricMeasures(spec, role, human, agreement, seconds, metric_parameters(loaded[spec]))

    roles = [*((one, "student") for one in learners), *((one, "metric") for one in others)]
    return {one: [row(one, "teacher", one), *(row(spec, role, one) for spec, role in roles)] for one in teachers}


def _spec(student: str) -> str:
    """A folder stands for the metric that loads it."""
    return f"frugalscore(model={format_value(student)})" if Path(student).is_dir() else student


def _scored(metric: Metric, sets: Sequence[Judged]) -> tuple[float, dict[str, Segments]]:
    """Return the seconds and the scores of every set, turned round if lower is better."""
    first = sets[0].pairs
    metric.score(Pairs(first.candidates[:WARM], first.references[:WARM]))
    sign = 1 if metric.info.higher_is_better else -1
    began = time.process_time()  # other programs on the machine do not count
    scores = {one.name: sign * np.asarray(metric.score(one.pairs).segments) for one in sets}
    return time.process_time() - began, scores


def summarise(rows: Sequence[MetricMeasures]) -> list[StudentSummary]:
    """Compute the three figures for every student, then their mean."""
    teacher = rows[0]
    students = [row for row in rows if row.role == "student"]
    summaries = [
        StudentSummary(
            row.name,
            float(np.mean([row.human[name] / teacher.human[name] for name in row.human])),
            teacher.seconds / row.seconds,
            teacher.parameters / row.parameters if row.parameters else float("inf"),
        )
        for row in students
    ]
    mean = [float(np.mean([getattr(one, part) for one in summaries])) for part in StudentSummary.__slots__[1:]]
    return summaries if len(summaries) < 2 else [*summaries, StudentSummary("mean", *mean)]


def metric_parameters(metric: Metric) -> int:
    """Count the parameters of a metric's model: those of a student, or those of the layers that are read."""
    name = getattr(metric, "folder", None) or getattr(metric, "model", None)
    folder = find_local(str(name)) if name else None
    if folder is None:
        return 0
    if is_student(folder):
        return _student_parameters(StudentFolder.read(folder))
    layers = getattr(metric, "layers", None)
    return sum(parameter_count(file, layers[-1] if layers else None) for file in folder.glob("*.safetensors"))


def _student_parameters(folder: StudentFolder) -> int:
    """Take what the folder says of itself, since an exported graph may hold weights in another form; else count."""
    told = folder.facts.get("parameters")
    return told if isinstance(told, int) else student_parameters(folder) or 0


def measure_rows(rows: Sequence[MetricMeasures]) -> list[dict[str, str]]:
    """Lay the measures out as a table, one row per metric."""
    return [
        {
            "": _short(row.name),
            "role": row.role,
            **{column: value for name in row.human for column, value in _agreements(row, name)},
            "seconds": f"{row.seconds:.2f}",
            "parameters": f"{row.parameters / 1e6:.1f}M",
        }
        for row in rows
    ]


def _agreements(row: MetricMeasures, name: str) -> list[tuple[str, str]]:
    people, teacher = f"{100 * row.human[name]:.1f}", f"{100 * row.teacher[name]:.1f}"
    return [(f"people:{name}", people), (f"teacher:{name}", teacher)]


def summary_rows(summaries: Sequence[StudentSummary]) -> list[dict[str, str]]:
    """Lay the summaries out as a table, one row per student."""
    return [
        {
            "student": _short(one.name),
            "performance retained": f"{100 * one.retained:.1f} %",
            "speed-up": f"{one.speed_up:.1f}x",
            "parameters": f"{one.parameter_ratio:.1f}x fewer",
        }
        for one in summaries
    ]


def _short(name: str) -> str:
    """Shorten a spec to the last part of its folder."""
    return name if "/" not in name else f"{name.partition('=')[0]}={name.rpartition('/')[2]}"


def write_measures(path: str | Path, *tables: Sequence[MetricMeasures]) -> None:
    """Write all measures and their summaries as a JSON file; `more` holds the tables of further teachers."""
    first, *more = [
        {"rows": [asdict(row) for row in rows], "summary": [asdict(one) for one in summarise(rows)]} for rows in tables
    ]
    write_text(path, json.dumps({**first, **({"more": more} if more else {})}, indent=2) + "\n")
