"""Annotation: the teacher's own scores, equal pairs once, resumed after a kill, and bad input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from sacrebleu.metrics import CHRF

from farthing.core import registry
from farthing.core.errors import FarthingError, InputError, MissingInput
from farthing.core.metric import Metric
from farthing.core.progress import Progress, silent, watching
from farthing.core.registry import load_pairs_metric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.learn.annotate import annotate
from farthing.learn.data.store import PairTable, read_pairs, write_pairs
from farthing.learn.teacher import Teacher
from farthing.scoring import journal


class Counting(Metric):
    """A metric that counts what it is asked, and that can be told to fail."""

    about = MetricInfo("counting", "length of the candidate", "", (0, None))
    asked: ClassVar[list[str]] = []
    fail_at = 10**9

    def score_pairs(self, pairs: Pairs) -> Scores:
        self.asked.extend(pairs.candidates)
        if len(self.asked) > self.fail_at:
            raise KeyboardInterrupt
        segments = np.array([float(len(text)) for text in pairs.candidates])
        return Scores(float(segments.mean()), segments, Signature("counting"))


class NeedsSource(Counting):
    about = MetricInfo("sourced", "", "", (0, None), needs=frozenset({"source"}))


class Constant(Counting):
    def score_pairs(self, pairs: Pairs) -> Scores:
        return Scores(1.0, np.ones(len(pairs)), Signature("constant"))


class Ranked(Counting):
    """Gives every row its place among all rows, so that it needs them all."""

    about = MetricInfo("ranked", "", "", (0, None))

    def finish(self, scores: Scores) -> Scores:
        return replace(scores, segments=np.argsort(np.argsort(np.asarray(scores.segments), kind="stable")))


@pytest.fixture(autouse=True)
def metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"counting": Counting, "sourced": NeedsSource, "constant": Constant, "ranked": Ranked}
    for name, target in made.items():
        monkeypatch.setitem(registry._ADDED["metric"], name, target)
    monkeypatch.setattr(Counting, "asked", [])
    monkeypatch.setattr(Counting, "fail_at", 10**9)
    monkeypatch.setattr(journal, "SHARD", 10)


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


def test_an_interrupted_run_resumes(pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "fail_at", 25)
    with pytest.raises(KeyboardInterrupt):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    assert not (tmp_path / "out.parquet").exists()
    monkeypatch.setattr(Counting, "fail_at", 10**9)
    Counting.asked.clear()
    done: list[int] = []

    @contextmanager
    def bar(title: str, total: int | None) -> Iterator[Progress]:
        assert (title, total) in (("reading", None), ("reading", 45), ("scoring", 45))
        yield done.append if title == "scoring" else silent

    with watching(bar):
        table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    assert len(Counting.asked) == 25  # two shards of ten were known
    assert sum(done) == 45
    assert table.scores.tolist() == [len(text) for text in table.candidates]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["out.parquet", "pairs.parquet"]


KILLED = """
import os, signal, sys
from pathlib import Path
import numpy as np
import farthing
from farthing.core.metric import Metric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Scores
from farthing.learn.annotate import annotate
from farthing.learn.teacher import Teacher
from farthing.scoring import journal

source, target, log, fatal = sys.argv[1:]
journal.SHARD = 7

class Mortal(Metric):
    about = MetricInfo("mortal", "", "", (0, None))

    def score_pairs(self, pairs):
        with open(log, "a") as lines:
            lines.write("".join(f"{text}\\n" for text in pairs.candidates))
        if len(Path(log).read_text().splitlines()) > int(fatal):
            os.kill(os.getpid(), signal.SIGKILL)
        segments = np.array([1 / (1 + len(text)) for text in pairs.candidates])
        return Scores(float(segments.mean()), segments, Signature("mortal"))

farthing.register("metric", "mortal", Mortal)
annotate(source, target, Teacher("mortal + chrf"))
"""


def test_a_killed_run_resumes_to_the_same_file(pairs_file: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(KILLED)

    def run(name: str, log: str, fatal: int) -> int:
        arguments = [pairs_file, tmp_path / name, tmp_path / log, fatal]
        return subprocess.run([sys.executable, script, *map(str, arguments)], check=False, env=os.environ).returncode

    assert run("whole.parquet", "whole.log", 10**6) == 0
    assert run("killed.parquet", "killed.log", 24) == -signal.SIGKILL
    assert not (tmp_path / "killed.parquet").exists()
    assert run("killed.parquet", "rest.log", 10**6) == 0
    assert (tmp_path / "killed.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    whole, rest = ((tmp_path / name).read_text().splitlines() for name in ("whole.log", "rest.log"))
    assert rest == whole[21:]  # three shards of seven were known
    assert not list(tmp_path.glob(".*.partial"))


def test_scores_that_need_the_whole_corpus(pairs_file: Path, tmp_path: Path) -> None:
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher("ranked"))
    assert sorted(set(table.scores.tolist())) == list(range(45))  # not five times the places of a shard


def test_sentsim_as_published_ranges_over_all_pairs(
    pairs_file: Path, tmp_path: Path, tiny_model: Callable[..., Path]
) -> None:
    spec = f"sentsim(model={tiny_model('bert')}, combine=published, threads=1)"
    table = annotate(pairs_file, tmp_path / "out.parquet", Teacher(spec), source_column="reference")
    pairs = Pairs(table.candidates[:45], [[]] * 45, table.references[:45])  # the other five are repeated
    assert table.scores[:45] == pytest.approx(np.asarray(load_pairs_metric(spec).score(pairs).segments), abs=1e-6)


def test_other_weights_do_not_use_the_unfinished_run(
    pairs_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spec stays the same, the file that it names does not."""
    weights = tmp_path / "weights.txt"
    monkeypatch.setattr(Counting, "assets", classmethod(lambda cls, options: [str(weights)]))
    weights.write_text("old")
    monkeypatch.setattr(Counting, "fail_at", 25)
    with pytest.raises(KeyboardInterrupt):
        annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    weights.write_text("new")
    monkeypatch.setattr(Counting, "fail_at", 10**9)
    Counting.asked.clear()
    annotate(pairs_file, tmp_path / "out.parquet", Teacher("counting"))
    assert len(Counting.asked) == 45


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
