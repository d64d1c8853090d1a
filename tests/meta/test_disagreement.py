"""Disagreements, against ranks written out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.meta.disagreement import study_disagreements
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import Scored


def five(**more: Any) -> Judgements:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n, **more} for n in range(5)]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


def test_the_widest_gaps_come_first_in_both_directions() -> None:
    metric = Scored("m", np.array([9.0, 1.0, 2.0, 3.0, 0.0]))
    found = study_disagreements(five(), [metric], top=2)
    assert found.judges == ("people", "m")
    assert found.counts == {"all": 5}
    lists = {(one.higher, one.lower): one.outputs for one in found.found}
    # people rank c4 to c0 as 1 to 5, the metric c0 c3 c2 c1 c4
    assert [(one.candidate, one.ranks) for one in lists["people", "m"]] == [("c4", {"people": 1, "m": 5})]
    assert [one.candidate for one in lists["m", "people"]] == ["c0"]
    assert lists["m", "people"][0].line == 1


def test_lower_is_better_is_turned_and_ties_share_the_best_rank() -> None:
    metric = Scored("ter", np.array([0.0, 0.0, 5.0, 5.0, 9.0]), higher_is_better=False)
    [one, *_] = study_disagreements(five(), [metric], top=1).found
    assert one.outputs[0].ranks == {"people": 1, "ter": 5}
    ranks = [output.ranks["ter"] for output in study_disagreements(five(), [metric], top=9).found[1].outputs]
    assert set(ranks) == {1}


def test_outputs_are_ranked_within_their_group_and_gaps_are_shares_of_it() -> None:
    rows = [{"lp": lp, "candidate": f"{lp}{n}", "reference": "r", "score": n} for lp in ("a", "b") for n in range(2)]
    rows += [{"lp": "b", "candidate": f"b{n}", "reference": "r", "score": n} for n in range(2, 9)]
    data = judgements_of(enumerate(rows, start=1), "human.jsonl")
    values = np.array([1.0, 0.0, 2.0, 1.0, *range(2, 9)])
    found = study_disagreements(data, [Scored("m", values)], top=1)
    assert found.counts == {"a": 2, "b": 9}
    assert found.found[0].outputs[0].candidate == "a1"  # half of its group; in the other one it is a ninth


def test_outputs_without_a_score_are_left_out() -> None:
    metric = Scored("m", np.array([np.nan, 4.0, 3.0, 2.0, 1.0]))
    assert study_disagreements(five(), [metric]).counts == {"all": 4}


def test_mistakes_are_sentences() -> None:
    metric = Scored("m", np.arange(5.0))
    with pytest.raises(UnknownName, match="judge"):
        study_disagreements(five(), [metric], between=["m", "x"])
    with pytest.raises(UsageError, match="only two can disagree"):
        study_disagreements(five(), [metric], between=["m"])
