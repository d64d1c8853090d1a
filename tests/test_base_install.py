"""A base install, without torch, POT, NLTK or pandas, runs every token, set and lexical metric by an embedded encoder.

`make base` does the same in a new environment.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from farthing.core.registry import METRICS

SCRIPT = Path(__file__).with_name("base_install.py")
TORCH = {"bartscore", "perplexity"}  # language models
TRAINED = {"comet"}  # no estimator comes with the package
TOKENS = {"bertscore", "moverscore", "baryscore", "xmoverscore", "sentsim", "row_sets"}


def run(*arguments: str) -> dict[str, float]:
    command = [sys.executable, str(SCRIPT), "--only-base", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["heavy"] == []
    scores: dict[str, float] = found["scores"]
    assert all(math.isfinite(score) for score in scores.values())
    return scores


@pytest.mark.parametrize("encoder", ["small", "tiny", "nano"])
def test_every_metric_but_language_models_runs_by_an_embedded_encoder(encoder: str) -> None:
    assert set(run(encoder)) == set(METRICS.builtin) - TORCH - TRAINED


def test_set_metrics_take_an_embedded_encoder_by_themselves() -> None:
    assert set(run()) == set(METRICS.builtin) - TORCH - TRAINED - TOKENS
