"""The metric `judge` through the usual doors."""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farthing
from farthing.core.errors import FarthingError
from farthing.core.types import Pairs
from farthing.judge.metric import JudgeMetric, filled_scores
from farthing.judge.reply import JudgeVerdict

Start = Callable[..., Any]
PAIRS = Pairs([f"text #{n}#" for n in range(6)], [["ref"]] * 6)


def spec(server: Any, folder: Path, more: str = "") -> str:
    return f'judge(url="{server.url}", model=m, prompt=reference, key=TEST_JUDGE_KEY, verdicts="{folder}"{more})'


def test_an_endpoint_is_a_metric(judge_server: Start, tmp_path: Path, with_key: str) -> None:
    server = judge_server()
    metric = farthing.load(spec(server, tmp_path))
    scores = metric.score(PAIRS)
    assert scores.segments is not None
    assert scores.segments.tolist() == [0, 1, 2, 3, 4, 5]
    assert metric.info.needs == {"reference"}
    assert metric.info.range == (0, 100)
    assert server.bodies[0]["temperature"] == 0.0
    assert "Compare the text below" in server.bodies[0]["messages"][0]["content"]
    assert "sk-secret" not in str(scores.signature)
    assert "model:m|prompt:reference|" in str(scores.signature)
    again = pickle.loads(pickle.dumps(metric))
    assert again.score(PAIRS).corpus == scores.corpus
    assert server.requests == 6


def test_systems_that_say_the_same_are_judged_once(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server()
    result = farthing.compare(
        {"a": ["#1#", "#2#"], "b": ["#1#", "#3#"]}, ["ref", "ref"], spec(server, tmp_path), resamples=10
    )
    assert [row.cells[0].scores.corpus for row in result.rows] == [1.5, 2]
    assert server.requests == 3


def test_log_probabilities_give_expected_values(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server(lambda row, attempt: "logprobs")
    metric = farthing.load(f'judge(url="{server.url}", model=m, prompt=fluency, verdicts="{tmp_path}")')
    assert metric.score(["x"]).corpus == pytest.approx((4 * 0.5 + 2 * 0.25) / 0.75)
    assert server.bodies[0]["logprobs"] is True


def test_endpoints_may_want_other_fields(judge_server: Start, tmp_path: Path) -> None:
    """Some models take no temperature, and their limit has another name; it is what a budget sets aside."""
    server = judge_server()
    further = '{"max_completion_tokens": 500, "max_tokens": null, "temperature": null, "seed": 1}'
    metric = farthing.load(spec(server, tmp_path, f", request='{further}'"))
    assert isinstance(metric, JudgeMetric)
    metric.score(PAIRS)
    assert {*server.bodies[0]} == {"model", "messages", "stream", "max_completion_tokens", "seed"}
    assert metric.inquiry.settings.most_out == 500
    assert metric.identity.digest != farthing.load(spec(server, tmp_path)).identity.digest  # type: ignore[attr-defined]


def test_rejected_rows_are_noted(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server(lambda row, attempt: "wrong" if row == "4" else "ok")
    scores = farthing.load(spec(server, tmp_path)).score(PAIRS)
    assert scores.corpus == pytest.approx(np.mean([0, 1, 2, 3, 5]))
    [note] = scores.notes
    assert (note.kind, note.rows) == ("rejected", (4,))
    with pytest.raises(FarthingError, match="no score for any row: why"):
        filled_scores([JudgeVerdict(None, reason="why")])


def test_a_budget_stops_with_a_sentence(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server()
    with pytest.raises(FarthingError, match="budget of 4 calls is spent, and 2 rows have no verdict"):
        farthing.load(spec(server, tmp_path, ", budget=4")).score(PAIRS)
    assert farthing.load(spec(server, tmp_path, ", budget=2")).score(PAIRS).corpus == 2.5
    assert server.requests == 6


def test_a_program_is_a_judge(tmp_path: Path) -> None:
    script = tmp_path / "judge.py"
    script.write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        "    q = json.loads(line)\n    print(json.dumps({'id': q['id'], 'score': len(q['candidate'])}), flush=True)\n",
        encoding="utf-8",
    )
    metric = JudgeMetric(command=f"'{sys.executable}' '{script}'", verdicts=str(tmp_path / "kept"))
    assert metric.score(["ab", "abcd"]).corpus == 3
    metric.inquiry.asker.close()
    assert metric.info.needs == set()


def test_known_verdicts_are_a_judge(tmp_path: Path) -> None:
    table = tmp_path / "v.jsonl"
    table.write_text(
        "".join(json.dumps({"candidate": c, "reference": "r", "score": s}) + "\n" for c, s in [("a", 1), ("b", 3)])
    )
    metric = farthing.load(f'judge(replay="{table}")')
    scores = metric.score(["a", "b", "a"], ["r", "r", "r"])
    assert scores.segments is not None
    assert scores.segments.tolist() == [1, 3, 1]
    assert str(scores.signature).startswith("judge|replay:")
    assert JudgeMetric.assets({"replay": str(table), "prompt": "direct"})[1] == str(table)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("judge", "needs one of url"), ("judge(url=http://x, replay=y)", "needs one of url"),
        ("judge(url=http://x/v1)", "needs model=… and prompt=…"), ("judge(command=x, column=y)", "column"),
        ("judge(url=http://x/v1, model=m, prompt=preference)", "compares two outputs"),
        ("judge(url=http://x/v1, model=m, prompt=direkt)", "did you mean 'direct'"),
        ("judge(url=x, model=m, prompt=direct)", "no address"), ("judge(replay=nowhere.jsonl)", "no such file"),
        ("judge(url=http://x/v1, model=m, prompt=direct, timeout=0)", "above 0"),
        ("judge(url=http://x/v1, model=m, prompt=direct, request=x)", "no JSON object"),
        ("judge(url=http://x/v1, model=m, prompt=direct, request='{\"model\": 1}')", "no JSON object"),
    ],
)  # fmt: skip
def test_wrong_judges_are_one_sentence(wrong: str, sentence: str) -> None:
    with pytest.raises(FarthingError, match=sentence):
        farthing.load(wrong)


def test_missing_texts_are_told_before_anybody_is_asked(judge_server: Start, tmp_path: Path) -> None:
    server = judge_server()
    with pytest.raises(FarthingError, match="needs a reference"):
        farthing.load(spec(server, tmp_path)).score(["a"])
    assert server.requests == 0


def test_the_key_is_nowhere(
    judge_server: Start, tmp_path: Path, with_key: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = judge_server(lambda row, attempt: "wrong" if row == "2" else "ok")
    metric = farthing.load(spec(server, tmp_path / "kept"))
    scores = metric.score(PAIRS)
    told = [repr(metric), str(metric.origin), str(scores), json.dumps(scores.to_dict()), caplog.text]
    told += [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert os.environ["TEST_JUDGE_KEY"] not in "\n".join(told)
    with pytest.raises(FarthingError) as caught:
        farthing.load(spec(judge_server(lambda row, attempt: "key"), tmp_path / "other")).score(PAIRS)
    assert os.environ["TEST_JUDGE_KEY"] not in str(caught.value)
