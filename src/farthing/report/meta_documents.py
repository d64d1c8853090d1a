"""Results of meta-evaluation as one JSON document each: what `--format json` prints and `-o` keeps for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from farthing.core.types import Note
from farthing.core.version import __version__
from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.robustness_study import AreaStudy, PreferenceStudy
from farthing.meta.scored import Scored
from farthing.meta.study import POOLED, Cell, Points, Study

POINTS = 1000  # of each scatter plot that go into the document


def study_document(found: Study, kind: str, path: str, shown: Points, **more: Any) -> dict[str, Any]:
    """A study as plain values, with points enough to draw scatter plots."""
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
        "points": _points(shown),
    }


def _head(kind: str, path: str, human: str, notes: Sequence[Note]) -> dict[str, Any]:
    told = [{"kind": note.kind, "message": note.message, "rows": list(note.rows[:100])} for note in notes]
    return {"farthing": __version__, "kind": kind, "data": path, "human": human, "notes": told}


def _metric(metric: Scored) -> dict[str, Any]:
    return {"name": metric.name, "signature": metric.signature, "higher_is_better": metric.higher_is_better}


def _cell(cell: Cell) -> dict[str, Any]:
    found = cell.found
    about: dict[str, Any] = {"value": None, "reason": cell.reason}
    if found is not None:
        about = {"value": found.value, "pairs": found.pairs, "rows": found.rows, "threshold": found.threshold}
    return {**about, "unbeaten": cell.unbeaten, "rank": cell.rank}


def _points(shown: Points) -> dict[str, Any]:
    """At most `POINTS` of them, drawn evenly over the data."""
    kept = np.flatnonzero(~np.isnan(shown.human))
    kept = kept[np.linspace(0, len(kept) - 1, min(POINTS, len(kept))).astype(int)]
    metrics = {name: _plain(values[kept]) for name, values in shown.metrics.items()}
    return {"human": _plain(shown.human[kept]), "groups": [shown.groups[row] for row in kept], "metrics": metrics}


def _plain(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def selection_document(found: SelectionStudy, path: str) -> dict[str, Any]:
    """A selection study as plain values."""
    settings = {"hybrids": found.hybrids, "draws": found.draws, "drawn": found.drawn, "seed": found.seed}
    metrics = [
        {**_metric(m), "groups": {g: asdict(found.found[m.name][g]) for g in found.groups}} for m in found.metrics
    ]
    head = _head("meta-select", path, found.human, found.notes)
    return {**head, "settings": settings, "groups": list(found.groups), "metrics": metrics}


def preference_document(found: PreferenceStudy, path: str) -> dict[str, Any]:
    """A study of preferences as plain values, with a few examples of each change."""
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


def area_document(found: AreaStudy, path: str) -> dict[str, Any]:
    """A study of paraphrases as plain values."""
    head = _head("meta-paraphrases", path, found.human, found.notes)
    return {**head, "groups": list(found.groups), "metrics": _by_name(found.metrics, found.found, "groups")}


def _by_name(metrics: Sequence[Scored], found: Mapping[str, Mapping[str, Any]], key: str) -> list[dict[str, Any]]:
    return [{**_metric(m), key: {name: asdict(one) for name, one in found[m.name].items()}} for m in metrics]
