"""Known verdicts by their texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.judge.replay import Replay, judged_rows, value_at
from farthing.judge.reply import JudgeQuestion, RowRefused

ROWS = [
    {"candidate": "a", "reference": "r", "source": "s", "judges": {"x": 5.0}},
    {"candidate": "a", "reference": "r2", "source": "s2", "judges": {"x": 7}},
    {"candidate": "b", "reference": "r", "source": "s", "judges": {"x": None}},
]


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "verdicts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


def ask(replay: Replay, **fields: str) -> str:
    return replay.ask(JudgeQuestion("key", fields)).text


def test_verdicts_are_found_by_their_texts(table: str) -> None:
    replay = Replay(table, "judges.x")
    assert ask(replay, candidate="a", reference="r2", references="r2", source="s2") == "7.0"
    assert ask(replay, candidate="a", reference="r") == "5.0"
    assert ask(replay, candidate="a", source="s2") == "7.0"
    with pytest.raises(RowRefused, match="no verdict"):
        ask(replay, candidate="b", reference="r", source="s")
    replay.close()


def test_a_table_without_scores_is_refused(table: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column of scores"):
        Replay(table)
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"candidate": "a", "reference": "r", "score": "good"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no number"):
        list(judged_rows(str(odd)))


def test_cells_within_objects() -> None:
    assert value_at({"a": {"b": 1}, "a.b": 2}, "a.b") == 2
    assert value_at({"a": 1}, "a.b") is None
