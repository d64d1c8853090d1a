"""`farthing meta label-next` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli.meta.label_next import label_next
from farthing.app.cli.score import score
from farthing.app.cli.typed import run


def test_the_loop_of_labelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hyp.txt").write_text("\n".join(f"the {'cat' if n % 4 else 'x'} number {n}" for n in range(80)), "utf-8")
    Path("ref.txt").write_text("\n".join(f"the cat number {n}" for n in range(80)), "utf-8")
    texts = ["hyp.txt", "-r", "ref.txt", "-m", "chrf"]
    printed = run(label_next, [*texts, "--count", "20", "-o", "few.jsonl"], "label-next")
    assert "written to few.jsonl" in str(printed)
    rows = [json.loads(line) for line in Path("few.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        row["score"] = 1 if "cat" in row["candidate"] else 0
    Path("few.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    again = run(label_next, [*texts, "--judgements", "few.jsonl", "--count", "5", "--interval", "0.3"], "label-next")
    assert "an interval of 0.3 needs about" in str(again)
    told = str(run(score, [*texts, "--judgements", "few.jsonl"], "score"))
    assert "mean of the labels" in told
    assert "helped by" in told
