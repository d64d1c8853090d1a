"""Hybrids of every group, and selection among them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.meta.hybrid_study import correlate_hybrids, select_hybrids
from farthing.meta.judgements import Judgements
from farthing.meta.question import Question
from farthing.meta.scored import Scored
from farthing.report.meta_documents import selection_document


def test_hybrids_of_every_group_and_selection_among_them(
    judged: Callable[..., Judgements], noisy: Callable[..., Scored]
) -> None:
    data = judged(groups=("de-en", "cs-en", "fi-en"))
    keys = zip(data.groups, data.systems, strict=True)
    data = data.taking([row for row, (group, name) in enumerate(keys) if group != "fi-en" or name == "S0"])
    metrics = [noisy(data, "good", 0.3, 1), noisy(data, "bad", 8.0, 2)]
    found = correlate_hybrids(data, metrics, Question(test="williams"), count=500)
    assert found.groups == ("de-en", "cs-en")
    assert "fi-en" in found.notes[0].message
    chosen = select_hybrids(data, metrics, count=500, draws=2000, drawn=20)
    for group in found.groups:
        assert found.cells["good"][group].found.value > 0.9 > found.cells["bad"][group].found.value
        assert chosen.found["good"][group].hits.value > chosen.found["bad"][group].hits.value
    json.dumps(selection_document(chosen, "x"), allow_nan=False)


def test_hybrids_need_two_systems(judged: Callable[..., Judgements], noisy: Callable[..., Scored]) -> None:
    data = judged(systems=1)
    with pytest.raises(UsageError, match="at least two systems"):
        correlate_hybrids(data, [noisy(data, "m", 1, 1)], Question(), count=10)


def test_scores_of_whole_systems_are_refused_by_their_name(
    judged: Callable[..., Judgements], noisy: Callable[..., Scored]
) -> None:
    data = judged()
    whole = Scored("corpus", np.full(len(data), np.nan), whole={("de-en", "S0"): 1.0})
    with pytest.raises(UsageError, match="corpus has scores of whole systems only"):
        correlate_hybrids(data, [whole], Question(), count=10)
    only = replace(data, scores={}, system_scores={"score": {("de-en", "S0"): 1.0}})
    with pytest.raises(UsageError, match="only whole systems are judged"):
        correlate_hybrids(only, [noisy(data, "m", 1, 1)], Question(), count=10)
