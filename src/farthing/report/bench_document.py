"""Results of a bench as one JSON document, whose form `bench/schema.json` describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files

from farthing.bench.bench import BenchResult
from farthing.bench.estimate import ASSUMPTIONS, FORMULA
from farthing.bench.rows import BenchRow
from farthing.core.version import __version__

KIND = "bench"


def bench_document(found: BenchResult) -> dict[str, object]:
    """Return everything that was measured, as values that JSON can hold."""
    plan = found.plan
    return {
        "farthing": __version__,
        "kind": KIND,
        "machine": asdict(found.machine),
        "plan": asdict(plan),
        "estimate": {"formula": FORMULA, "assumptions": ASSUMPTIONS, "grid": plan.grid},
        "data": [
            {"name": one.name, "segments": len(one), "human": one.human, "notes": list(one.notes)} for one in found.data
        ],
        "rows": [_row(row) for row in found.rows],
        "fronts": [
            {"data": data.name, "cost": cost, "labels": [row.label for row in found.front(data.name, cost)]}
            for data in found.data
            for cost in ("time", "memory")
        ],
        "training": [asdict(row) for row in found.training],
    }


def _row(row: BenchRow) -> dict[str, object]:
    return {**asdict(row), "quality": row.quality, "seconds": row.seconds}


def bench_schema() -> Mapping[str, object]:
    """Return the JSON schema of the document."""
    schema: Mapping[str, object] = json.loads((files("farthing.bench") / "schema.json").read_text(encoding="utf-8"))
    return schema
