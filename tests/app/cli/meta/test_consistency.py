"""`farthing meta consistency` as it is typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from farthing.app.cli.meta.consistency import consistency
from farthing.app.cli.typed import run


def test_a_program_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("judge.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n"
        "    print(json.dumps({'id': q['id'], 'score': len(q['candidate'])}), flush=True)\n",
        "utf-8",
    )
    rows = [{"candidate": "x" * (n + 1), "reference": "r", "source": str(n), "score": n} for n in range(12)]
    Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    judge = f"judge(command=\"'{sys.executable}' judge.py\")"
    printed = str(run(consistency, ["data.jsonl", "--judge", judge, "--times", "2"], "consistency"))
    assert "correlation of two askings" in printed
    assert "12 rows, each asked 2 times." in printed
