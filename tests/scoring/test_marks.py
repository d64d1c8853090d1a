"""Marks in a run: those of the metric, resumed as they are, and only if they were asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import farthing
from farthing.core.errors import OutputError, UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.run import Run, read_run
from farthing.scoring import journal as journals
from farthing.scoring.score import choose, score

REFERENCES = [["The cat sat."], ["Dogs run fast.", "A dog is running."], ["It rains."]]
ONE = Pairs(["The dog sat.", "A dog runs.", "It RAINS today."], REFERENCES, system="one")
TWO = Pairs(["The cat sat.", "", "Rain."], REFERENCES, system="two")
SPEC = "frugalscore(size=tiny)"  # it reads every text by itself, so that its marks are the same to the last bit


def stored(folder: Path, specs: str, *, explain: bool = True) -> Run:
    score(choose(specs), Given([ONE, TWO]), run=folder, explain=explain)
    return read_run(folder)


def test_a_run_stores_the_marks_of_every_metric_that_makes_them(tmp_path: Path) -> None:
    run = stored(tmp_path / "run", f"{SPEC},chrf")
    metric = farthing.load(SPEC)
    for pairs in (ONE, TWO):
        expected = [metric.explain(text, row) for text, row in zip(pairs.candidates, pairs.references, strict=True)]
        assert run.marks("frugalscore", pairs.system) == expected
        assert run.marks(SPEC, pairs.system) == expected
        assert run.scores("frugalscore", pairs.system).parts.keys() == metric.score(pairs).parts.keys()
    assert run.journal.about["explained"] == [SPEC]
    with pytest.raises(UsageError, match="stores no marks of chrf: score again with --explain"):
        run.marks("chrf", "one")
    with pytest.raises(UnknownName, match="three"):
        run.marks("frugalscore", "three")


def test_marks_count_in_the_texts_that_were_read(tmp_path: Path) -> None:
    spec = "frugalscore(normalise=lower, size=tiny)"
    found = stored(tmp_path / "run", spec).marks("frugalscore", "one")[2]
    assert (found.candidate, found.reference) == ("it rains today.", "it rains.")
    assert found == farthing.load(spec).explain("It RAINS today.", "It rains.")


def test_a_run_is_resumed_with_its_marks_and_not_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stored(tmp_path / "whole", SPEC)
    monkeypatch.setattr(journals, "SHARD", 2)
    cut = stored(tmp_path / "cut", SPEC)
    assert len(cut.journal) == 2
    assert cut.marks(SPEC, "one") == whole.marks(SPEC, "one")
    assert stored(tmp_path / "cut", SPEC).marks(SPEC, "two") == whole.marks(SPEC, "two")
    with pytest.raises(OutputError, match="its explained differ"):
        stored(tmp_path / "cut", SPEC, explain=False)


def test_a_plain_run_says_nothing_of_marks(tmp_path: Path) -> None:
    run = stored(tmp_path / "run", SPEC, explain=False)
    assert "explained" not in run.journal.about
    assert "frugalscore:marks" not in run.table().column_names
