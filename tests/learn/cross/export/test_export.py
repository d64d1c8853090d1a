"""Exported students against torch: exact in fp32, close in fp16 and int8, refused where they deviate."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from farthing.core.errors import FarthingError, ModelError, UsageError
from farthing.core.types import Pairs
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.export.bert import BertGraph
from farthing.learn.cross.export.export import export
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.store import PairTable
from farthing.metrics.frugalscore import FrugalScore


@pytest.fixture(scope="module")
def student(encoder: Path, scored_table: PairTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student that learnt something."""
    place = tmp_path_factory.mktemp("trained") / "student"
    distil_table(
        scored_table, place, Start(str(encoder)), CrossSettings(epochs=3, rate=2e-3, batch=16, checks=2, threads=1)
    )
    return place


def by_torch(folder: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    """transformers alone, one pair at a time."""
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        rows = [
            model(**tokenizer(*pair, return_tensors="pt")).logits[0, 0]
            for pair in zip(candidates, references, strict=True)
        ]
    return torch.stack(rows).numpy()


def by_farthing(folder: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    return np.asarray(FrugalScore(model=str(folder)).score(Pairs.of(candidates, references)).segments)


def test_fp32_is_torch(student: Path, tmp_path: Path, scored_file: Path, scored_table: PairTable) -> None:
    found = export(str(student), tmp_path / "out", pairs=scored_file)
    assert found.difference <= 1e-5
    texts = (scored_table.candidates[:60], scored_table.references[:60])
    assert np.abs(by_farthing(tmp_path / "out", *texts) - by_torch(student, *texts)).max() <= 1e-5


@pytest.mark.parametrize("layers", [1, 3])
def test_any_number_of_layers(make_bert: Callable[..., Path], tmp_path: Path, layers: int, corpus: list[str]) -> None:
    folder = make_bert("BertForSequenceClassification", num_hidden_layers=layers, num_labels=1)
    export(str(folder), tmp_path / "out")
    texts = (corpus[:30], corpus[30:60])
    assert np.abs(by_farthing(tmp_path / "out", *texts) - by_torch(folder, *texts)).max() <= 1e-5


def test_the_last_layer_computes_the_first_row_only(student: Path, tmp_path: Path) -> None:
    """All large products but those of the first layer have disappeared: Gemm sees one row a pair."""
    export(str(student), tmp_path / "out")
    nodes = [node.op_type for node in onnx.load(tmp_path / "out" / "model.onnx").graph.node]
    assert nodes.count("Attention") == 1  # two layers, one of them whole
    assert nodes.count("SkipLayerNormalization") == 2


@pytest.mark.parametrize(("precision", "least"), [("fp16", 0.99999), ("int8", 0.999)])
def test_smaller_numbers_agree(
    student: Path, tmp_path: Path, scored_file: Path, scored_table: PairTable, precision: str, least: float
) -> None:
    export(str(student), tmp_path / "whole")
    export(str(student), tmp_path / "out", precision=precision, pairs=scored_file)  # type: ignore[arg-type]
    texts = (scored_table.candidates, scored_table.references)
    assert np.corrcoef(by_farthing(tmp_path / "out", *texts), by_torch(student, *texts))[0, 1] > least
    sizes = [(tmp_path / name / "model.onnx").stat().st_size for name in ("out", "whole")]
    assert sizes[0] < 0.75 * sizes[1]


def test_int8_scores_do_not_depend_on_batch_mates(
    student: Path, tmp_path: Path, scored_file: Path, corpus: list[str]
) -> None:
    export(str(student), tmp_path / "out", precision="int8", pairs=scored_file)
    together = by_farthing(tmp_path / "out", corpus[:50], corpus[50:100])
    alone = [
        by_farthing(tmp_path / "out", [one], [two])[0] for one, two in zip(corpus[:50], corpus[50:100], strict=True)
    ]
    assert together == pytest.approx(alone, abs=1e-5)


def test_other_families_go_through_torchs_exporter(corpus: list[str], vocabulary, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    from transformers import DistilBertConfig, DistilBertForSequenceClassification

    torch.manual_seed(1)
    config = DistilBertConfig(vocab_size=len(vocabulary), dim=32, n_layers=2, n_heads=2, hidden_dim=64, num_labels=1)
    DistilBertForSequenceClassification(config).save_pretrained(tmp_path / "distil")
    vocabulary.save_pretrained(tmp_path / "distil")
    export(str(tmp_path / "distil"), tmp_path / "out")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "distil")
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "distil")
    inputs = tokenizer(corpus[:20], corpus[20:40], padding=True, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    wanted = model(**inputs).logits[:, 0].detach().numpy()
    assert np.abs(by_farthing(tmp_path / "out", corpus[:20], corpus[20:40]) - wanted).max() <= 1e-5
    assert read_json(tmp_path / "out" / "config.json")["farthing"]["cut_to_first_row"] is False


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
    for words in ("`overlap`", "CC0", "pairs a second", "Pearson with the teacher", "Limits", "rate | 0.002"):
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
    with pytest.raises(ModelError, match="no trained head"):
        export(str(make_bert("BertModel", num_labels=1)), tmp_path / "out")
    with pytest.raises(UsageError, match="int8 needs pairs"):
        export(str(student), tmp_path / "out", precision="int8")
    export(str(student), tmp_path / "out")
    with pytest.raises(FarthingError, match="already exists"):
        export(str(student), tmp_path / "out")
    with pytest.raises(ModelError, match="exported already"):
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
