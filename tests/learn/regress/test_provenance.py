"""The teacher and its licence follow the scores."""

from __future__ import annotations

from pathlib import Path

from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.regress.provenance import teacher_facts


def test_a_non_commercial_teacher_is_warned_of(tmp_path: Path) -> None:
    columns = {"candidate": ["a"], "reference": ["b"], "score": [1.0]}
    write_pairs(tmp_path / "free.parquet", PairTable(columns, {"teacher": "chrf", "licence": "Apache-2.0"}))
    write_pairs(
        tmp_path / "bound.parquet", PairTable(columns, {"teacher": "comet(model=x)", "licence": "cc-by-nc-4.0"})
    )
    said: list[str] = []
    free = teacher_facts([str(tmp_path / "free.parquet"), "human.csv"], said.append)
    assert free == {"teacher": "chrf", "teacher_licence": "Apache-2.0"}
    assert said == []
    both = teacher_facts([str(tmp_path / f"{name}.parquet") for name in ("free", "bound")], said.append)
    assert both["non_commercial"] is True
    assert both["teacher_licence"] == "Apache-2.0 + cc-by-nc-4.0"
    assert "allows no commercial use" in said[0]
