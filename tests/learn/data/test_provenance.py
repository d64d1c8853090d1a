"""The teacher and its licence follow the scores."""

from __future__ import annotations

import json
from pathlib import Path

from farthing.learn.data.provenance import judge_notes, teacher_facts
from farthing.learn.data.store import PairTable, write_pairs


def test_a_non_commercial_teacher_is_warned_of(tmp_path: Path) -> None:
    columns = {"candidate": ["a"], "reference": ["b"], "score": [1.0]}
    write_pairs(tmp_path / "free.parquet", PairTable(columns, {"teacher": "chrf", "licence": "Apache-2.0"}))
    write_pairs(
        tmp_path / "bound.parquet", PairTable(columns, {"teacher": "comet(model=x)", "licence": "cc-by-nc-4.0"})
    )
    said: list[str] = []
    (tmp_path / "human.csv").write_text("candidate,reference,score\na,b,1\n", encoding="utf-8")
    free = teacher_facts([str(tmp_path / "free.parquet"), str(tmp_path / "human.csv")], said.append)
    assert free == {"teacher": "chrf", "teacher_licence": "Apache-2.0"}
    assert said == []
    both = teacher_facts([str(tmp_path / f"{name}.parquet") for name in ("free", "bound")], said.append)
    assert both["non_commercial"] is True
    assert both["teacher_licence"] == "Apache-2.0 + cc-by-nc-4.0"
    assert "allows no commercial use" in said[0]
    assert teacher_facts([str(tmp_path / "human.csv")], said.append, "GPT-X") == {"teacher": "GPT-X"}


def test_kept_verdicts_name_the_judge(tmp_path: Path) -> None:
    row = {"candidate": "a", "reference": "b", "score": 1, "judge_model": "m", "judge_prompt": "p"}
    path = tmp_path / "kept.jsonl"
    lines = [json.dumps({**row, "judge_date": f"2026-01-0{day}"}) for day in (3, 1)]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert teacher_facts([str(path)], print) == {"teacher": "judge m, prompt p, 2026-01-01 to 2026-01-03"}
    path.write_text(lines[0], encoding="utf-8")
    assert judge_notes(str(path)) == {"teacher": "judge m, prompt p, 2026-01-03"}
