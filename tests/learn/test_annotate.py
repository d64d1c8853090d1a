"""Annotation: the teacher's own scores, equal pairs once, resumed after a stop, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from farthing.core import registry
from farthing.core.errors import FarthingError, InputError, MissingInput, SpecError, UsageError
from farthing.core.metric import Metric
from farthing.core.registry import metric_options
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.learn import annotate as module
from farthing.learn.annotate import annotate
from farthing.learn.data.store import PairTable, read_pairs, write_pairs
from farthing.learn.teacher import Teacher, parse_teacher


class Counting(Metric):
    """A metric that counts what it is asked, and that can be told to fail."""

    about = MetricInfo("counting", "length of the candidate", "", (0, None))
    asked: ClassVar[list[str]] = []
    fail_at = 10**9

    def score(self, pairs: Pairs) -> Scores:
        self.asked.extend(pairs.candidates)
        if len(self.asked) > self.fail_at:
            raise KeyboardInterrupt
        segments = np.array([float(len(text)) for text in pairs.candidates])
        return Scores(float(segments.mean()), segments, Signature("counting"))


class NeedsSource(Counting):
    about = MetricInfo("sourced", "", "", (0, None), needs=frozenset({"source"}))


class Constant(Counting):
    def score(self, pairs: Pairs) -> Scores:
        return Scores(1.0, np.ones(len(pairs)), Signature("constant"))


@pytest.fixture(autouse=True)
def metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {"counting": Counting, "sourced": NeedsSource, "constant": Constant}
    for name, target in made.items():
        monkeypatch.setitem(registry._ADDED["metric"], name, target)
    monkeypatch.setattr(Counting, "asked", [])
    monkeypatch.setattr(Counting, "fail_at", 10**9)
    monkeypatch.setattr(module, "STRETCH", 10)


@pytest.fixture
def pairs_file(tmp_path: Path, corpus: list[str]) -> Path:
    columns = {"candidate": corpus[:45] + corpus[:5], "reference": corpus[1:46] + corpus[1:6]}
    write_pairs(tmp_path / "pairs.parquet", PairTable(columns, {"recipe": "{}"}))
    return tmp_path / "pairs.parquet"


def test_scores_are_the_metrics_own(pairs_file: Path, tmp_path: Path) -> None:
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("chrf"))
    rows = zip(table.candidates, table.references, strict=True)
    wanted = [CHRF().sentence_score(candidate, [reference]).score for candidate, reference in rows]
    assert table.scores == pytest.approx(wanted, abs=1e-9)
    back = read_pairs(tmp_path / "out.parquet", scored=True)
    assert back.notes["teacher"] == "chrf"
    assert back.notes["signature"].startswith("chrf|nrefs:1")
    assert back.notes["recipe"] == "{}"


def test_equal_pairs_are_scored_once(pairs_file: Path, tmp_path: Path) -> None:
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    assert len(Counting.asked) == 45
    assert len(table) == 50
    assert table.scores[:5].tolist() == table.scores[45:].tolist()


def test_a_stopped_run_goes_on(pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "fail_at", 25)
    with pytest.raises(KeyboardInterrupt):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    assert not (tmp_path / "out.parquet").exists()
    monkeypatch.setattr(Counting, "fail_at", 10**9)
    Counting.asked.clear()
    done: list[int] = []
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"), progress=done.append)
    assert len(Counting.asked) == 25  # two stretches of ten were known
    assert sum(done) == 45
    assert table.scores.tolist() == [len(text) for text in table.candidates]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.parquet", "pairs.parquet"]


def test_another_teacher_does_not_use_the_notes(
    pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counting, "fail_at", 25)
    with pytest.raises(KeyboardInterrupt):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("chrf"))
    assert table.scores.max() <= 100


def test_weighted_mean_of_teachers(pairs_file: Path, tmp_path: Path) -> None:
    both = annotate(pairs_file, tmp_path / "both.parquet", Teacher("3*chrf + 1*counting"))
    one, two = (annotate(pairs_file, tmp_path / f"{name}.parquet", Teacher(name)) for name in ("chrf", "counting"))
    assert both.scores == pytest.approx((3 * one.scores + two.scores) / 4)
    scaled = annotate(pairs_file, tmp_path / "scaled.parquet", Teacher("chrf + counting", standardise=True)).scores
    distinct = {(c, r): s for c, r, s in zip(both.candidates, both.references, scaled, strict=True)}
    assert np.mean(list(distinct.values())) == pytest.approx(0, abs=1e-9)


def test_reading_teachers() -> None:
    parts = parse_teacher("0.25*bertscore(model='/a + b/c', layer=3) + chrf")
    assert [(part.weight, part.spec.name) for part in parts] == [(0.25, "bertscore"), (1.0, "chrf")]
    assert parts[0].spec.options["model"] == "/a + b/c"
    with pytest.raises(SpecError, match="twice"):
        parse_teacher("chrf + chrf")
    with pytest.raises(SpecError, match="zero"):
        parse_teacher("0*chrf")


def test_a_teacher_that_needs_a_source(pairs_file: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="sourced needs a source for every pair, and these pairs have none"):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("sourced"))
    with pytest.raises(InputError, match="no column 'src'"):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("sourced"), source_column="src")
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("sourced"), source_column="reference")
    assert len(table) == 50


def test_constant_scores_teach_nothing(pairs_file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gives every pair the same score \(1\)"):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("constant"))


def test_a_set_metric_cannot_teach() -> None:
    with pytest.raises(UsageError, match="cannot teach"):
        Teacher("fid(model=x)") if "model" in metric_options("fid") else Teacher("fid")


def test_a_full_disk_loses_nothing(pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FarthingError, match="No space left on device"):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    monkeypatch.undo()
    assert not (tmp_path / "out.parquet").exists()


def test_no_folder_for_the_output(pairs_file: Path, tmp_path: Path) -> None:
    with pytest.raises(FarthingError, match="does not exist"):
        annotate(pairs_file, tmp_path / "nowhere" / "out.parquet", Teacher("chrf"))
