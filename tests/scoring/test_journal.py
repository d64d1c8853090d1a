"""A run that is killed resumes to the same bytes; another run in the same folder is refused."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.core.errors import OutputError
from farthing.core.types import Pairs, Sets
from farthing.files.inputs import Given
from farthing.files.run import read_run
from farthing.scoring.score import choose, score

CALL = ("score", "a.txt", "b.txt", "-r", "ref.txt", "-m", "chrf,bleu", "-q")
Start = Callable[..., "subprocess.Popen[bytes]"]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def killed_after(process: subprocess.Popen[bytes], run: Path, shards: int, pause: float) -> None:
    """Kill the process some moments after it has written so many shards."""
    while process.poll() is None and len(list(run.glob("shards/*.parquet"))) < shards:
        time.sleep(0.002)
    time.sleep(pause)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_killed_five_times_and_resumed_is_the_run_that_was_never_killed(many: Path, started: Start) -> None:
    whole = started(many, *CALL, "-o", "whole/")
    assert whole.communicate()[1] == b""
    random, partial = np.random.default_rng(14), 0
    for _ in range(5):
        shards, pause = int(random.integers(0, 3)), float(random.uniform(0, 0.1))
        killed_after(started(many, *CALL, "-o", "killed/"), many / "killed", shards, pause)
        partial += (many / "killed" / "manifest.json").exists() and not read_run(many / "killed").complete
    assert partial  # at least one of the kills met a run that had begun and was not complete
    last = started(many, *CALL, "-o", "killed/")
    assert last.communicate()[1] == b""
    assert content(many / "killed") == content(many / "whole")
    names = [name[:13] for name in sorted(content(many / "whole"))]
    assert names == ["manifest.json", "results.json", *(f"shards/{number:06}" for number in range(3))]


def pairs(count: int, system: str = "a") -> Pairs:
    random = np.random.default_rng(count)
    texts = [" ".join(random.choice(["cat", "dog", "sat", "ran"], 4)) for _ in range(2 * count)]
    return Pairs.of(texts[:count], texts[count:], system=system)


def test_a_run_holds_what_was_scored(tmp_path: Path) -> None:
    data = pairs(1500)
    whole = score(choose("bleu,chrf(word_order=2)"), Given([data]), run=tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert (run.complete, run.systems, run.metrics) == (True, ["a"], ["bleu", "chrf(word_order=2)"])
    for place, label in enumerate(run.labels):
        expected, found = whole.rows[0].cells[place].scores, run.scores(label, "a")
        assert found.corpus == expected.corpus
        assert np.array_equal(found.segments, expected.segments)
        assert str(found.signature) == str(expected.signature)
    assert run.pairs()[0].candidates == list(data.candidates)
    assert len(run.table()) == 1500


def test_scores_are_those_of_a_run_that_is_not_kept(tmp_path: Path) -> None:
    data = [pairs(1100), pairs(1100, "b")]
    kept = score(choose("bleu,chrf"), Given(data), test="bootstrap", run=tmp_path / "run")
    plain = score(choose("bleu,chrf"), Given(data), test="bootstrap")
    again = score(choose("bleu,chrf"), Given(data), test="bootstrap", run=tmp_path / "run")
    assert str(kept) == str(plain) == str(again)


@pytest.mark.parametrize(
    ("metrics", "data", "what"),
    [("chrf(beta=1)", 60, "its metrics"), ("chrf", 61, "its input")],
)
def test_another_run_is_refused(tmp_path: Path, metrics: str, data: int, what: str) -> None:
    score(choose("chrf"), Given([pairs(60)]), run=tmp_path / "run")
    before = content(tmp_path / "run")
    with pytest.raises(OutputError, match=f"holds another run .*{what}.*--overwrite"):
        score(choose(metrics), Given([pairs(data)]), run=tmp_path / "run")
    assert content(tmp_path / "run") == before
    score(choose(metrics), Given([pairs(data)]), run=tmp_path / "run", overwrite=True)
    assert read_run(tmp_path / "run").metrics == [metrics]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mine.txt").write_text("x")
    with pytest.raises(OutputError, match="already exists and is not a run"):
        score(choose("chrf"), Given([pairs(3)]), run=tmp_path / "letters")


def test_metrics_that_finish_over_all_rows_keep_their_final_segments(tmp_path: Path) -> None:
    from farthing.core.metric import Metric
    from farthing.core.signature import Signature
    from farthing.core.types import MetricInfo, Scores
    from farthing.scoring.score import Chosen

    class Ranked(Metric):
        """The length of the candidate, as a share of the longest of all."""

        about = MetricInfo("ranked", "for this test", "none", (0, 1))
        changes_segments = True

        def score_pairs(self, pairs: Pairs) -> Scores:
            lengths = np.array([len(text) for text in pairs.candidates], dtype=float)
            return self.finish(Scores(0.0, lengths, Signature("ranked"), {"length": lengths}))

        def finish(self, scores: Scores) -> Scores:
            segments = np.asarray(scores.parts["length"]) / np.max(scores.parts["length"])
            return Scores(float(segments.mean()), segments, scores.signature, scores.parts, system=scores.system)

    farthing.register("metric", "ranked", Ranked)
    texts = Pairs.of(["x" * (1 + row % 1300) for row in range(1300)], ["y"] * 1300)
    score([Chosen("ranked", Ranked())], Given([texts]), run=tmp_path / "run")
    found = read_run(tmp_path / "run").scores("ranked", "system")
    expected = np.array([1 + row % 1300 for row in range(1300)]) / 1300
    assert np.array_equal(found.segments, expected)
    assert found.corpus == pytest.approx(expected.mean())


def test_results_of_set_metrics_are_kept(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    sets = Sets(random.normal(size=(40, 4)), random.normal(size=(50, 4)), "a")
    found = score(choose("impar"), Given(sets=[sets]), run=tmp_path / "run")
    [kept] = read_run(tmp_path / "run").results()["results"]  # type: ignore[misc]
    assert kept["corpus"] == found.rows[0].cells[0].scores.corpus
    assert kept["parts"].keys() >= {"precision", "recall"}
    with pytest.raises(OutputError, match="its input"):
        score(choose("impar"), Given(sets=[Sets(sets.corpus, sets.generated, "a")]), run=tmp_path / "run")


def test_an_interrupt_prints_the_line_that_resumes(many: Path, started: Start) -> None:
    process = started(many, *CALL, "-o", "run/", "--workers", "1")
    while process.poll() is None and not list((many / "run").glob("shards/0*.parquet")):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1].decode()
    if process.returncode:  # else it was done before the signal came
        assert process.returncode == 130
        assert told == (
            "farthing: stopped; what was done so far is kept in run; this resumes it: "
            "farthing score a.txt b.txt -r ref.txt -m chrf,bleu -q -o run/ --workers 1\n"
        )
        partial = read_run(many / "run")
        assert not partial.complete
        assert partial.scores("chrf", "a.txt").notes[0].kind == "partial"
