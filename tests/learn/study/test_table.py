"""The paper's Table 1 and its three figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForSequenceClassification

from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.students import Start
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable
from farthing.learn.study.table import Measured, measure_table, parameters, summarise
from farthing.learn.train.settings import Settings
from farthing.metrics.frugalscore import FrugalScore

QUICK = Settings(epochs=2, batch=16, rate=3e-3, warmup=0.0, checks=2, limit=64, threads=1)


def test_the_table(encoder: Path, scored_table: PairTable, sets: list[Judged], tmp_path: Path) -> None:
    distil_table(scored_table, tmp_path / "s", Start(str(encoder)), QUICK)
    rows = measure_table(sets[:2], "chrf", [str(tmp_path / "s")], ["ter"])
    assert [row.role for row in rows] == ["teacher", "student", "metric"]
    assert rows[0].teacher == pytest.approx({"first": 1.0, "second": 1.0})
    assert rows[2].teacher["first"] > 0  # an error rate is turned round before it is compared
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "s")
    assert rows[1].parameters == sum(part.numel() for part in model.parameters())
    metric = FrugalScore(model=str(encoder_with_head(tmp_path, model)))
    assert parameters(metric) == rows[1].parameters  # counted from the weights' head, without a note


def encoder_with_head(tmp_path: Path, model: Any) -> Path:
    import shutil

    place = tmp_path / "bare"
    shutil.copytree(tmp_path / "s", place)
    config = json.loads((place / "config.json").read_text())
    del config["farthing"]
    (place / "config.json").write_text(json.dumps(config))
    return place


def test_the_three_figures() -> None:
    rows = [
        Measured("t", "teacher", {"x": 0.5, "y": 0.8}, {}, 60.0, 110_000_000),
        Measured("s", "student", {"x": 0.45, "y": 0.8}, {}, 2.0, 4_400_000),
        Measured("m", "metric", {"x": 0.1, "y": 0.1}, {}, 1.0, 0),
    ]
    [only] = summarise(rows)
    assert (only.retained, only.speed_up, only.parameter_ratio) == pytest.approx((0.95, 30.0, 25.0))
