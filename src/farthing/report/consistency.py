"""The consistency of a judge as a table and as a document."""

from __future__ import annotations

from dataclasses import asdict

from farthing.core.version import __version__
from farthing.meta.consistency import JudgeConsistency
from farthing.tables.grid import NumberTable


def consistency_table(found: JudgeConsistency) -> NumberTable:
    """Return one row per question."""
    position = found.position
    rows: list[tuple[str, list[float | None]]] = [
        ("correlation of two askings", [found.correlation]),
        ("standard deviation of a row's scores", [found.deviation]),
        ("rows with the same score every time", [found.equal]),
        ("correlation with people", [found.people]),
        ("correlation with the length of the text", [found.length]),
    ]
    if position is not None:
        rows += [
            ("first of two outputs preferred (0.5: no bias)", [position.first]),
            ("same output preferred in both orders", [position.consistent]),
        ]
    given = "" if found.people is None else " The correlation with the length is what is left given people's scores."
    asked = f"each asked {found.times} times" if found.times > 1 else "each asked once, so nothing tells how it varies"
    note = f"{found.rows} rows, {asked}.{given}"
    return NumberTable("judge", ["value"], rows, notes=["", note])


def consistency_document(found: JudgeConsistency, path: str) -> dict[str, object]:
    """Return everything as plain values."""
    return {"farthing": __version__, "kind": "meta-consistency", "data": path, **asdict(found)}
