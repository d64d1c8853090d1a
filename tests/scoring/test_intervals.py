"""The intervals and tests of all cells: the same as of each cell alone."""

from __future__ import annotations

import numpy as np
import pytest

import farthing
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.scoring.documents import numbered
from farthing.scoring.intervals import ResamplingPlan, resample_columns
from farthing.scoring.resampling import interval, paired_test

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "big", "red", "house", "today"]
DOCUMENTS = numbered([str(row // 4) for row in range(40)])


def texts(seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 6)) for _ in range(40)]


@pytest.mark.parametrize("documents", [None, DOCUMENTS])
@pytest.mark.parametrize("test", ["bootstrap", "randomization", None])
def test_cells_are_those_of_single_tests(test, documents) -> None:
    metrics = [farthing.load("chrf"), farthing.load("frugalscore(size=nano)")]
    systems = [Pairs.of(texts(seed), texts(0), system=str(seed)) for seed in (1, 2, 3)]
    scores = [metric.score_systems(systems) for metric in metrics if isinstance(metric, Metric)]
    plan = ResamplingPlan(test, 1, 50, 7, documents, all_pairs=False)
    columns, findings = resample_columns(metrics, scores, ["chrf", "nano"], ["chrf", "frugalscore(size=nano)"], plan)
    assert (findings is None) == (test is None and documents is None)
    assert findings is None or findings.documents == (None if documents is None else 10)
    for metric, column, cells in zip(metrics, scores, columns, strict=True):
        for place, cell in enumerate(cells):
            assert cell.interval == interval(metric, column[place], seed=7, documents=documents)
            if test is None or place == 1:
                assert cell.paired is None
            else:
                assert cell.paired == paired_test(metric, column[1], column[place], test, 50, 7, documents)
