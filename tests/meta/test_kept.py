"""Kept scores: what their folders are named after, what is read back, and what a broken folder does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from farthing.core.metric import Metric
from farthing.core.registry import register
from farthing.core.signature import Signature
from farthing.core.specs import parse_spec
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.files.run import read_run
from farthing.meta import kept as module
from farthing.meta.judgements import Judgements
from farthing.meta.kept import Counted, ScoreStore
from farthing.meta.scored import score_judgements

CHRF = parse_spec("chrf")


def corpus(rows: int, systems: int = 2) -> list[Pairs]:
    return [
        Pairs.of([f"text {row} of {place}" for row in range(rows)], [f"text {row}" for row in range(rows)], system=name)
        for place, name in enumerate("abc"[:systems])
    ]


def silent(rows: int) -> None: ...


class Lengths(Metric):
    """Counts the letters, then divides by the most letters of all rows; lower is better."""

    about = MetricInfo("lengths", "letters", "none", (0, None), higher_is_better=False)
    changes_segments = True
    stop_at = ""

    def score_pairs(self, pairs: Pairs) -> Scores:
        if self.stop_at in pairs.candidates:
            raise KeyboardInterrupt
        segments = np.array([len(text) for text in pairs.candidates], dtype=float)
        return Scores(float(segments.mean()), segments, Signature("lengths", {}), system=pairs.system)

    def finish(self, scores: Scores) -> Scores:
        assert scores.segments is not None
        segments = scores.segments / scores.segments.max()
        return replace(scores, segments=segments, corpus=float(segments.mean()))


@pytest.fixture
def lengths(monkeypatch: pytest.MonkeyPatch) -> type[Lengths]:
    """A metric of the test's own that changes its scores once all are known, with shards of four rows."""
    register("metric", "lengths", Lengths)
    monkeypatch.setattr("farthing.scoring.score.SHARD", 4, raising=False)
    monkeypatch.setattr("farthing.scoring.journal.SHARD", 4)
    monkeypatch.setattr(Lengths, "stop_at", "")
    return Lengths


def no_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load_pairs_metric", lambda spec: pytest.fail("the metric was loaded"))


def test_scores_are_kept_by_texts_and_options(tmp_path: Path, six_judged: Judgements) -> None:
    store = ScoreStore(tmp_path)
    score_judgements(six_judged, CHRF, store)
    before = set(tmp_path.iterdir())
    score_judgements(six_judged, CHRF, store)
    assert set(tmp_path.iterdir()) == before
    score_judgements(six_judged, parse_spec("chrf(beta=3)"), store)
    store.of(CHRF).scores([Pairs.of(["a"], ["b"])], silent)
    assert len(set(tmp_path.iterdir())) == len(before) + 2 + 1  # two groups, one corpus


def test_a_second_run_does_not_load_the_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ScoreStore(tmp_path).of(CHRF).scores(corpus(5), silent)
    no_metric(monkeypatch)
    again = ScoreStore(tmp_path).of(CHRF).scores(corpus(5), silent)
    assert again.segments.tolist() == first.segments.tolist()
    assert first.statistics is not None
    assert again.statistics is not None
    assert again.statistics.tolist() == first.statistics.tolist()
    assert (again.signature, again.higher_is_better) == (first.signature, True)


def test_a_model_that_is_found_by_name_is_scored_anew_when_its_weights_change(
    tmp_path: Path, tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, store = parse_spec("bertscore(model=mine,layer=1)"), ScoreStore(tmp_path / "kept")
    found = []
    for seed in (0, 1, 0):
        models = tmp_path / f"models{seed}"
        if not models.exists():
            shutil.copytree(tiny_model("bert", seed=seed), models / "mine")
        monkeypatch.setenv("FARTHING_MODELS", str(models))
        found.append(store.of(spec).scores(corpus(3), silent).segments.tolist())
        assert found[-1] == ScoreStore(None).of(spec).scores(corpus(3), silent).segments.tolist()
    assert found[0] != found[1]
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_an_interrupted_run_is_resumed(tmp_path: Path, lengths: type[Lengths]) -> None:
    metric = ScoreStore(tmp_path).of(parse_spec("lengths"))
    lengths.stop_at = "text 9 of 1"
    with pytest.raises(KeyboardInterrupt):
        metric.scores(corpus(11), silent)
    [folder] = tmp_path.iterdir()
    assert len(read_run(folder).journal) == 2
    lengths.stop_at = "text 0 of 0"  # what is complete is not scored again
    told: list[int] = []
    found = metric.scores(corpus(11), told.append)
    assert sum(told) == 22
    whole = [len(text) for pairs in corpus(11) for text in pairs.candidates]
    assert found.segments == pytest.approx(np.array(whole) / max(whole))
    assert not found.higher_is_better


def test_scores_that_are_finished_over_all_rows_are_read_back_finished(
    tmp_path: Path, lengths: type[Lengths], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = parse_spec("lengths")
    first = ScoreStore(tmp_path).of(spec).scores(corpus(11), silent)
    [folder] = tmp_path.iterdir()
    manifest = json.loads((folder / "manifest.json").read_text())  # as if it had been killed after the last shard
    (folder / "manifest.json").write_text(json.dumps({**manifest, "complete": False}))
    (folder / "finished.parquet").unlink()
    assert ScoreStore(tmp_path).of(spec).scores(corpus(11), silent).segments.tolist() == first.segments.tolist()
    assert first.segments.max() == 1
    no_metric(monkeypatch)
    again = ScoreStore(tmp_path).of(spec).scores(corpus(11), silent)
    assert again.segments.tolist() == first.segments.tolist()
    assert not again.higher_is_better


def test_fresh_scores_replace_the_kept_ones(tmp_path: Path, lengths: type[Lengths]) -> None:
    spec = parse_spec("lengths")
    first = ScoreStore(tmp_path).of(spec).scores(corpus(5), silent)
    lengths.stop_at = "text 0 of 0"
    assert ScoreStore(tmp_path).of(spec).scores(corpus(5), silent).segments.tolist() == first.segments.tolist()
    with pytest.raises(KeyboardInterrupt):
        ScoreStore(tmp_path, fresh=True).of(spec).scores(corpus(5), silent)


@pytest.mark.parametrize("name", ["manifest.json", "shards/000000-*.parquet"])
def test_a_broken_folder_counts_as_absent(tmp_path: Path, name: str) -> None:
    first = ScoreStore(tmp_path).of(CHRF).scores(corpus(3), silent).segments
    [folder] = tmp_path.iterdir()
    [file] = folder.glob(name)
    name = file.relative_to(folder).as_posix()
    for content in (b"broken", json.dumps({"format": 1, "about": {}, "shards": [], "complete": True}).encode()):
        (folder / name).write_bytes(content)
        assert ScoreStore(tmp_path).of(CHRF).scores(corpus(3), silent).segments.tolist() == first.tolist()
    (folder / name).unlink()
    assert ScoreStore(tmp_path).of(CHRF).scores(corpus(3), silent).segments.tolist() == first.tolist()
    assert read_run(folder).complete


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    expected = ScoreStore(None).of(CHRF).scores(corpus(3), silent).segments
    (tmp_path / "file").write_text("")
    found = ScoreStore(tmp_path / "file").of(CHRF).scores(corpus(3), silent).segments
    assert found.tolist() == expected.tolist()
    assert "scores are not kept" in caplog.text


def test_progress_counts_the_outputs_of_all_systems() -> None:
    told: list[int] = []
    counted = Counted(told.append, 3)
    with counted.bar("scoring", None) as progress:
        progress(2)
    counted.rest(10)
    assert told == [6, 4]
