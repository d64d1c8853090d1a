"""A stored run as the baseline: the same test as with both systems at hand, and refusal of what differs."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given, Inputs
from farthing.files.run import Run, read_run
from farthing.scoring.against import compare_against
from farthing.scoring.score import choose, score

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "big", "red", "house", "today"]


def texts(seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 6)) for _ in range(50)]


REFERENCES, OLD, NEW = texts(0), texts(1), texts(2)
IDS = [str(row // 5) for row in range(50)]


def written(folder: Path, name: str, lines: list[str]) -> str:
    (folder / name).write_text("\n".join(lines) + "\n")
    return str(folder / name)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    pairs = replace(Pairs.of(OLD, REFERENCES, system="old.txt"), documents=IDS)
    score(choose("chrf,frugalscore(size=nano)"), Given([pairs]), run=tmp_path / "main")
    return read_run(tmp_path / "main")


def test_the_test_is_that_of_compare(run: Run, tmp_path: Path) -> None:
    found = compare_against(run, Inputs([written(tmp_path, "old.txt", NEW)], names=["old.txt"]), test="randomization")
    both = farthing.compare(
        {"old": OLD, "new": NEW}, REFERENCES, metrics="chrf,frugalscore(size=nano)", test="randomization", documents=IDS
    )
    assert [row.system for row in found.rows] == ["main/old.txt", "old.txt"]
    assert found.findings is not None
    assert found.findings.documents == 10  # the run has kept them
    for row, expected in zip(found.rows, both.rows, strict=True):
        for cell, other in zip(row.cells, expected.cells, strict=True):
            assert cell.scores.corpus == pytest.approx(other.scores.corpus)
            assert cell.interval is not None
            assert other.interval is not None
            assert astuple(cell.interval) == pytest.approx(astuple(other.interval))
            assert (cell.paired is None) == (other.paired is None)
            if cell.paired and other.paired:
                assert cell.paired.p_value == pytest.approx(other.paired.p_value, abs=0.002)


def test_some_metrics_of_the_run(run: Run, tmp_path: Path) -> None:
    new = Inputs([written(tmp_path, "new.txt", NEW)], names=["new"])
    assert compare_against(run, new, metrics="chrf").labels == ("chrf",)
    with pytest.raises(UnknownName, match=r"unknown metric of .*main 'bleu'"):
        compare_against(run, new, metrics="bleu")


def test_other_references_are_refused(run: Run, tmp_path: Path) -> None:
    new = written(tmp_path, "new.txt", NEW)
    same = Inputs([new], [written(tmp_path, "ref.txt", REFERENCES)], names=["new"])
    assert len(compare_against(run, same).rows) == 2
    other = Inputs([new], [written(tmp_path, "ref.txt", [*REFERENCES[:7], "other", *REFERENCES[8:]])], names=["new"])
    with pytest.raises(UsageError, match=r"the references differ from those of .*main in row 8"):
        compare_against(run, other)
    with pytest.raises(UsageError, match=r"49 outputs, but .*main has 50 segments"):
        compare_against(run, Inputs([written(tmp_path, "short.txt", NEW[:49])]))


def test_other_signatures_are_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Run.scores
    for other in ({"version": "0"}, {"fields": {"nrefs": 9}}):
        monkeypatch.setattr(
            Run,
            "scores",
            lambda *of, other=other: replace(scores := old(*of), signature=replace(scores.signature, **other)),
        )
        with pytest.raises(UsageError, match="was scored by another metric"):
            compare_against(run, Inputs([written(tmp_path, "new.txt", NEW)]), metrics="chrf")


def test_which_system_of_the_run(tmp_path: Path) -> None:
    systems = [Pairs.of(one, REFERENCES, system=name) for name, one in (("a", OLD), ("b", NEW))]
    score(choose("chrf"), Given(systems), run=tmp_path / "two")
    run, new = read_run(tmp_path / "two"), Inputs([written(tmp_path, "new.txt", NEW)], names=["new"])
    with pytest.raises(UsageError, match=r"several systems: name one with --baseline \(a, b\)"):
        compare_against(run, new)
    with pytest.raises(UnknownName, match="unknown system of"):
        compare_against(run, new, baseline="c")
    found = compare_against(run, new, baseline="b")
    assert found.baseline == "two/b"
    paired = found.rows[1].cells[0].paired
    assert paired is not None
    assert (paired.difference, paired.p_value) == (0, 1)


def test_runs_without_pairs_or_end_are_refused(run: Run, tmp_path: Path) -> None:
    new = Inputs([written(tmp_path, "new.txt", NEW)])
    vectors = np.random.default_rng(0).normal(size=(30, 3))
    score(choose("fid"), Given(sets=[farthing.Sets(vectors, vectors)]), run=tmp_path / "sets")
    with pytest.raises(UsageError, match="no metric of pairs"):
        compare_against(read_run(tmp_path / "sets"), new)
    run.journal.complete = False
    with pytest.raises(UsageError, match="the run is incomplete"):
        compare_against(run, new)
