"""Results of meta-evaluation as JSON documents: what `--format json` prints and `-o` writes for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from farthing.core.types import Note
from farthing.core.version import __version__
from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.points import ScatterPoints
from farthing.meta.robustness import Preference
from farthing.meta.robustness_study import AreaStudy, PreferenceStudy
from farthing.meta.roc import Area
from farthing.meta.scored import Scored
from farthing.meta.study import POOLED, Study, StudyCell

POINTS = 1000  # of each scatter plot that go into the document


def study_document(found: Study, kind: str, path: str, points: ScatterPoints, **more: object) -> dict[str, object]:
    """Return a study as plain values, with enough points to draw scatter plots."""
    metrics = [
        {
            **_metric(metric),
            "groups": {group: _cell(found.cells[metric.name][group]) for group in found.groups},
            "mean": found.mean(metric.name),
            "pooled": _cell(found.cells[metric.name][POOLED]) if POOLED in found.cells[metric.name] else None,
        }
        for metric in found.metrics
    ]
    p_values = {group: values.tolist() for group, values in found.p_values.items()}
    return {
        **_head(kind, path, found.human, found.notes),
        "question": asdict(found.question),
        **more,
        "groups": list(found.groups),
        "metrics": metrics,
        "p_values": p_values,
        "points": _points(points),
    }


def _head(kind: str, path: str, human: str, notes: Sequence[Note]) -> dict[str, object]:
    entries = [{"kind": note.kind, "message": note.message, "rows": list(note.rows[:100])} for note in notes]
    return {"farthing": __version__, "kind": kind, "data": path, "human": human, "notes": entries}


def _metric(metric: Scored) -> dict[str, object]:
    return {"name": metric.name, "signature": metric.signature, "higher_is_better": metric.higher_is_better}


def _cell(cell: StudyCell) -> dict[str, object]:
    found = cell.found
    about: dict[str, object] = {"value": None, "reason": cell.reason}
    if found is not None:
        about = {"value": found.value, "pairs": found.pairs, "rows": found.rows, "threshold": found.threshold}
    return {**about, "unbeaten": cell.unbeaten, "rank": cell.rank}


def _points(points: ScatterPoints) -> dict[str, object]:
    """Return at most `POINTS` of them, evenly spread over the data."""
    kept = np.flatnonzero(~np.isnan(points.human))
    kept = kept[np.linspace(0, len(kept) - 1, min(POINTS, len(kept))).astype(int)]
    metrics = {name: _plain(values[kept]) for name, values in points.metrics.items()}
    return {"human": _plain(points.human[kept]), "groups": [points.groups[row] for row in kept], "metrics": metrics}


def _plain(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def selection_document(found: SelectionStudy, path: str) -> dict[str, object]:
    """Return a selection study as plain values."""
    settings = {"hybrids": found.hybrids, "draws": found.draws, "drawn": found.drawn, "seed": found.seed}
    metrics = [
        {**_metric(m), "groups": {g: asdict(found.found[m.name][g]) for g in found.groups}} for m in found.metrics
    ]
    head = _head("meta-select", path, found.human, found.notes)
    return {**head, "settings": settings, "groups": list(found.groups), "metrics": metrics}


def preference_document(found: PreferenceStudy, path: str) -> dict[str, object]:
    """Return a study of preferences as plain values, with a few examples of each change."""
    checks = [
        {
            "name": check.name,
            "texts": len(check),
            "examples": [
                {"reference": check.references[i], "good": check.good[i], "bad": check.bad[i]}
                for i in range(min(3, len(check)))
            ],
        }
        for check in found.checks
    ]
    settings = {"good": found.good, "seed": found.seed}
    head = _head("meta-robustness", path, "", found.notes)
    return {**head, "settings": settings, "checks": checks, "metrics": _by_name(found.metrics, found.found, "checks")}


def area_document(found: AreaStudy, path: str) -> dict[str, object]:
    """Return a study of paraphrases as plain values."""
    head = _head("meta-paraphrases", path, found.human, found.notes)
    return {**head, "groups": list(found.groups), "metrics": _by_name(found.metrics, found.found, "groups")}


def _by_name(
    metrics: Sequence[Scored],
    found: Mapping[str, Mapping[str, Area]] | Mapping[str, Mapping[str, Preference]],
    key: str,
) -> list[dict[str, object]]:
    return [{**_metric(m), key: {name: asdict(one) for name, one in found[m.name].items()}} for m in metrics]
