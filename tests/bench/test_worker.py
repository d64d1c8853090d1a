"""What the fresh process measures: scores are the metric's own, and every pass that was asked for is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from farthing.bench.exchange import Request, write_texts
from farthing.bench.worker import measure_metric
from farthing.core.errors import UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs


def request(tmp_path: Path, pairs: Pairs, spec: str, **changes: object) -> Request:
    write_texts(tmp_path / "texts.json", pairs)
    asked = {"part": 4, "batches": (1, 2), "systems": (1, 3), "steps": True, "tricks": True, **changes}
    return Request(spec=spec, texts=str(tmp_path / "texts.json"), scratch=str(tmp_path / "cache"), **asked)  # type: ignore[arg-type]


def test_all_that_was_asked_for(tmp_path: Path, pairs: Pairs) -> None:
    found = measure_metric(request(tmp_path, pairs, "bertscore(model=nano)"))
    np.testing.assert_allclose(found.scores, load_pairs_metric("bertscore(model=nano)").score(pairs).segments)
    assert [(one.name, one.outputs) for one in found.batches] == [("1", 4), ("2", 4)]
    assert [one.name for one in found.steps] == ["tokenise", "encode", "align", "rest"]
    assert [(one.name, one.outputs) for one in found.tricks] == [
        ("sorted", 4), ("cache", 4), ("1 system", 4), ("3 systems", 12),
    ]  # fmt: skip
    assert found.memory >= max(cost.memory or 0 for cost in (found.load, found.cold))
    assert found.signature["model"].startswith("nano")
    assert found.higher_is_better


def test_nothing_more_than_what_was_asked_for(tmp_path: Path, pairs: Pairs) -> None:
    asked = request(tmp_path, pairs, "ter", batches=(), systems=(), steps=False, tricks=False)
    found = measure_metric(asked)
    assert (found.batches, found.steps, found.tricks) == ((), (), ())
    assert not found.higher_is_better


def test_metrics_of_sets_are_refused(tmp_path: Path, pairs: Pairs) -> None:
    with pytest.raises(UsageError, match="judges a set"):
        measure_metric(request(tmp_path, pairs, "distinct"))


def test_as_a_process(tmp_path: Path, pairs: Pairs) -> None:
    from farthing.bench.exchange import write_message

    write_message(tmp_path / "asked", request(tmp_path, pairs, "chrf(word_order=9)", batches=(), systems=()))
    command = [sys.executable, "-m", "farthing.bench.worker", str(tmp_path / "asked"), str(tmp_path / "answer")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads((tmp_path / "answer").read_text())["scores"]) == len(pairs)
