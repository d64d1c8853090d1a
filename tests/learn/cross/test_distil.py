"""Students: where they start, what they learn, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, BertConfig, BertModel

from farthing.core.errors import FarthingError, InputError, ModelError, OutputError, UsageError
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.distil import distil, distil_table, is_resumed, rescale_head
from farthing.learn.cross.export.check import torch_scores
from farthing.learn.cross.students import SIZES, Start, learnt_tokenizer, make_student, parameters
from farthing.learn.data.dataset import held_out, tokenised
from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.train.settings import Settings

FAST = Settings(epochs=6, batch=16, rate=3e-3, checks=3, threads=1)


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
    settings = Settings(epochs=4, batch=16, rate=3e-3, checks=1, standardise=True, threads=1)
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


@pytest.mark.parametrize(
    ("size", "published"), [("2x128", 4.4e6), ("4x256", 11.3e6), ("4x512", 29.1e6), ("8x512", 41.7e6)]
)
def test_sizes_are_the_published_ones(size: str, published: float, vocabulary: Any) -> None:
    """Turc et al. 2019 count 4.4, 11.3, 29.1 and 41.7 million parameters with 30,522 word pieces."""
    model, tokenizer = make_student(Start(size), ["a cat and a dog"] * 3, 1)
    layers, width = SIZES[size]
    missing = (30_522 - len(tokenizer)) * width
    assert parameters(model) + missing == pytest.approx(published, rel=0.02)
    assert model.config.num_hidden_layers == layers


def test_a_fresh_size_learns_its_own_vocabulary(scored_table: PairTable, tmp_path: Path) -> None:
    distil_table(scored_table, tmp_path / "s", Start("2x128"), Settings(epochs=0.5, checks=1, limit=40, threads=1))
    assert read_json(tmp_path / "s" / "config.json")["num_hidden_layers"] == 2


def test_a_learnt_vocabulary_is_the_same_every_time(corpus: list[str]) -> None:
    first, *others = (learnt_tokenizer(corpus, size=150).get_vocab() for _ in range(4))
    assert all(one == first for one in others)
    assert len(first) == 150


def test_the_first_layers_of_an_encoder(make_bert: Callable[..., Path]) -> None:
    folder = make_bert(num_hidden_layers=4)
    whole, _ = make_student(Start(str(folder)), [], 1)
    cut, _ = make_student(Start(str(folder), layers=2), [], 1)
    assert len(cut.bert.encoder.layer) == cut.config.num_hidden_layers == 2
    name = "bert.encoder.layer.1.output.dense.weight"
    assert torch.equal(whole.state_dict()[name], cut.state_dict()[name])
    with pytest.raises(UsageError, match="has 4 layers"):
        make_student(Start(str(folder), layers=9), [], 1)


def test_early_stopping_ends_a_run(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    settings = Settings(epochs=40, batch=16, rate=1e-9, checks=40, patience=2, threads=1)
    found = distil_table(scored_table, tmp_path / "s", Start(str(encoder)), settings)
    assert len(found.history.checks) < 40


def test_no_document_on_both_sides() -> None:
    documents = [str(row // 7) for row in range(1000)]
    train, check = held_out(documents, 0.1, 10**6, seed=1)
    assert len(train) + len(check) == 1000
    assert 70 <= len(check) <= 100
    assert not {documents[row] for row in train} & {documents[row] for row in check}
    with pytest.raises(InputError, match="one document"):
        held_out(["same"] * 5, 0.5, 10, seed=1)


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
    """The disk fills up at the third check; with room again the run goes on from the second."""
    save, calls = torch.save, []

    def full(*arguments: Any, **options: Any) -> None:
        calls.append(1)
        if len(calls) > 6:  # optimizer, schedule and random state, three files a checkpoint
            raise OSError(28, "No space left on device")
        save(*arguments, **options)

    monkeypatch.setattr(torch, "save", full)
    refuses(scored_table, tmp_path, Start(str(encoder)), OutputError, "No space left on device; earlier checkpoints")
    monkeypatch.setattr(torch, "save", save)
    assert is_resumed(tmp_path / "s")
    resumed = distil_table(scored_table, tmp_path / "s", Start(str(encoder)), FAST)
    assert len(resumed.history.checks) == 3
