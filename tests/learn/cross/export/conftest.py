"""A trained student, and two ways to score with a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from farthing.core.types import Pairs
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.store import PairTable
from farthing.metrics.frugalscore import FrugalScore

Scorer = Callable[[Path, list[str], list[str]], np.ndarray]


@pytest.fixture(scope="session")
def student(encoder: Path, scored_table: PairTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student that learnt something."""
    place = tmp_path_factory.mktemp("trained") / "student"
    distil_table(
        scored_table, place, Start(str(encoder)), CrossSettings(epochs=3, rate=2e-3, batch=16, checks=2, threads=1)
    )
    return place


def _by_torch(folder: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    """transformers alone, one pair at a time."""
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        rows = [
            model(**tokenizer(*pair, return_tensors="pt")).logits[0, 0]
            for pair in zip(candidates, references, strict=True)
        ]
    return torch.stack(rows).numpy()


def _by_farthing(folder: Path, candidates: list[str], references: list[str]) -> np.ndarray:
    return np.asarray(FrugalScore(model=str(folder)).score(Pairs.of(candidates, references)).segments)


@pytest.fixture(scope="session")
def by_torch() -> Scorer:
    """Scores pairs by transformers alone."""
    return _by_torch


@pytest.fixture(scope="session")
def by_farthing() -> Scorer:
    """Scores pairs by the metric."""
    return _by_farthing
