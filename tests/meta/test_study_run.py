"""Studies in a folder; interruptions are in tests/test_resumed.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import OutputError
from farthing.core.specs import parse_specs
from farthing.core.types import Pairs
from farthing.files.journal import Journal
from farthing.files.rows import read_run_rows
from farthing.meta.gathered import gather_scores
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.study_run import STUDY, StudyRun


@pytest.fixture
def judgements() -> Judgements:
    candidates = ["a cat", "a dog", "the cat", "a bird"]
    texts = Pairs.of(candidates, ["a cat", "a log", "a cat", "a log"])
    scores = {"adequacy": np.array([1.0, 0.5, np.nan, 0.25])}
    rows = np.arange(4)
    return Judgements(texts, ("s", "s", "t", "t"), ("1", "2", "1", "2"), ("x",) * 4, scores, lines=rows, length=4)


def test_rows_have_what_people_and_metrics_said(judgements: Judgements, tmp_path: Path) -> None:
    specs = parse_specs("chrf,token_f1")
    run = StudyRun.open(tmp_path / "run", judgements, specs)
    found = gather_scores(judgements, specs, (), (), ScoreStore(run.parts))
    run.keep(judgements, found)
    run.close({"kind": "test"})
    table, complete = read_run_rows(tmp_path / "run", STUDY)
    assert complete
    assert table.column_names == ["group", "system", "segment", "human:adequacy", "chrf", "token_f1"]
    assert table.column("segment").to_pylist() == ["1", "2", "1", "2"]
    assert np.array_equal(table.column("human:adequacy"), judgements.scores["adequacy"], equal_nan=True)
    assert table.column("chrf").to_pylist() == found[0].values.tolist()
    assert Journal.read(tmp_path / "run").results() == {"kind": "test"}
    assert len(list(run.parts.iterdir())) == 2  # another question needs no scoring


def test_other_judgements_metrics_or_scores_are_refused(judgements: Judgements, tmp_path: Path) -> None:
    specs = parse_specs("chrf")
    (tmp_path / "mine.txt").write_text("1\n2\n3\n4\n")
    files = [f"mine={tmp_path / 'mine.txt'}"]
    StudyRun.open(tmp_path / "run", judgements, specs, files)
    StudyRun.open(tmp_path / "run", judgements, specs, files)
    with pytest.raises(OutputError, match="its metrics differ"):
        StudyRun.open(tmp_path / "run", judgements, parse_specs("bleu"), files)
    changes = {
        "scores": {"adequacy": np.array([1.0, 0.5, 0.5, 0.25])},
        "systems": ("s", "s", "t", "u"),
        "items": ("1", "2", "1", "3"),
        "groups": ("x", "x", "x", "y"),
        "texts": Pairs.of(["a cat", "a dog", "the cat", "a fish"], ["a cat", "a log", "a cat", "a log"]),
        "system_scores": {"adequacy": {("x", "s"): 1.0}},
    }
    for name, value in changes.items():
        with pytest.raises(OutputError, match="its input differ"):
            StudyRun.open(tmp_path / "run", replace(judgements, **{name: value}), specs, files)
    (tmp_path / "mine.txt").write_text("1\n2\n3\n5\n")
    with pytest.raises(OutputError, match="its score_files differ"):
        StudyRun.open(tmp_path / "run", judgements, specs, files)
    StudyRun.open(tmp_path / "run", judgements, specs, overwrite=True)
