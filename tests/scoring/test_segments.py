"""One table of all segments, whatever metrics and systems there are."""

from __future__ import annotations

import numpy as np
import pytest

import farthing
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.score import choose, score
from farthing.scoring.segments import segment_columns


def test_one_row_per_system_and_segment() -> None:
    systems = [Pairs.of(["a b", "c"], ["a b", "d"], system=name) for name in ("x", "y")]
    columns = score(choose("chrf,chrf(beta=1),rouge"), Given(systems)).columns("segment")
    assert list(columns["system"]) == ["x", "x", "y", "y"]
    assert list(columns["row"]) == [1, 2, 1, 2]
    assert list(columns["chrf"]) == [100.0, 0.0, 100.0, 0.0]
    other = [name for name in columns if name.startswith("chrf_")]
    assert len(other) == 1  # the same metric with other options has its signature's digits in its name
    assert np.array_equal(columns["rouge"], columns["rouge_rougeL"])


def test_a_metric_of_sets_has_no_segments() -> None:
    vectors = np.random.default_rng(0).normal(size=(20, 3))
    scores = farthing.score(vectors, vectors + 1, "fid")
    with pytest.raises(UsageError, match="fid judges the whole set"):
        segment_columns({"mine": [scores]})
