"""The scorer for inspect_ai, in real evaluations with a mock model."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import farthing
from farthing.integrations.inspect_ai import _pairs, text_scorer
from farthing.integrations.loaded import LoadedMetrics

ANSWERS = ["the cat sat", "a dog ran off", "rain"]
TARGETS = [["the cat sat down", "a cat"], ["the dog ran away"], ["it rains"]]
installed = pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is None, reason="inspect_ai is not installed")
# In a process of its own, since the warnings of its event loop would fail other tests.
WORKER = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from farthing.integrations.inspect_ai import text_scorer

folder, task = sys.argv[1], json.loads(sys.argv[2])

def output(input, tools, tool_choice, config):
    found = ModelOutput.from_content("mockllm/model", task["answers"][int(input[-1].text)].pop(0))
    found.usage = ModelUsage()  # else the mock would load a tokenizer to count tokens
    return found

def last(text):
    return text.rpartition(":")[2].strip()

dataset = [Sample(id=number, input=str(number), target=target) for number, target in enumerate(task["targets"])]
scorer = text_scorer(task["metric"], answer=last)
model = get_model("mockllm/model", custom_outputs=output)
[log] = eval(
    Task(dataset=dataset, scorer=scorer, epochs=task["epochs"]), model=model, log_dir=folder,
    display="none", max_samples=1, max_connections=1,
)
assert log.status == "success", log.error
[summary] = log.results.scores
samples = [sample.scores[summary.name] for sample in sorted(log.samples, key=lambda sample: sample.id)]
metrics = {name: metric.value for name, metric in summary.metrics.items()}
found = {"values": [one.value for one in samples], "told": [one.explanation for one in samples], "name": summary.name}
print(json.dumps({**found, "metrics": metrics}))
"""


def evaluated(folder: Path, metric: str, answers: list[list[str]]) -> dict[str, Any]:
    """Scores of an evaluation whose model gives these answers to each question, one per epoch."""
    task = {"metric": metric, "answers": answers, "targets": TARGETS, "epochs": len(answers[0])}
    command = [sys.executable, "-c", WORKER, str(folder), json.dumps(task)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@installed
def test_samples_and_the_whole_are_scored(tmp_path: Path) -> None:
    found = evaluated(tmp_path, "chrf", [[text] for text in ANSWERS])
    expected = farthing.score(ANSWERS, TARGETS, metric="chrf")
    assert expected.segments is not None
    assert found["name"] == "chrf"
    assert found["values"] == pytest.approx(expected.segments.tolist())
    assert "chrf|nrefs:2" in found["told"][0]
    assert found["metrics"]["corpus"] == pytest.approx(expected.corpus)
    assert found["metrics"]["mean"] == pytest.approx(expected.segments.mean())
    error = expected.segments.std(ddof=1) / len(ANSWERS) ** 0.5
    assert found["metrics"]["stderr"] == pytest.approx(error)


@installed
def test_with_epochs_the_first_answers_are_the_corpus(tmp_path: Path) -> None:
    """And of every answer only the part that `answer` returns counts."""
    found = evaluated(tmp_path, "ter", [[f"Well. ANSWER: {text}", "something else"] for text in ANSWERS])
    assert found["metrics"]["corpus"] == pytest.approx(farthing.score(ANSWERS, TARGETS, metric="ter").corpus)


def test_the_package_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", None)
    with pytest.raises(farthing.UsageError, match="pip install inspect_ai"):
        text_scorer("chrf")


@installed
@pytest.mark.filterwarnings("default")
def test_a_metric_of_sets_has_no_score_for_a_sample() -> None:
    with pytest.raises(farthing.UsageError, match="judges a set"):
        text_scorer("impar(model=nano)")


@pytest.mark.usefixtures("with_every_size")
def test_samples_without_targets_are_compared_with_their_inputs() -> None:
    default, chrf = LoadedMetrics(), LoadedMetrics("chrf")
    free = _pairs(default, ["the cat"], [[""]], ["die Katze"])
    assert not free.has_references
    [scores] = default.scores(free).values()
    assert scores.signature.fields["model"] == "source@1"
    assert _pairs(chrf, ["the cat"], [[""]], ["die Katze"]).references == [[""]]
    some = _pairs(default, ["the cat", "a dog"], [["the cat"], [""]], ["die Katze", "ein Hund"])
    assert some.references == [["the cat"], [""]]
