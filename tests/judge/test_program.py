"""A judge that is a program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.judge.program import Program
from farthing.judge.reply import JudgeError, JudgeQuestion, RowRefused, TryAgain

QUESTION = JudgeQuestion("key", {"candidate": "abc"}, ({"role": "user", "content": "Rate it"},))


def program(folder: Path, body: str) -> str:
    path = folder / "judge.py"
    path.write_text(
        f"import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n    {body}\n", encoding="utf-8"
    )
    return f"'{sys.executable}' -u '{path}'"


def say(value: str) -> str:
    return f"print(json.dumps({value}), flush=True)"


def test_answers_and_scores_are_read(tmp_path: Path) -> None:
    judge = Program(program(tmp_path, say('{"id": q["id"], "score": len(q["candidate"])}')))
    try:
        assert [judge.ask(QUESTION).text for _ in range(2)] == ["3", "3"]
    finally:
        judge.close()
    judge = Program(program(tmp_path, say('{"id": q["id"], "answer": q["prompt"] + "!"}')))
    try:
        assert judge.ask(QUESTION).text == "Rate it!"
    finally:
        judge.close()
        judge.close()


@pytest.mark.parametrize(
    ("body", "error", "sentence"),
    [
        (say('{"id": q["id"], "error": "too long"}'), RowRefused, "too long"),
        (say('{"id": q["id"]}'), TryAgain, "neither answer nor score"),
        ("print('noise', flush=True); print([1], flush=True)", TryAgain, "within 0.5 seconds"),
        ("sys.exit(1)", JudgeError, "ended before"),
    ],
)
def test_failures(tmp_path: Path, body: str, error: type[Exception], sentence: str) -> None:
    judge = Program(program(tmp_path, body), timeout=0.5 if sentence.startswith("within") else 30)
    try:
        with pytest.raises(error, match=sentence):
            judge.ask(QUESTION)
    finally:
        judge.close()


def test_programs_that_are_not_there() -> None:
    with pytest.raises(JudgeError, match="cannot be started"):
        Program("no-such-program-here").ask(QUESTION)
    with pytest.raises(JudgeError, match="empty"):
        Program("  ")
