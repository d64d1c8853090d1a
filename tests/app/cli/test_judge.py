"""`farthing judge` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli.judge import judge
from farthing.app.cli.typed import run
from farthing.core.errors import UsageError


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    references = [f"this is sentence number {n} of the text" for n in range(60)]
    outputs = [f"this is {'sentence' if n % 3 else 'x'} number {n} of the text" for n in range(60)]
    Path("hyp.txt").write_text("\n".join(outputs), encoding="utf-8")
    Path("ref.txt").write_text("\n".join(references), encoding="utf-8")
    with Path("verdicts.jsonl").open("w", encoding="utf-8") as stream:
        for output, reference in zip(outputs, references, strict=True):
            score = 90 if "sentence" in output else 40
            stream.write(json.dumps({"candidate": output, "reference": reference, "score": score}) + "\n")
    return tmp_path


def typed(*arguments: str) -> str:
    return str(run(judge, ["hyp.txt", "-r", "ref.txt", "--student", "chrf", *arguments], "farthing judge"))


def test_a_run_prints_and_writes(files: Path) -> None:
    printed = typed("--judge", "judge(replay=verdicts.jsonl)", "--budget", "50%", "-o", "out.jsonl")
    assert "spent 30 calls" in printed
    rows = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 60
    assert {row["origin"] for row in rows} == {"judge", "student"}


def test_a_dry_run_estimates(files: Path) -> None:
    assert typed("--judge", "judge(replay=verdicts.jsonl)", "--dry-run").startswith("would spend 6 calls")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--judge", "chrf"), "is no judge"),
        (("--judge", "judge(replay=verdicts.jsonl)", "-o", "out.xyz"), "unknown kind of output"),
        (("--judge", "judge(replay=verdicts.jsonl)", "--most-money", "3"), "needs the price"),
    ],
)
def test_wrong_calls_are_one_sentence(files: Path, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        typed(*arguments)
