"""Human judgements in memory: grids, choices of rows and groups, columns of scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.meta.judgements import Grid, Judgements, matching
from farthing.meta.read.human import judgements_of


def test_grids_hold_every_row_once(six_judged: Judgements) -> None:
    grids = six_judged.grids()
    assert [grid.group for grid in grids] == six_judged.group_names == ["de-en", "cs-en"]
    assert [grid.complete for grid in grids] == [True, False]
    rows = np.concatenate([grid.rows[grid.rows >= 0] for grid in grids])
    assert sorted(rows.tolist()) == list(range(len(six_judged)))
    for grid in grids:
        for (system, item), row in np.ndenumerate(grid.rows):
            if row >= 0:
                there = (six_judged.groups[row], six_judged.systems[row], six_judged.items[row])
                assert there == (grid.group, grid.systems[system], grid.items[item])


def test_spread_lays_values_out_with_gaps() -> None:
    grid = Grid("all", ("A", "B"), ("1", "2"), np.array([[2, 0], [-1, 1]]))
    assert grid.spread(np.array([10.0, 11, 12])).ravel().tolist() == pytest.approx([12, 10, np.nan, 11], nan_ok=True)


def test_taking_rows_takes_all_that_belongs_to_them(judged: Callable[..., Judgements]) -> None:
    data = judged(systems=2, items=3)
    taken = data.taking([7, 2])
    assert len(taken) == 2
    assert taken.texts.candidates == [data.texts.candidates[7], data.texts.candidates[2]]
    assert taken.texts.references == [data.texts.references[7], data.texts.references[2]]
    assert taken.judged().tolist() == [data.judged()[7], data.judged()[2]]
    assert (taken.systems, taken.groups) == (("S0", "S0"), ("cs-en", "de-en"))
    assert (taken.lines.tolist(), taken.length) == ([7, 2], 12)


def test_sources_are_taken_if_there_are_any() -> None:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "source": f"s{n}", "score": n} for n in range(3)]
    data = judgements_of(enumerate(rows, start=1))
    assert data.taking([2, 0]).texts.sources == ["s2", "s0"]
    without = replace(data, texts=Pairs(data.texts.candidates, data.texts.references))
    assert without.taking([1]).texts.sources is None


def test_patterns_choose_groups_in_the_order_of_the_rows(judged: Callable[..., Judgements]) -> None:
    data = judged(systems=1, items=2, groups=("de-en", "en-de", "cs-en"))
    assert data.only(["cs-en", "*-en"]).groups == ("de-en", "de-en", "cs-en", "cs-en")
    assert data.only(["en-??"]).group_names == ["en-de"]
    with pytest.raises(UnknownName, match=r"unknown group '\*-fi'"):
        data.only(["*-en", "*-fi"])


def test_a_name_with_wildcards_in_it_matches_itself() -> None:
    assert matching("a[1]", ["a[1]", "a2"]) == ["a[1]"]
    assert matching("DE-EN", ["DE-EN", "de-en"]) == ["DE-EN"]  # capitals matter on every system
    with pytest.raises(UnknownName, match="there are none"):
        matching("*", [])


def test_the_first_column_is_taken_unless_one_is_named(six_judged: Judgements) -> None:
    first, second, empty = np.arange(6.0), -np.arange(6.0), np.full(6, np.nan)
    data = replace(six_judged, scores={"da": first, "mqm": second, "gap": empty})
    assert data.judged() is first
    assert data.judged("mqm") is second
    with pytest.raises(UnknownName, match=r"unknown column of human scores 'mqn'; did you mean 'mqm'"):
        data.judged("mqn")
    with pytest.raises(UsageError, match=r"human.jsonl: the column 'gap' has no score in it"):
        data.judged("gap")
    with pytest.raises(UsageError, match=r"human.jsonl: there is no column of human scores; name it with --human"):
        six_judged.judged()
