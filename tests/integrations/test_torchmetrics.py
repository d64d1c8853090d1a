"""update, compute and reset: in one process, and in two of torch.distributed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import farthing
from farthing.core.types import Pairs
from farthing.integrations.torchmetrics import TextMetric, TextMetrics

CANDIDATES = ["the cat sat", "a dog ran", "rain falls", "birds", "", "old bridges rarely last", "send the report"]
REFERENCES = [["the cat sat down", "a cat sat"], ["the dog ran"], ["it is raining", "rain falls"], ["birds fly"],
              ["nothing"], ["old bridges last"], ["send me the report"]]  # fmt: skip
# idf looks at all references, impar at whole sets: neither is a mean over the parts of single processes
METRICS = ["bleu", "chrf", "ter", "frugalscore(size=nano)", "bertscore(model=nano, idf=true)", "impar(model=nano)"]
WORKER = """
import json, sys
import torch.distributed as dist
from farthing.integrations.torchmetrics import TextMetrics
rank, store, task = int(sys.argv[1]), sys.argv[2], json.load(open(sys.argv[3]))
dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=2)
metric = TextMetrics(task["metrics"])
for candidates, references in task["batches"][rank]:
    metric.update(candidates, references)
try:
    found = metric.compute()
    metric.reset()
    metric.update(["the cat", "rain"], ["the cat", "rain"])
    found["again"] = metric.compute()["chrf"]
except Exception as error:
    found = {type(error).__name__: str(error)}
print(json.dumps(found))
dist.destroy_process_group()
"""


def in_two_processes(folder: Path, batches: list[list[tuple[list[str], object]]], metrics: list[str]) -> list[object]:
    """What each of two processes computes, given the batches of each."""
    pytest.importorskip("torch", reason="torch is not installed")
    task = folder / "task.json"
    task.write_text(json.dumps({"metrics": metrics, "batches": batches}))
    commands = [[sys.executable, "-c", WORKER, str(rank), str(folder / "store"), str(task)] for rank in (0, 1)]
    jobs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    answers = [job.communicate(timeout=240)[0] for job in jobs]
    assert [job.returncode for job in jobs] == [0, 0]
    return [json.loads(answer) for answer in answers]


def expected(metrics: list[str]) -> dict[str, float]:
    return {spec.partition("(")[0]: farthing.score(CANDIDATES, REFERENCES, metric=spec).corpus for spec in metrics}


def test_two_processes_compute_what_one_would(tmp_path: Path) -> None:
    first = [(CANDIDATES[:2], REFERENCES[:2]), (CANDIDATES[2:5], REFERENCES[2:5])]
    found = in_two_processes(tmp_path, [first, [(CANDIDATES[5:], REFERENCES[5:])]], METRICS)
    wanted = {**expected(METRICS), "again": 100}
    assert found == [pytest.approx(wanted, rel=1e-6), found[0]]


def test_a_process_may_have_no_batch(tmp_path: Path) -> None:
    found = in_two_processes(tmp_path, [[], [(CANDIDATES[:1], REFERENCES[:1])]], ["chrf"])
    wanted = farthing.score(CANDIDATES[:1], REFERENCES[:1], metric="chrf").corpus
    assert found == [{"chrf": pytest.approx(wanted), "again": 100}] * 2


def test_an_error_in_one_process_ends_all(tmp_path: Path) -> None:
    batches: list[list[tuple[list[str], object]]] = [[(["a", "b"], ["a", "b"])], [(["c", "d"], [["c"], []])]]
    one, other = in_two_processes(tmp_path, batches, ["chrf"])
    assert isinstance(one, dict)
    assert "process 1 could not score its part" in one["UsageError"]
    assert "needs a reference for every candidate" in one["UsageError"]
    assert isinstance(other, dict)
    assert list(other) == ["MissingInput"]


def test_batches_add_up() -> None:
    metrics = TextMetrics(METRICS)
    for start in range(0, len(CANDIDATES), 3):
        metrics.update(CANDIDATES[start : start + 3], REFERENCES[start : start + 3])
    assert metrics.compute() == pytest.approx(expected(METRICS))
    assert metrics.scores()["chrf"].segments is not None
    metrics.reset()
    with pytest.raises(farthing.UsageError, match="call update"):
        metrics.compute()


def test_a_call_scores_the_batch_alone() -> None:
    chrf = TextMetric("chrf")
    assert chrf(["the cat"], ["the cat"]) == 100
    assert chrf("a dog", ["the cat", "a dog"]) == 100
    assert chrf(["a dog"], ["the rain"]) < 50
    assert 50 < chrf.compute() < 100
    chrf.update(["rain"], ["rain"])
    assert len(chrf.scores()["chrf"].columns()["chrf"]) == 4


def test_one_metric_takes_one_spec() -> None:
    with pytest.raises(farthing.SpecError, match="expected one metric"):
        TextMetric("bleu,chrf")


def test_sources_reach_metrics_that_need_them() -> None:
    class Echo(farthing.Metric):
        about = farthing.MetricInfo("echo", "Equal to the source.", "", (0, 1), needs=frozenset({"source"}))

        def score_pairs(self, pairs: Pairs) -> farthing.Scores:
            import numpy as np

            rows = np.array([float(a == b) for a, b in zip(pairs.candidates, pairs.sources or (), strict=True)])
            return farthing.Scores(float(rows.mean()), rows, farthing.Signature("echo"))

    from farthing.core import registry

    farthing.register("metric", "echo", Echo)
    try:
        echo = TextMetric("echo")
        echo.update(["a", "b"], sources=["a", "c"])
        echo.update("d", sources="d")
        assert echo.compute() == pytest.approx(2 / 3)
    finally:
        del registry._ADDED["metric"]["echo"]


def test_the_numbers_and_the_manner_are_those_of_torchmetrics() -> None:
    text = pytest.importorskip("torchmetrics.text", reason="torchmetrics is not installed")
    # with several references or an empty candidate, their chrF and TER are not those of sacrebleu
    candidates = [text for text in CANDIDATES if text]
    first = [row[0] for text, row in zip(CANDIDATES, REFERENCES, strict=True) if text]
    theirs = {
        "bleu(smooth_method=none, max_ngram_order=2)": text.SacreBLEUScore(n_gram=2),
        "chrf": text.CHRFScore(n_word_order=0),
        "ter": text.TranslationEditRate(),
    }
    for spec, their in theirs.items():
        our = TextMetric(spec)
        for start in range(0, len(candidates), 2):
            our.update(candidates[start : start + 2], first[start : start + 2])
            their.update(candidates[start : start + 2], [[text] for text in first[start : start + 2]])
        assert our.compute() == pytest.approx(100 * float(their.compute()), rel=1e-3), (
            spec
        )  # they compute in single precision


def test_a_batch_is_copied() -> None:
    chrf, texts = TextMetric(farthing.load("chrf")), ["the cat"]
    chrf.update(texts, iter(["the cat"]))
    texts[0] = "rain"
    assert chrf.compute() == 100
