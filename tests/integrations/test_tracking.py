"""Scores in TensorBoard, MLflow and W&B, each read back from what the real package wrote."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import farthing
from farthing.integrations.tracking import ScoreLogger, log_numbers

REFERENCES = ["the cat sat down", ["a dog ran", "the dog ran"]]
OUTPUTS = [["the cat", "a bird"], ["the cat sat", "a dog ran"], ["the cat sat down", "the dog ran"]]
EXPECTED = [farthing.score(texts, REFERENCES, metric="chrf").corpus for texts in OUTPUTS]


def test_tensorboard(tmp_path: Path) -> None:
    reader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason="tensorboard is not installed"
    )
    log = ScoreLogger(REFERENCES, "chrf,ter", tensorboard=tmp_path, prefix="dev")
    found = [log(texts, step)["chrf"] for step, texts in enumerate(OUTPUTS)]
    assert found == EXPECTED
    events = reader.EventAccumulator(str(tmp_path)).Reload()
    values = [(event.step, event.tensor_proto.float_val[0]) for event in events.Tensors("dev/chrf")]
    assert values == [(step, pytest.approx(number, rel=1e-6)) for step, number in enumerate(EXPECTED)]
    assert len(events.Tensors("dev/ter")) == 3


def test_the_writer_of_torch(tmp_path: Path) -> None:
    board = pytest.importorskip("torch.utils.tensorboard", reason="torch or tensorboard is not installed")
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with board.SummaryWriter(str(tmp_path)) as writer:
        ScoreLogger(REFERENCES, "chrf", tensorboard=writer)(OUTPUTS[1], 7)
    [event] = reader.EventAccumulator(str(tmp_path)).Reload().Scalars("farthing/chrf")
    assert (event.step, event.value) == (7, pytest.approx(EXPECTED[1], rel=1e-6))


@pytest.mark.filterwarnings("default")
def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DO_NOT_TRACK", "true")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    mlflow.set_tracking_uri(f"file:{tmp_path}/runs")
    log = ScoreLogger(REFERENCES, ["chrf", "chrf(beta=1, word_order=2)"])
    with mlflow.start_run() as run:
        for step, texts in enumerate(OUTPUTS):
            log(texts, step)
    assert log_numbers({"x": 1.0}, 1) == []
    client = mlflow.tracking.MlflowClient()
    for name, spec in (("chrf", "chrf"), ("chrf_beta_1_word_order_2", "chrf(beta=1, word_order=2)")):
        history = client.get_metric_history(run.info.run_id, f"farthing/{name}")
        expected = [farthing.score(texts, REFERENCES, metric=spec).corpus for texts in OUTPUTS]
        assert [(entry.step, entry.value) for entry in history] == list(enumerate(expected))


@pytest.mark.filterwarnings("default")
def test_wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb", reason="wandb is not installed")
    monkeypatch.setenv("WANDB_SILENT", "true")
    log = ScoreLogger(REFERENCES, "chrf")
    with wandb.init(mode="offline", dir=str(tmp_path), project="test") as run:
        run.log({"loss": 1.0}, step=50)  # a later step than ours must not lose our scores
        for step, texts in enumerate(OUTPUTS):
            log(texts, step)
        assert run.summary["farthing/chrf"] == EXPECTED[-1]
        assert run.summary["farthing/step"] == 2
    assert log_numbers({"x": 1.0}, 1) == []
    assert list(tmp_path.rglob("*.wandb"))


def test_nothing_is_logged_where_nothing_runs() -> None:
    assert ScoreLogger(REFERENCES, "chrf")(OUTPUTS[0], 0) == {"chrf": EXPECTED[0]}
    assert log_numbers({"chrf": 1.0}, 0) == []


def test_a_folder_needs_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.summary", None)
    with pytest.raises(farthing.UsageError, match="pip install tensorboard"):
        ScoreLogger(REFERENCES, tensorboard=tmp_path)


def test_every_tracker_that_runs_gets_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    run = SimpleNamespace(define_metric=lambda *a, **k: None, log=seen.append)
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(run=run))
    mlflow = SimpleNamespace(active_run=lambda: run, log_metrics=lambda numbers, step: seen.append((numbers, step)))
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    assert log_numbers({"ter": 3.0}, 4, prefix="test") == ["mlflow", "wandb"]
    assert seen == [({"test/ter": 3.0}, 4), {"test/ter": 3.0, "test/step": 4}]
