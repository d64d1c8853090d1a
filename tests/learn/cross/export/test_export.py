"""Exported students against torch: exact in fp32, close in fp16 and int8, refused where they deviate."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from transformers import AutoTokenizer

from farthing.core.errors import FarthingError, ModelError, UsageError
from farthing.core.types import Pairs
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.export.bert import BertGraph
from farthing.learn.cross.export.export import export
from farthing.learn.data.store import PairTable
from farthing.metrics.frugalscore import FrugalScore

Scorer = Callable[[Path, list[str], list[str]], np.ndarray]


def test_fp32_is_torch(
    student: Path, tmp_path: Path, scored_file: Path, scored_table: PairTable, by_farthing: Scorer, by_torch: Scorer
) -> None:
    found = export(str(student), tmp_path / "out", pairs=scored_file)
    assert found.difference <= 1e-5
    texts = (scored_table.candidates[:60], scored_table.references[:60])
    assert np.abs(by_farthing(tmp_path / "out", *texts) - by_torch(student, *texts)).max() <= 1e-5


def test_a_model_that_deviates_is_refused(student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = BertGraph.turned

    def wrong(self: BertGraph, name: str) -> np.ndarray:
        return whole(self, name) * (1.01 if name.endswith("intermediate.dense") else 1)

    monkeypatch.setattr(BertGraph, "turned", wrong)
    with pytest.raises(ModelError, match="deviates from the trained one by"):
        export(str(student), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_card_says_what_matters(student: Path, tmp_path: Path, scored_file: Path, scored_table: PairTable) -> None:
    export(str(student), tmp_path / "out", pairs=scored_file, licence="CC0")
    text = (tmp_path / "out" / "card.md").read_text()
    for words in ("`overlap`", "CC0", "pairs per second", "Pearson with the teacher", "Limits", "rate | 0.002"):
        assert words in text
    facts = read_json(tmp_path / "out" / "config.json")["farthing"]
    assert facts["kind"] == "cross"
    stated = facts["teacher_agreement"]
    rows = slice(0, stated["pairs"])
    pairs = Pairs.of(scored_table.candidates[rows], scored_table.references[rows])
    scores = FrugalScore(model=str(tmp_path / "out")).score(pairs).segments
    assert stated["pearson"] == pytest.approx(np.corrcoef(scores, scored_table.scores[rows])[0, 1], abs=1e-3)


def test_wrong_folders(make_bert: Callable[..., Path], student: Path, tmp_path: Path, scored_file: Path) -> None:
    with pytest.raises(ModelError, match="head of 3 outputs"):
        export(str(make_bert("BertForSequenceClassification", num_labels=3)), tmp_path / "out")
    with pytest.raises(ModelError, match="is not a cross-encoder: it has no weights"):
        export(str(make_bert("BertModel", num_labels=1)), tmp_path / "out")
    with pytest.raises(UsageError, match="int8 needs pairs"):
        export(str(student), tmp_path / "out", precision="int8")
    export(str(student), tmp_path / "out")
    with pytest.raises(FarthingError, match="already exists"):
        export(str(student), tmp_path / "out")
    with pytest.raises(ModelError, match="already exported"):
        export(str(tmp_path / "out"), tmp_path / "other")


def test_a_vocabulary_that_is_too_large(make_bert: Callable[..., Path], tmp_path: Path) -> None:
    folder = tmp_path / "wrong"
    shutil.copytree(make_bert("BertForSequenceClassification", num_labels=1), folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens([f"new{n}" for n in range(50)])
    tokenizer.save_pretrained(folder)
    with pytest.raises(ModelError, match="do not belong together"):
        export(str(folder), tmp_path / "out")


def test_a_full_disk_leaves_nothing(student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copy2", full)
    with pytest.raises(FarthingError, match="No space left on device; nothing was changed"):
        export(str(student), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
