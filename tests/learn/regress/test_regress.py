"""Training an estimator: it learns, resumes at any step, and writes a folder that scores as the model did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import ModelError, UsageError
from farthing.learn.adapters.methods import METHODS
from farthing.learn.data.humans import Judged
from farthing.learn.regress.regress import RegressPlan, prepared_estimator, regress, split_sets
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.train.loop import Loop
from farthing.metrics.comet import Comet
from farthing.students.regressor import EstimatorShape

SHORT = RegressSettings(epochs=1, batch=16, rate=3e-3, encoder_rate=1e-3, checks=3, patience=None, threads=1)
SMALL = EstimatorShape(hidden=(16,))


class Killed(Exception):
    """The machine was switched off."""


@pytest.fixture(scope="module")
def whole(wide_encoder: Path, rows: Judged, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return regress(
        str(wide_encoder), [rows], tmp_path_factory.mktemp("whole") / "whole", SMALL, SHORT, RegressPlan(augment=True)
    )


def test_a_run_that_is_killed_at_any_step_resumes_to_the_same_losses(
    encoder: Path, rows: Judged, tmp_path: Path, losses: Callable[[Any], list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = rows.taking(range(60))
    settings = replace(SHORT, epochs=1.5, frozen=0.5)  # the encoder begins to learn on the way

    def run(name: str, adapter: Any) -> Any:
        return regress(str(encoder), [few], tmp_path / name, SMALL, settings, RegressPlan(adapter=adapter))

    step = Loop.step
    for adapter, kills in ((None, range(1, 6)), ("pfeiffer", [4])):
        expected = run(f"whole-{adapter}", adapter)
        assert len(expected.history.steps) == 6
        for last in kills:

            def stopping(self: Any, last: int = last) -> None:
                if self.state.step == last:
                    raise Killed
                step(self)

            monkeypatch.setattr(Loop, "step", stopping)
            with pytest.raises(Killed):
                run(f"killed-{adapter}-{last}", adapter)
            monkeypatch.setattr(Loop, "step", step)
            assert losses(run(f"killed-{adapter}-{last}", adapter)) == losses(expected), last


def test_it_learns_and_chooses_the_best_check(wide_encoder: Path, rows: Judged, tmp_path: Path) -> None:
    found = regress(str(wide_encoder), [rows], tmp_path / "made", SMALL, replace(SHORT, epochs=4, checks=4))
    losses = [one["loss"] for one in found.history.steps]
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    held = found.facts["held_out"]
    assert isinstance(held, dict)
    assert held["kendall"] == round(max(check["kendall"] for check in found.history.checks), 4)


def test_the_folder_scores_as_the_model_did(whole: Any, rows: Judged) -> None:
    [watched] = split_sets([rows], SHORT.seed)[1]
    metric = Comet(model=str(whole.folder), threads=1)
    assert metric.info.needs == {"reference", "source"}
    scores = metric.score(watched.pairs)
    best = max(whole.history.checks, key=lambda check: check["kendall"])
    from farthing.learn.regress.objective import grouped_kendall

    assert scores.segments is not None
    # the checks computed in bfloat16, if the machine has it
    assert grouped_kendall(watched.scores, scores.segments, watched.groups) == pytest.approx(best["kendall"], abs=0.1)


@pytest.mark.parametrize("method", METHODS)
def test_every_adapter_trains_and_its_folder_scores(
    method: Any, wide_encoder: Path, rows: Judged, tmp_path: Path
) -> None:
    found = regress(
        str(wide_encoder), [rows.taking(range(48))], tmp_path / "made", SMALL, SHORT, RegressPlan(adapter=method)
    )
    model, adapter, _ = prepared_estimator(wide_encoder, SMALL, SHORT, method)
    assert adapter is not None
    head = sum(part.numel() for part in [*model.mix.parameters(), *model.head.parameters()])
    assert found.facts["trained_parameters"] == adapter.count + head
    scores = Comet(model=str(found.folder), threads=1).score(rows.pairs.part(0, 20)).segments
    assert scores is not None
    assert np.ptp(scores) > 0
    assert (found.folder / "adapter" / "adapter.safetensors").is_file()
    assert (found.folder / "model.onnx").is_file() == (method not in ("ia3", "lora"))


def test_training_goes_on_from_an_estimator(whole: Any, rows: Judged, tmp_path: Path) -> None:
    idle = replace(SHORT, rate=1e-12, encoder_rate=1e-12)
    again = regress(str(whole.folder), [rows], tmp_path / "again", None, idle)
    before, after = (Comet(model=str(one.folder), threads=1).score(rows.pairs).segments for one in (whole, again))
    assert before is not None
    assert after is not None
    np.testing.assert_allclose(after, before, atol=1e-4)
    with pytest.raises(UsageError, match=r"compares with reference and source, not with source: pass --inputs"):
        regress(str(whole.folder), [rows], tmp_path / "more", EstimatorShape(inputs=("source",)), idle)


def test_raw_scores_keep_their_scale(encoder: Path, rows: Judged, tmp_path: Path) -> None:
    wide = replace(rows, scores=70 + 20 * rows.scores)
    found = regress(str(encoder), [wide], tmp_path / "made", SMALL, SHORT, RegressPlan(raw=True))
    scores = Comet(model=str(found.folder), threads=1).score(rows.pairs).segments
    assert scores is not None
    assert abs(scores.mean() - wide.scores.mean()) < 2 * wide.scores.std()
    idle = replace(SHORT, rate=1e-12, encoder_rate=1e-12)
    again = regress(str(found.folder), [wide], tmp_path / "again", None, idle, RegressPlan(raw=True))
    np.testing.assert_allclose(Comet(model=str(again.folder)).score(rows.pairs).segments, scores, atol=1e-2)


def test_a_graph_cannot_learn(wide_encoder: Path, rows: Judged, tmp_path: Path) -> None:
    made = regress(str(wide_encoder), [rows], tmp_path / "made", SMALL, SHORT, RegressPlan(adapter="pfeiffer"))
    with pytest.raises(ModelError, match="holds a graph, which cannot learn"):
        regress(str(made.folder), [rows], tmp_path / "more", None, SHORT)


def test_texts_that_are_missing_are_told(wide_encoder: Path, rows: Judged, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rows has no sources: give them, or leave source out of --inputs"):
        regress(str(wide_encoder), [replace(rows, sources=[])], tmp_path / "made", SMALL, SHORT)
    reference_only = EstimatorShape(inputs=("reference",), hidden=(16,))
    found = regress(str(wide_encoder), [replace(rows, sources=[])], tmp_path / "made", reference_only, SHORT)
    assert Comet(model=str(found.folder)).info.needs == {"reference"}


def test_outputs_for_one_text_are_held_out_together(rows: Judged) -> None:
    twice = rows.taking([*range(len(rows)), *range(len(rows))])
    [kept], [held] = split_sets([twice], 1)
    assert not set(kept.sources) & set(held.sources)
    assert len(held) == pytest.approx(0.1 * len(twice), abs=6)
