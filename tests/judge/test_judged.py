"""The result of a run that was judged in part."""

from __future__ import annotations

import numpy as np

from farthing.core.signature import Signature
from farthing.core.types import Pairs
from farthing.judge.bill import Bill
from farthing.judge.budget import Cost
from farthing.judge.estimates import Estimate
from farthing.judge.fitted import Rows
from farthing.judge.judged import JudgedRun, JudgedSystem
from farthing.judge.routing import Routed


def test_columns_hold_texts_scores_and_origins() -> None:
    rows = Rows(np.zeros(2), np.array([0, 1]), np.zeros(2, int))
    routed = Routed(
        rows, np.array([5.0, np.nan]), np.array([1.0, 0.5]), np.array([False, False]), np.zeros(2), np.array([4.0, 3.0])
    )
    run = JudgedRun(
        (JudgedSystem("a", 4.0, Estimate(4.0, 0.5, 1), 1, 1),),
        [Pairs(["x", "y"], [["r", "q"], ["r"]], ["s", "t"], system="a")],
        routed,
        Bill(Cost(1), Cost(2), 2, 2),
        "worst",
        (Signature("judge", {}, "0"),),
        ("something",),
    )
    columns = run.columns()
    assert columns["origin"] == ["judge", "student"]
    assert columns["verdict"] == [5.0, None]
    assert columns["reference_2"] == ["q", None]
    assert columns["source"] == ["s", "t"]
    assert np.asarray(columns["score"]).tolist() == [5.0, 3.0]
    assert str(run).splitlines()[2] == "a          1   4.00   4.00 [3.02, 4.98]       1"
    assert "note: something" in str(run)
