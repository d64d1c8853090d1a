"""Helpers of the transport benchmarks: human judgements by language pair, and correlations of a score."""

from __future__ import annotations

import gzip
import json
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from farthing.core.types import Pairs
from timing import SHARED

MODELS = Path(os.environ.get("DEV_MODELS", Path.home() / ".cache" / "dev-models"))


def judged(name: str, *, into_english: bool = True, most: int | None = None, split: str | None = None) -> dict:
    """Return for each language pair its candidates, references and sources as `Pairs`, and the human scores."""
    rows = defaultdict(list)
    with gzip.open(SHARED / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if (not into_english or row["lp"].endswith("-en")) and split in (None, row.get("split")):
                rows[row["lp"]].append(row)
    return {pair: _as_pairs(pair, found[:most]) for pair, found in sorted(rows.items())}


def _as_pairs(pair: str, rows: Sequence[dict]) -> tuple[Pairs, np.ndarray]:
    columns = [[row[key] for row in rows] for key in ("candidate", "reference", "source")]
    return Pairs.of(*columns, system=pair), np.array([row["score"] for row in rows], dtype=float)


def pearson(one: np.ndarray, other: np.ndarray) -> float:
    """Return Pearson's correlation."""
    return float(np.corrcoef(one, other)[0, 1])


def lengths(pairs: Pairs) -> np.ndarray:
    """Return the number of words of every candidate."""
    return np.array([len(text.split()) for text in pairs.candidates], dtype=float)


def dev_model(name: str) -> str:
    """Return the folder of a model that shared/models/assemble.py has made."""
    folder = MODELS / name
    if not folder.is_dir():
        raise SystemExit(f"{folder} does not exist: run python {SHARED / 'models' / 'assemble.py'} {name}")
    return str(folder)
