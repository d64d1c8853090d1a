"""The paper's Table 1 and its three figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers
from transformers import AutoModelForSequenceClassification

from farthing.core.errors import UsageError
from farthing.core.registry import load_pairs_metric
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable
from farthing.learn.study.table import (
    MetricMeasures,
    measure_rows,
    measure_table,
    measure_tables,
    metric_parameters,
    summarise,
    summary_rows,
    write_measures,
)
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.metrics.frugalscore import FrugalScore

QUICK = CrossSettings(epochs=2, batch=16, rate=3e-3, warm_up=0.0, checks=2, limit=64, threads=1)


def test_the_table(encoder: Path, scored_table: PairTable, sets: list[Judged], tmp_path: Path) -> None:
    distil_table(scored_table, tmp_path / "s", Start(str(encoder)), QUICK)
    rows = measure_table(sets[:2], "chrf", [str(tmp_path / "s")], ["ter"])
    assert [row.role for row in rows] == ["teacher", "student", "metric"]
    assert rows[0].teacher == pytest.approx({"first": 1.0, "second": 1.0})
    assert rows[2].teacher["first"] > 0  # an error rate is turned round before it is compared
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "s")
    assert rows[1].parameters == sum(part.numel() for part in model.parameters())
    metric = FrugalScore(model=str(encoder_with_head(tmp_path, model)))
    assert metric_parameters(metric) == rows[1].parameters  # counted from the weights' head, without a note


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
        MetricMeasures("t", "teacher", {"x": 0.5, "y": 0.8}, {}, 60.0, 110_000_000),
        MetricMeasures("s", "student", {"x": 0.45, "y": 0.8}, {}, 2.0, 4_400_000),
        MetricMeasures("m", "metric", {"x": 0.1, "y": 0.1}, {}, 1.0, 0),
    ]
    [only] = summarise(rows)
    assert (only.retained, only.speed_up, only.parameter_ratio) == pytest.approx((0.95, 30.0, 25.0))


def test_the_table_is_printed_and_written(tmp_path: Path) -> None:
    rows = [
        MetricMeasures("bertscore(model=/a/b)", "teacher", {"x": 0.5}, {"x": 1.0}, 60.0, 110_000_000),
        MetricMeasures("s", "student", {"x": 0.45}, {"x": 0.9}, 2.0, 0),
    ]
    shown = measure_rows(rows)
    assert shown[0] == {
        "": "bertscore(model=b)", "role": "teacher", "people:x": "50.0", "teacher:x": "100.0", "seconds": "60.00",
        "parameters": "110.0M",
    }  # fmt: skip
    [summary] = summary_rows(summarise(rows))
    assert summary == {
        "student": "s", "performance retained": "90.0 %", "speed-up": "30.0x", "parameters": "infx fewer"
    }  # fmt: skip
    write_measures(tmp_path / "t.json", rows)
    assert json.loads((tmp_path / "t.json").read_text())["rows"][1]["human"] == {"x": 0.45}


def test_the_mean_over_several_students() -> None:
    students = [MetricMeasures(name, "student", {"x": value}, {}, 2.0, 10) for name, value in (("a", 0.4), ("b", 0.6))]
    rows = [MetricMeasures("t", "teacher", {"x": 0.5}, {}, 60.0, 110), *students]
    assert summarise(rows)[-1].name == "mean"
    assert summarise(rows)[-1].retained == pytest.approx(1.0)


def test_a_table_needs_data_and_students(sets: list[Judged]) -> None:
    with pytest.raises(UsageError, match="at least one student"):
        measure_table(sets, "chrf", [])


def test_several_teachers_have_a_table_each_and_every_metric_is_scored_once(sets: list[Judged]) -> None:
    said: list[str] = []
    tables = measure_tables(sets[:1], ["chrf", "bleu"], ["ter"], log=said.append)
    assert list(tables) == ["chrf", "bleu"]
    assert [[row.name for row in rows] for rows in tables.values()] == [["chrf", "ter"], ["bleu", "ter"]]
    assert tables["chrf"][1].seconds == tables["bleu"][1].seconds
    assert tables["chrf"][1].teacher != tables["bleu"][1].teacher
    assert said == ["scoring with chrf", "scoring with bleu", "scoring with ter"]


def test_only_the_layers_that_are_read_count_as_parameters(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert", layers=4))
    two, four = (metric_parameters(BertScore(model=folder, layer=layer)) for layer in (2, 4))
    model = transformers.AutoModel.from_pretrained(folder)
    above = sum(part.numel() for layer in model.encoder.layer[2:] for part in layer.parameters())
    assert four - two == above


@pytest.mark.parametrize(("size", "layers", "width"), [("small", 8, 384), ("tiny", 3, 384)])
def test_the_parameters_of_an_embedded_student_are_those_of_its_transformer(size: str, layers: int, width: int) -> None:
    """A layer of BERT has 12 width² + 13 width of them, the table one vector per token and position."""
    expected = layers * (12 * width**2 + 13 * width) + (30522 + 512) * width
    assert metric_parameters(load_pairs_metric(f"frugalscore(size={size})")) == pytest.approx(expected, rel=0.01)
