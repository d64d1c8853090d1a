"""Families other than BERT."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DistilBertConfig,
    DistilBertForSequenceClassification,
)

from farthing.core.errors import ModelError, UsageError
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.export.export import export
from farthing.learn.cross.export.generic import traced, with_integers

Scorer = Callable[[Path, list[str], list[str]], np.ndarray]


@pytest.fixture(scope="module")
def folders(vocabulary: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A random DistilBERT, and its export."""
    place = tmp_path_factory.mktemp("generic")
    torch.manual_seed(1)
    size = {"dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64, "initializer_range": 0.2}  # or all score alike
    config = DistilBertConfig(vocab_size=len(vocabulary), num_labels=1, **size)
    DistilBertForSequenceClassification(config).save_pretrained(place / "distil")
    vocabulary.save_pretrained(place / "distil")
    export(str(place / "distil"), place / "out")
    return place / "distil", place / "out"


def test_other_families_go_through_torchs_exporter(
    corpus: list[str], folders: tuple[Path, Path], by_farthing: Scorer
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folders[0])
    model = AutoModelForSequenceClassification.from_pretrained(folders[0])
    inputs = tokenizer(corpus[:20], corpus[20:40], padding=True, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    wanted = model(**inputs).logits[:, 0].detach().numpy()
    assert np.abs(by_farthing(folders[1], corpus[:20], corpus[20:40]) - wanted).max() <= 1e-5
    assert read_json(folders[1] / "config.json")["farthing"]["cut_to_first_row"] is False


def test_integers_agree_and_are_smaller(
    corpus: list[str], folders: tuple[Path, Path], tmp_path: Path, by_farthing: Scorer
) -> None:
    shutil.copytree(folders[1], tmp_path / "small")
    graph = (folders[1] / "model.onnx").read_bytes()
    small = with_integers(graph, tmp_path)
    (tmp_path / "small" / "model.onnx").write_bytes(small)
    scores = [by_farthing(folder, corpus[:60], corpus[60:120]) for folder in (folders[1], tmp_path / "small")]
    assert np.corrcoef(*scores)[0, 1] > 0.98
    assert len(small) < 0.75 * len(graph)


def test_halves_are_for_berts(folders: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="export this distilbert as fp32 or int8"):
        export(str(folders[0]), tmp_path / "out", precision="fp16")


def test_a_model_that_cannot_be_exported_is_a_sentence() -> None:
    class Broken(torch.nn.Module):
        config = type("Config", (), {"model_type": "odd"})()

        def forward(self, **inputs: torch.Tensor) -> torch.Tensor:
            raise RuntimeError("no such operator")

    with pytest.raises(ModelError, match="a odd cannot be exported"):
        traced(Broken(), typed=True)  # type: ignore[arg-type]
