"""Distillation: what students learn, what is refused, and what happens after a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from transformers import AutoModelForSequenceClassification, BertConfig, BertModel

from farthing.core.errors import FarthingError, InputError, ModelError, OutputError
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.distil import distil, distil_table, is_resumed, rescale_head
from farthing.learn.cross.objective import squared_error
from farthing.learn.cross.scores import torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start, make_student
from farthing.learn.data.dataset import tokenised
from farthing.learn.data.store import PairTable, write_pairs

FAST = CrossSettings(epochs=6, batch=16, rate=3e-3, checks=3, threads=1)


def test_it_learns_and_says_so(encoder: Path, scored_file: Path, tmp_path: Path) -> None:
    found = distil(scored_file, tmp_path / "student", Start(str(encoder)), FAST)
    assert found.history.last["pearson"] > 0.5
    facts = read_json(tmp_path / "student" / "config.json")["farthing"]
    assert facts["kind"] == "cross"
    assert facts["teacher"] == "overlap"
    assert facts["held_out"]["pearson"] == found.history.last["pearson"]
    names = {path.name for path in (tmp_path / "student").iterdir()}
    assert {"model.safetensors", "tokenizer.json", "config.json", "history.json", "loss.png"} <= names
    assert list((tmp_path / "student.run" / "logs").iterdir())  # for TensorBoard
    assert not list((tmp_path / "student.run").glob("checkpoint-*"))


def test_standardised_targets_end_on_the_teachers_scale(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    stretched = PairTable({**scored_table.columns, "score": (100 * scored_table.scores + 500).tolist()})
    settings = CrossSettings(epochs=4, batch=16, rate=3e-3, checks=1, standardise=True, threads=1)
    distil_table(stretched, tmp_path / "student", Start(str(encoder)), settings)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "student").eval()
    rows = tokenised(tmp_path / "student", stretched.candidates, stretched.references, 64)
    assert torch_scores(model, rows, 0).mean() == pytest.approx(stretched.scores.mean(), abs=10)


def test_rescaling_a_head_is_exact(encoder: Path, corpus: list[str]) -> None:
    model, _ = make_student(Start(str(encoder)), [], 1)
    rows = tokenised(encoder, corpus[:20], corpus[20:40], 64)
    before = torch_scores(model.eval(), rows, 0)
    rescale_head(model, 3.0, 0.5)
    assert torch_scores(model, rows, 0) == pytest.approx(before * 0.5 + 3.0, abs=1e-5)


def test_a_fresh_size_learns_its_own_vocabulary(scored_table: PairTable, tmp_path: Path) -> None:
    distil_table(scored_table, tmp_path / "s", Start("2x128"), CrossSettings(epochs=0.5, checks=1, limit=40, threads=1))
    assert read_json(tmp_path / "s" / "config.json")["num_hidden_layers"] == 2


def test_early_stopping_ends_a_run(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    settings = CrossSettings(epochs=40, batch=16, rate=1e-9, checks=40, patience=2, threads=1)
    found = distil_table(scored_table, tmp_path / "s", Start(str(encoder)), settings)
    assert len(found.history.checks) < 40


def refuses(table: PairTable, tmp_path: Path, start: Start, error: type[FarthingError], words: str) -> None:
    with pytest.raises(error, match=words):
        distil_table(table, tmp_path / "s", start, FAST)
    assert not (tmp_path / "s").exists()


def test_constant_scores(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    table = PairTable({**scored_table.columns, "score": [0.5] * len(scored_table)})
    refuses(table, tmp_path, Start(str(encoder)), InputError, r"all scores are the same \(0.5\)")


def test_one_pair(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    refuses(scored_table.rows([0]), tmp_path, Start(str(encoder)), InputError, "only one pair")


def test_wrong_students(make_bert: Callable[..., Path], scored_table: PairTable, tmp_path: Path) -> None:
    wrong = make_bert("BertForSequenceClassification", num_labels=3)
    refuses(scored_table, tmp_path, Start(str(wrong)), ModelError, "head of 3 outputs")
    (tmp_path / "s.run" / "call.json").unlink()
    small = make_bert()
    config = BertConfig(vocab_size=20, hidden_size=32, num_hidden_layers=1, num_attention_heads=2)
    BertModel(config).save_pretrained(small)
    refuses(scored_table, tmp_path, Start(str(small)), ModelError, "do not belong together")


def test_unscored_pairs_and_numbers_that_are_none(scored_table: PairTable, encoder: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.parquet"
    write_pairs(path, PairTable({"candidate": ["a"], "reference": ["b"]}))
    with pytest.raises(InputError, match=r"no column 'score' \(run farthing learn annotate first\)"):
        distil(path, tmp_path / "s", Start(str(encoder)))
    scores = scored_table.scores
    scores[3] = np.nan
    write_pairs(path, PairTable({**scored_table.columns, "score": scores.tolist()}))
    with pytest.raises(InputError, match=":4: the score is not a number"):
        distil(path, tmp_path / "s", Start(str(encoder)))


def test_other_settings_do_not_continue_a_run(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    (tmp_path / "s.run").mkdir()
    (tmp_path / "s.run" / "call.json").write_text("another call")
    refuses(scored_table, tmp_path, Start(str(encoder)), OutputError, "other settings")


def test_a_full_disk_keeps_the_checkpoints(
    encoder: Path, scored_table: PairTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up at the third check; with room again the run resumes from the second."""
    save, calls = safetensors.torch.save_file, []

    def full(*arguments: Any, **options: Any) -> None:
        calls.append(1)
        if len(calls) > 2:  # the optimiser's file of every checkpoint
            raise OSError(28, "No space left on device")
        save(*arguments, **options)

    monkeypatch.setattr(safetensors.torch, "save_file", full)
    words = "No space left on device; nothing was changed; the same call resumes from the last checkpoint"
    refuses(scored_table, tmp_path, Start(str(encoder)), OutputError, words)
    monkeypatch.setattr(safetensors.torch, "save_file", save)
    assert is_resumed(tmp_path / "s")
    resumed = distil_table(scored_table, tmp_path / "s", Start(str(encoder)), FAST)
    assert len(resumed.history.checks) == 3


SETTINGS = CrossSettings(epochs=2, batch=16, rate=1e-3, checks=5, threads=1)


def same(first: Path, second: Path) -> bool:
    names = ("model.safetensors", "history.json", "tokenizer.json", "tokenizer_config.json")
    return all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_same_seed_same_weights(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    for name in ("a", "b"):
        distil_table(scored_table, tmp_path / name, Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "a", tmp_path / "b")


class Killed(Exception):
    """Somebody pulled the plug."""


def kill_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pull the plug in the middle of a step."""
    calls = []

    def loss(model: torch.nn.Module, batch: Any) -> torch.Tensor:
        calls.append(1)
        if len(calls) > step:
            raise Killed
        return squared_error(model, batch)

    monkeypatch.setattr("farthing.learn.cross.objective.squared_error", loss)


@pytest.mark.parametrize("step", [13, 36])
def test_killed_and_resumed_gives_the_same_weights(
    encoder: Path, scored_table: PairTable, tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    distil_table(scored_table, tmp_path / "whole", Start(str(encoder)), SETTINGS)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill_at(step, patch)
        distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    assert not (tmp_path / "killed").exists()
    resumed = distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert [one["step"] for one in resumed.history.checks] == [10, 20, 30, 40, 48]


@pytest.mark.parametrize("name", ["state.json", "model.safetensors"])
def test_a_torn_checkpoint_is_not_used(
    encoder: Path, scored_table: PairTable, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    distil_table(scored_table, tmp_path / "whole", Start(str(encoder)), SETTINGS)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        kill_at(25, patch)
        distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    torn = tmp_path / "killed.run" / "checkpoint-20" / name
    torn.write_bytes(torn.read_bytes()[:100])
    distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "whole", tmp_path / "killed")


KILLED = """
import os, signal, sys
from pathlib import Path
from farthing.learn.cross import distil, objective
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start

def loss(model, batch, calls=[], whole=objective.squared_error):
    calls.append(1)
    if len(calls) == 37:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(model, batch)

objective.squared_error = loss
settings = CrossSettings(epochs=2, batch=16, rate=1e-3, checks=5, threads=1)
distil.distil(sys.argv[1], sys.argv[2], Start(sys.argv[3]), settings)
"""


def test_a_killed_process_resumes_to_the_same_bytes(encoder: Path, scored_file: Path, tmp_path: Path) -> None:
    arguments = [str(scored_file), str(tmp_path / "killed"), str(encoder)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    assert is_resumed(tmp_path / "killed")
    for name in ("killed", "whole"):
        distil(scored_file, tmp_path / name, Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert not list((tmp_path / "killed.run").glob("*checkpoint*"))
