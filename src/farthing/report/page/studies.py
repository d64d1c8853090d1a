"""Agreement with people, and quality against cost: from documents that other commands wrote, or from labels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from farthing.core.errors import InputError
from farthing.core.types import Pairs
from farthing.meta.coefficients import kendall, pearson, spearman
from farthing.report.page.charts import human_chart, pareto_chart
from farthing.report.page.content import ReportContent
from farthing.report.page.svg import Point
from farthing.tables.grid import NumberTable

_Document = Mapping[str, object]
STUDIES = ("meta-correlate", "meta-hybrids")
COSTS = {"time": "ms per segment", "memory": "peak memory, MB"}
_POINTS = 1000  # of a scatter plot


@dataclass(frozen=True, slots=True)
class StudySection:
    """A table and its charts."""

    title: str
    table: NumberTable
    charts: Sequence[str] = ()


def read_document(path: Path) -> _Document:
    """Read what `farthing bench -o` or `farthing meta correlate -o` wrote."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read as JSON: {error}", path=str(path)) from error
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind not in (*STUDIES, "bench"):
        raise InputError(
            "is not a document that a report shows", path=str(path),
            remedy="give runs (farthing score -o RUN/) and what farthing bench -o or farthing meta correlate -o wrote",
        )  # fmt: skip
    return cast(_Document, document)


def document_sections(document: _Document) -> list[StudySection]:
    """Return the sections of one document."""
    return _bench(document) if document["kind"] == "bench" else [_study(document)]


def _study(document: _Document) -> StudySection:
    groups = cast("list[str]", document["groups"])
    metrics = cast("list[dict[str, dict[str, dict[str, float | None]]]]", document["metrics"])
    pooled = len(groups) > 1 and any(one["pooled"] for one in metrics)
    columns = [*groups, *(["mean"] if len(groups) > 1 else []), *(["pooled"] if pooled else [])]
    rows, marked = [], set()
    for place, metric in enumerate(metrics):
        cells = [metric["groups"][group] for group in groups]
        values = [cell["value"] for cell in cells]
        values += [cast("float | None", metric["mean"])] if len(groups) > 1 else []
        values += [cast("dict[str, float]", metric["pooled"] or {}).get("value")] if pooled else []
        marked |= {(place, column) for column, cell in enumerate(cells) if cell["unbeaten"]}
        rows.append((str(metric["name"]), values))
    question = cast("dict[str, object]", document["question"])
    bold = "; bold: not beaten by another metric" if marked else ""
    note = f"{question['statistic']} with the human scores {document['human']!r}{bold}."
    points = cast("dict[str, list[float | None]]", document["points"])
    drawn = cast("dict[str, list[float | None]]", points["metrics"])
    charts = [human_chart(name, points["human"], values) for name, values in drawn.items()]
    title = f"Agreement with people: {Path(str(document['data'])).name}"
    return StudySection(title, NumberTable("metric", columns, rows, frozenset(marked), [note]), charts)


def _bench(document: _Document) -> list[StudySection]:
    rows = cast("list[dict[str, object]]", document["rows"])
    fronts = cast("list[dict[str, object]]", document["fronts"])
    statistic = str(cast("dict[str, object]", document["plan"])["statistic"])
    names = list(dict.fromkeys(str(row["data"]) for row in rows))
    return [_bench_section(name, [row for row in rows if row["data"] == name], fronts, statistic) for name in names]


def _bench_section(
    data: str, rows: Sequence[Mapping[str, object]], fronts: Sequence[Mapping[str, object]], statistic: str
) -> StudySection:
    costs = {str(row["label"]): (1e3 * cast(float, row["seconds"]), _median(row["memory"]) / 1e6) for row in rows}
    quality = {str(row["label"]): cast("float | None", row["quality"]) for row in rows}
    listed = [(label, [quality[label], *costs[label]]) for label in costs]
    table = NumberTable("metric", [statistic, *COSTS.values()], listed, places=[3, 3, 1])
    charts = []
    for place, (cost, name) in enumerate(COSTS.items()):
        points: dict[str, Point] = {
            label: (both[place], value) for label, both in costs.items() if (value := quality[label]) is not None
        }
        front = [one["labels"] for one in fronts if (one["data"], one["cost"]) == (data, cost)]
        if points:
            title = f"{statistic} with people against {cost}; the line joins what nothing beats in both"
            charts.append(
                pareto_chart(points, cast("list[list[str]]", front)[0] if front else [], name, statistic, title)
            )
    return StudySection(f"Quality and cost: {data}", table, charts)


def _median(spread: object) -> float:
    return cast("dict[str, float]", spread)["median"]


def judged_section(content: ReportContent, path: str, human: str | None = None) -> StudySection:
    """Return how well each measure agrees with the labels of a table, over all outputs that have one."""
    from farthing.judge.labels import joined_labels, read_labels

    found = joined_labels(list(content.texts), list(read_labels(path, human)), path)
    labels = np.concatenate(found.labels)
    rows: list[tuple[str, list[float | None]]] = []
    charts = []
    for measure in content.segment_measures():
        scores = np.concatenate([_segments(content, pairs, measure.label) for pairs in content.texts])
        both = np.isfinite(labels) & np.isfinite(scores)
        values = [float(one(labels[None, both], scores[None, both])[0]) for one in (pearson, spearman, kendall)]
        rows.append((measure.label, [*map(_defined, values), float(both.sum())]))
        some = np.flatnonzero(both)
        some = some[np.linspace(0, len(some) - 1, min(_POINTS, len(some))).astype(int)]
        charts.append(human_chart(measure.label, labels[some].tolist(), scores[some].tolist()))
    table = NumberTable("metric", ["pearson", "spearman", "kendall", "outputs"], rows, places=[3, 3, 3, 0])
    return StudySection(f"Agreement with people: {Path(path).name}", table, charts)


def _segments(content: ReportContent, pairs: Pairs, label: str) -> np.ndarray:
    score = content.scores.get((pairs.system, label))
    return np.full(len(pairs), np.nan) if score is None or score.segments is None else np.asarray(score.segments)


def _defined(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
