"""Kept verdicts survive a process that was killed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import OutputError
from farthing.judge.budget import Cost
from farthing.judge.reply import JudgeQuestion, Reply
from farthing.judge.store import JudgeIdentity, VerdictStore

IDENTITY = JudgeIdentity("host", "org/model:1", "direct", "abc", {"temperature": 0.0})
QUESTION = JudgeQuestion("k1", {"candidate": "a", "reference": "b"}, ({"role": "user", "content": "?"},))


def test_answers_are_read_again(tmp_path: Path) -> None:
    VerdictStore(tmp_path / "new", IDENTITY).add(QUESTION, Reply("85", (("85", -0.5),), 3, 1), 85.0)
    again = VerdictStore(tmp_path / "new", IDENTITY)
    assert again.answer("k1") == Reply("85", (("85", -0.5),))
    assert again.answer("k2") is None
    [line] = [json.loads(text) for text in again.path.read_text(encoding="utf-8").splitlines()]
    assert (line["candidate"], line["reference"], line["score"], line["judge_model"]) == ("a", "b", 85.0, "org/model:1")
    assert again.path.name.startswith("org-model-1-direct-")


def test_half_a_line_is_left_behind(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path, IDENTITY)
    store.add(QUESTION, Reply("85"), 85.0)
    with store.path.open("a", encoding="utf-8") as stream:
        stream.write('{"key": "k2", "ans')
    again = VerdictStore(tmp_path, IDENTITY)
    again.add(JudgeQuestion("k3", {"candidate": "c"}), Reply("3"), 3.0)
    last = VerdictStore(tmp_path, IDENTITY)
    assert [last.answer(key) is not None for key in ("k1", "k2", "k3")] == [True, False, True]


def test_calls_are_counted_by_run_even_if_their_end_is_unknown(tmp_path: Path) -> None:
    store = VerdictStore(tmp_path, IDENTITY)
    store.begin_call("run", "1", Cost(1, 100, 10))
    store.end_call("run", "1", Cost(1, 20, 1))
    store.begin_call("run", "2", Cost(1, 100, 10))
    store.begin_call("other", "1", Cost(1, 5, 5))
    assert VerdictStore(tmp_path, IDENTITY).spent("run") == Cost(2, 120, 11)


def test_keys_tell_judges_texts_and_samples_apart() -> None:
    other = JudgeIdentity("host", "org/model:1", "direct", "abd", {"temperature": 0.0})
    fields = {"candidate": "a"}
    keys = [IDENTITY.key(fields, 0), IDENTITY.key(fields, 1), IDENTITY.key({"candidate": "b"}, 0), other.key(fields, 0)]
    assert len({*keys}) == 4
    assert IDENTITY.key(fields, 0) == keys[0]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot keep verdicts"):
        VerdictStore(tmp_path / "file" / "inner", IDENTITY)
