"""The area under the ROC curve, against scikit-learn and a simulation of its interval."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from farthing.core.errors import UsageError
from farthing.meta.correlation import Undefined
from farthing.meta.roc import area_under_curve


@pytest.mark.parametrize("seed", range(5))
def test_it_equals_scikit_learn_with_ties(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, 200)
    scores = random.integers(0, 9, 200) + labels
    assert area_under_curve(labels, scores).value == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


def test_the_interval_covers_the_truth() -> None:
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1], 100)
    areas = [area_under_curve(labels, random.normal(size=200) + labels) for _ in range(600)]
    truth = 0.7602499389065233  # of two normals one deviation apart: Phi(1 / sqrt 2)
    assert np.mean([area.low <= truth <= area.high for area in areas]) == pytest.approx(0.95, abs=0.025)


def test_what_cannot_be() -> None:
    with pytest.raises(Undefined, match="both labels"):
        area_under_curve([1, 1], [0.1, 0.2])
    with pytest.raises(UsageError, match="labels must be"):
        area_under_curve([1, 2], [0.1, 0.2])
    with pytest.raises(UsageError, match="finite"):
        area_under_curve([1, 0], [0.1, np.nan])
    with pytest.raises(UsageError, match="one score per label"):
        area_under_curve([1, 0], [0.1])
