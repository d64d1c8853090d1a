"""Fine-tuning on people's scores, the leave-one-out protocol, ablation and the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import AutoModelForSequenceClassification

from farthing.core.errors import FarthingError, InputError, UsageError
from farthing.core.types import Pairs
from farthing.encoders.tokenize import read_json
from farthing.learn.ablate import Left, ablate, balanced, changes, largest_size
from farthing.learn.dataset import tokenised
from farthing.learn.distil import distil_table
from farthing.learn.export.check import correlation, torch_scores
from farthing.learn.finetune import finetune, normalised, split
from farthing.learn.humans import Judged, grouped_pearson, read_judged
from farthing.learn.protocol import Cell, as_rows, chosen, leave_one_out
from farthing.learn.settings import Settings
from farthing.learn.store import PairTable, write_pairs
from farthing.learn.students import Start
from farthing.learn.table import Measured, measure_table, parameters, summarise
from farthing.metrics.frugalscore import FrugalScore

QUICK = Settings(epochs=2, batch=16, rate=3e-3, warmup=0.0, checks=2, limit=64, threads=1)


def judged(name: str, table: PairTable, rows: slice, scale: float = 1.0, shift: float = 0.0) -> Judged:
    scores = scale * table.scores[rows] + shift
    references = [[text] for text in table.references[rows]]
    return Judged(name, table.candidates[rows], references, scores, ["all"] * len(references))


@pytest.fixture(scope="module")
def sets(scored_table: PairTable) -> list[Judged]:
    """Three data sets whose people use different scales."""
    return [
        judged("first", scored_table, slice(0, 120)),
        judged("second", scored_table, slice(120, 240), 100, 7),
        judged("third", scored_table, slice(240, 360), 5, -3),
    ]


def test_the_best_epoch_is_what_is_written(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    found = finetune(Start(str(encoder)), sets[:2], tmp_path / "out", QUICK, validation=[sets[2]])
    assert len(found.scores.rows) == 2
    best = max(row["third"] for row in found.scores.rows)
    model = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out").eval()
    rows = tokenised(tmp_path / "out", sets[2].candidates, [texts[0] for texts in sets[2].references], 64)
    assert correlation(sets[2].scores, torch_scores(model, rows, 0)) == pytest.approx(best, abs=1e-6)
    facts = read_json(tmp_path / "out" / "config.json")["farthing"]["finetuned"]
    assert facts["validation"]["third"] == pytest.approx(best)
    assert facts["human"] == ["first", "second"]
    assert not (tmp_path / "out.run").exists()


def test_a_distilled_student_keeps_its_knowledge_and_facts(
    encoder: Path, scored_table: PairTable, sets: list[Judged], tmp_path: Path
) -> None:
    """With a rate of almost nothing the ranking of a distilled student stays, whatever scale people use."""
    distil_table(scored_table, tmp_path / "d", Start(str(encoder)), Settings(epochs=4, rate=3e-3, checks=1, threads=1))
    before = FrugalScore(model=str(tmp_path / "d")).score(sets[1].pairs).segments
    still = Settings(epochs=1, rate=1e-12, warmup=0.0, checks=1, threads=1)
    finetune(Start(str(tmp_path / "d")), [sets[1]], tmp_path / "f", still)
    after = FrugalScore(model=str(tmp_path / "f")).score(sets[1].pairs).segments
    assert correlation(np.asarray(before), np.asarray(after)) > 0.9999
    assert abs(np.mean(after)) < 0.5  # standardised targets: the head was turned to their scale
    assert read_json(tmp_path / "f" / "config.json")["farthing"]["teacher"] == "overlap"


def test_freezing_trains_the_head_alone(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    finetune(Start(str(encoder)), sets[:1], tmp_path / "out", QUICK, validation=sets[1:], freeze=True)
    kept = AutoModelForSequenceClassification.from_pretrained(tmp_path / "out").state_dict()
    original = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1).state_dict()
    assert all(value.equal(original[name]) for name, value in kept.items() if "encoder" in name)
    assert not kept["bert.pooler.dense.weight"].equal(original["bert.pooler.dense.weight"])


def test_normalising_one_set() -> None:
    scores = np.array([10.0, 20.0, 60.0])
    assert normalised(scores, "zscore").mean() == pytest.approx(0)
    assert normalised(scores, "zscore").std() == pytest.approx(1)
    assert normalised(scores, "range").tolist() == pytest.approx([0, 0.2, 1])
    assert normalised(scores, "none") is scores


def test_splitting_needs_enough(sets: list[Judged]) -> None:
    kept, held = split(sets, seed=1)
    assert [len(one) for one in kept] == [108, 108, 108]
    assert [len(one) for one in held] == [12, 12, 12]
    with pytest.raises(UsageError, match="only 4 judged pairs"):
        split([sets[0].taking(range(4))], seed=1)


def test_the_epoch_is_chosen_without_the_test_set() -> None:
    epochs = [{"a": 0.9, "b": 0.1, "c": 0.2}, {"a": 0.5, "b": 0.6, "c": 0.4}]
    assert chosen(epochs, "a") == 0.5  # b and c are better after the second epoch
    assert chosen(epochs, "b") == 0.1  # a and c: .55 against .45
    assert chosen(epochs, "c") == 0.4


def test_the_protocol_of_table_2(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    starts = {"encoder": Start(str(encoder)), "fresh": Start("tiny", tokenizer=str(encoder))}
    quick = Settings(epochs=1, batch=32, rate=1e-3, warmup=0.0, checks=1, limit=40, threads=1)
    cells = leave_one_out(starts, sets, tmp_path / "run", quick, seeds=2)
    assert len(cells) == 2 * 3 * 2  # students, training sets, test sets
    assert {(cell.trained, cell.tested) for cell in cells if cell.trained == cell.tested} == set()
    rows = as_rows(cells)
    assert [row["trained on"] for row in rows] == ["first", "first", "second", "second", "third", "third"]
    assert rows[0]["first"] == "-"
    assert not list((tmp_path / "run").iterdir())
    with pytest.raises(UsageError, match="at least three"):
        leave_one_out(starts, sets[:2], tmp_path / "run")


def test_rows_of_the_protocol() -> None:
    cells = [Cell("s", "a", "b", 0.5, 0.01), Cell("s", "a", "c", 0.7, 0.0)]
    row = {"trained on": "a", "student": "s", "b": "50.0 ±1.0", "c": "70.0 ±0.0", "average": "60.0"}
    assert as_rows(cells) == [row]


def two_sources(table: PairTable) -> PairTable:
    """Half of the pairs of one source, then a third one that is smaller."""
    count = len(table)
    sources = ["good"] * (count // 2) + ["bad"] * (count // 4) + ["rest"] * (count - count // 2 - count // 4)
    return PairTable({**table.columns, "source": sources}, table.notes)


def test_ablation_leaves_out_each_source(
    encoder: Path, scored_table: PairTable, sets: list[Judged], tmp_path: Path
) -> None:
    write_pairs(tmp_path / "scored.parquet", two_sources(scored_table))
    quick = Settings(epochs=1, batch=16, rate=1e-3, checks=1, limit=40, threads=1)
    said: list[str] = []
    arguments: Any = (tmp_path / "scored.parquet", tmp_path / "out", Start(str(encoder)), quick)
    found = ablate(*arguments, human=[sets[0]], say=said.append)
    assert [one.source for one in found] == ["", "bad", "good", "rest"]
    assert len({one.pairs for one in found}) == 1  # every run has the same size, as in the paper
    assert (tmp_path / "out" / "ablation.png").stat().st_size > 1000
    assert len(json.loads((tmp_path / "out" / "ablation.json").read_text())) == 4
    assert ablate(*arguments, human=[sets[0]]) == found  # from its notes, without training again


def test_balanced_samples(scored_table: PairTable) -> None:
    table = two_sources(scored_table)
    size = largest_size(table, ["bad", "good", "rest"])
    assert size == 2 * 100
    chosen_rows = balanced(table, ["good", "rest"], size, seed=1)
    assert [chosen_rows.columns["source"].count(name) for name in ("good", "rest")] == [100, 100]
    with pytest.raises(UsageError, match="bad has only 100 pairs"):
        balanced(table, ["bad"], 101, seed=1)


def test_changes_are_relative_to_all_sources() -> None:
    found = [Left("", 9, 0.5, 0.9), Left("x", 9, 0.4, 0.9), Left("y", 9, 0.55, 0.1)]
    assert changes(found) == pytest.approx({"x": -20.0, "y": 10.0})
    without_people = [Left("", 9, None, 0.8), Left("x", 9, None, 0.6)]
    assert changes(without_people) == pytest.approx({"x": -25.0})


def test_one_source_cannot_be_ablated(scored_file: Path, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one source"):
        ablate(scored_file, tmp_path / "out", Start(str(encoder)), QUICK)


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


def test_reading_judged_pairs(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    rows = [
        {"candidate": "a b", "reference": "a", "score": 1, "lp": "de-en"},
        {"candidate": "a c", "reference": ["a", "c"], "score": 2, "lp": "de-en"},
        {"candidate": "x", "reference": "y", "score": None, "lp": "de-en"},
        {"candidate": "b", "reference": "b", "score": 5, "lp": "fi-en"},
        {"candidate": "q", "reference": "q", "score": 9, "lp": "en-ru"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    found = read_judged(str(path), only="-en")
    assert found.scores.tolist() == [1, 2, 5]
    assert found.flat()[0] == ["a b", "a c", "a c", "b"]
    assert isinstance(found.pairs, Pairs)
    path.write_text("\n".join(json.dumps({**row, "score": 3}) for row in rows))
    with pytest.raises(InputError, match=r"all human scores are the same \(3\)"):
        read_judged(str(path))
    with pytest.raises(FarthingError, match="too few"):
        read_judged(str(path), only="-fr")


def test_constant_groups_are_left_out() -> None:
    human, scores = np.array([1.0, 2, 3, 4, 4, 4]), np.array([1.0, 2, 3, 1, 2, 3])
    assert grouped_pearson(human, scores, list("aaabbb")) == pytest.approx(1)
    with pytest.raises(InputError, match="no group"):
        grouped_pearson(human[3:], scores[3:], list("bbb"))
