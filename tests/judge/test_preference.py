"""Judges that compare two outputs, and their bias."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.core.errors import FarthingError
from farthing.core.types import Pairs
from farthing.judge.budget import Budget
from farthing.judge.metric import JudgeMetric
from farthing.judge.preference import PositionBias, output_pairs, position_bias, preference_judge

PAIRS = [({"source": "s"}, "long text", "short"), ({"source": "s"}, "a", "bb"), ({"source": "s"}, "x", "y")]


def bias(folder: Path, answer: str) -> PositionBias:
    script = folder / "judge.py"
    script.write_text(
        "import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n"
        f"    print(json.dumps({{'id': q['id'], 'answer': str({answer})}}), flush=True)\n",
        encoding="utf-8",
    )
    judge = JudgeMetric(command=f"'{sys.executable}' '{script}'", verdicts=str(folder / "kept"))
    comparing = preference_judge(judge, "preference")
    try:
        return position_bias(comparing, PAIRS, comparing.inquiry.purse(Budget()))
    finally:
        comparing.inquiry.asker.close()


def test_a_judge_that_always_takes_the_first(tmp_path: Path) -> None:
    assert bias(tmp_path, "1") == PositionBias(1.0, 0.0, 3)


def test_a_judge_that_takes_the_longer(tmp_path: Path) -> None:
    longer = "1 if len(q['first']) > len(q['second']) else 2 if len(q['first']) < len(q['second']) else 1.5"
    assert bias(tmp_path, longer) == PositionBias(0.5, 1.0, 3)


def test_pairs_are_different_outputs_of_one_segment() -> None:
    texts = Pairs(["a", "b", "b", "c"], [["r"]] * 4)
    assert [(one, two) for _, one, two in output_pairs(texts, ["1", "1", "1", "2"], 9)] == [("a", "b")]


def test_known_verdicts_and_wrong_prompts_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "v.jsonl"
    table.write_text('{"candidate": "a", "reference": "r", "score": 1}\n', encoding="utf-8")
    with pytest.raises(FarthingError, match="known verdicts cannot"):
        preference_judge(JudgeMetric(replay=str(table)), "preference")
    with pytest.raises(FarthingError, match="shows one output"):
        preference_judge(JudgeMetric(command="x", verdicts=str(tmp_path)), "direct")
