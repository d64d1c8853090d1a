"""Metrics in the lm-evaluation-harness, in a real task with a model that answers from a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import farthing
from farthing.integrations.lm_eval import task_metric

ANSWERS = {"one": "the cat sat", "two": "a dog ran off", "three": "rain"}
TARGETS = {"one": "the cat sat down", "two": "the dog ran away", "three": "it rains"}
MORE = {"one": ["the cat sat", "a cat"], "two": ["a dog", "dogs ran"], "three": ["rain", "rainy"]}
PYTHON = """
from farthing.integrations.lm_eval import task_metric

chrf, chrf_of_all = task_metric("chrf")
bleu, bleu_of_all = task_metric("bleu(max_ngram_order=2)", name="bleu2")


def process_results(doc, results):
    return {"chrf": (doc["targets"], results[0])}
"""
YAML = """
task: {task}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{target}}}}"
generation_kwargs: {{until: ["\\n"]}}
"""
ONE = """metric_list:
  - {metric: !function metrics.chrf, aggregation: !function metrics.chrf_of_all, higher_is_better: true}
  - {metric: !function metrics.bleu, aggregation: !function metrics.bleu_of_all, higher_is_better: true}
"""
SEVERAL = """process_results: !function metrics.process_results
metric_list:
  - {metric: chrf, aggregation: !function metrics.chrf_of_all, higher_is_better: true}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two tasks."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    data = tmp_path / "data.jsonl"
    rows = [{"question": name, "target": TARGETS[name], "targets": MORE[name]} for name in ANSWERS]
    data.write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "metrics.py").write_text(PYTHON)
    for task, rest in (("one_target", ONE), ("several_targets", SEVERAL)):
        (tmp_path / f"{task}.yaml").write_text(YAML.format(task=task, data=data) + rest)
    return tmp_path


@pytest.mark.filterwarnings("default")
def test_a_task_is_scored_as_a_whole(folder: Path) -> None:
    lm_eval = pytest.importorskip("lm_eval", reason="lm_eval is not installed")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Listed(LM):  # type: ignore[misc]
        def generate_until(self, requests: list[Any], **options: Any) -> list[str]:
            return [ANSWERS[request.args[0].strip()] for request in requests]

        def loglikelihood(self, requests: list[Any], **options: Any) -> list[Any]:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    tasks = ["one_target", "several_targets"]
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(Listed(), tasks=tasks, task_manager=manager, bootstrap_iters=0)["results"]
    texts, targets, more = list(ANSWERS.values()), list(TARGETS.values()), list(MORE.values())
    chrf = farthing.score(texts, targets, metric="chrf").corpus
    assert found["one_target"]["chrf,none"] == pytest.approx(chrf)
    bleu = farthing.score(texts, targets, metric="bleu(max_ngram_order=2)").corpus
    assert found["one_target"]["bleu2,none"] == pytest.approx(bleu)
    assert found["several_targets"]["chrf,none"] == pytest.approx(farthing.score(texts, more, metric="chrf").corpus)


def test_texts_are_kept_and_scored_together() -> None:
    keep, score_items = task_metric("bleu(max_ngram_order=2)")
    items = [keep(references=[TARGETS[name]], predictions=[ANSWERS[name]], extra=1) for name in ANSWERS]
    assert (keep.__name__, score_items.__name__) == ("bleu", "bleu_of_all")
    expected = farthing.score([*ANSWERS.values()], [*TARGETS.values()], metric="bleu(max_ngram_order=2)")
    assert score_items(items) == expected.corpus


def test_several_targets_need_their_own_way() -> None:
    _, score_items = task_metric("chrf")
    with pytest.raises(farthing.UsageError, match="process_results"):
        score_items([1.0, 1.0])  # type: ignore[list-item]
