"""Passes: how many segments a metric is given at a time, and that its scores do not depend on it."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.bench.passes import score_pass, some_pairs, spread_rows
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.metrics.lexical import Chrf


@pytest.mark.parametrize(("count", "wanted"), [(10, 3), (10, 10), (10, 20), (7, 2), (1, 1)])
def test_rows_are_evenly_spread(count: int, wanted: int) -> None:
    rows = spread_rows(count, wanted)
    gaps = np.diff([*rows, count])
    assert len(rows) == len(set(rows)) == min(count, wanted)
    assert rows[0] == 0
    assert gaps.max() - gaps.min() <= 1


def test_some_rows_keep_their_texts() -> None:
    found = some_pairs(Pairs(["a", "b", "c"], [["x"], ["y"], ["z"]], ["1", "2", "3"]), [2, 0])
    assert (found.candidates, found.references, found.sources) == (["c", "a"], [["z"], ["x"]], ["3", "1"])


@pytest.mark.parametrize(("batch", "sizes"), [(None, [6]), (4, [4, 2]), (1, [1] * 6)])
def test_a_metric_gets_so_many_at_a_time(
    pairs: Pairs, batch: int | None, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    plain = Chrf.score_systems
    monkeypatch.setattr(
        Chrf, "score_systems", lambda self, systems: given.append(len(systems[0])) or plain(self, systems)
    )
    metric = load_pairs_metric("chrf")
    [scores] = score_pass(metric, [pairs], batch)
    assert given == sizes
    np.testing.assert_allclose(scores.segments, metric.score(pairs).segments)
