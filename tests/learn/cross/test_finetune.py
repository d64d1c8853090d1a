"""Fine-tuning on people's scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from transformers import AutoModelForSequenceClassification

from farthing.core.errors import OutputError, UnknownName, UsageError
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.finetune import finetune, normalised, split_off, train_on
from farthing.learn.cross.scores import correlation, torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.dataset import tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable
from farthing.metrics.frugalscore import FrugalScore

QUICK = CrossSettings(epochs=2, batch=16, rate=3e-3, warm_up=0.0, checks=2, limit=64, threads=1)


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
    distil_table(
        scored_table, tmp_path / "d", Start(str(encoder)), CrossSettings(epochs=4, rate=3e-3, checks=1, threads=1)
    )
    before = FrugalScore(model=str(tmp_path / "d")).score(sets[1].pairs).segments
    still = CrossSettings(epochs=1, rate=1e-12, warm_up=0.0, checks=1, threads=1)
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
    kept, held = split_off(sets, seed=1)
    assert [len(one) for one in kept] == [108, 108, 108]
    assert [len(one) for one in held] == [12, 12, 12]
    with pytest.raises(UsageError, match="only 4 judged pairs"):
        split_off([sets[0].taking(range(4))], seed=1)


def test_a_changed_call_does_not_resume_a_run(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    train_on(Start(str(encoder)), sets[:1], sets[1:], tmp_path / "run", QUICK)
    with pytest.raises(OutputError, match="other settings or data"):
        train_on(Start(str(encoder)), sets[:1], sets[1:], tmp_path / "run", QUICK, freeze=True)


def test_an_interrupted_run_resumes_after_its_last_epoch(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    """The plug is pulled when the first epoch has been checked."""

    def pull(line: str) -> None:
        raise KeyboardInterrupt

    finetune(Start(str(encoder)), sets[:1], tmp_path / "whole", QUICK, validation=sets[1:])
    with pytest.raises(KeyboardInterrupt):
        finetune(Start(str(encoder)), sets[:1], tmp_path / "out", QUICK, validation=sets[1:], log=pull)
    finetune(Start(str(encoder)), sets[:1], tmp_path / "out", QUICK, validation=sets[1:])
    for name in ("model.safetensors", "history.json", "tokenizer.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_an_unknown_normalisation() -> None:
    with pytest.raises(UnknownName, match="did you mean 'zscore'"):
        normalised(np.ones(3), "z-score")  # type: ignore[arg-type]
