"""Results of meta-evaluation as tables: what stands in which column, and the lines below."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from farthing.core.types import Note
from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.robustness import Check, Preference
from farthing.meta.robustness_study import AreaStudy, PreferenceStudy
from farthing.meta.roc import Area
from farthing.meta.scored import Scored
from farthing.meta.selection import Mean, Selection
from farthing.meta.study import Study
from farthing.report.meta_tables import area_table, preference_table, selection_notes, selection_table, study_table

METRICS = (Scored("m", np.zeros(1), signature="m|v:1"), Scored("n", np.zeros(1)))


def test_a_study_has_groups_mean_and_pool(study: Study) -> None:
    table = study_table(study)
    assert table.columns == ["a", "b", "mean", "pooled"]
    assert table.rows == [("good", [0.5, 0.25, 0.375, 0.4]), ("poor", [0.1, None, None, 0.2])]
    assert table.marked == {(0, 0)}
    text = "\n".join(table.notes)
    assert "pearson with the human scores 'da', over outputs." in text
    assert "* not beaten by any other metric (permutation test, 99 resamples, seed 3, p < 0.05)." in text
    assert "ties up to: good 0.125 (pooled)." in text
    assert "– poor, b: all equal" in text
    assert "good|v:1" in text
    assert "note: " in text


def test_one_group_has_neither_mean_nor_pool(study: Study) -> None:
    cells = {name: {"a": row["a"]} for name, row in study.cells.items()}
    table = study_table(replace(study, groups=("a",), cells=cells), "200 hybrid systems")
    assert table.columns == ["a"]
    assert "over 200 hybrid systems." in "\n".join(table.notes)
    assert "pooled" not in "\n".join(table.notes)


def test_selection_marks_the_best_of_each_column() -> None:
    def one(value: float) -> Selection:
        return Selection(Mean(value, 0.01), Mean(value, 0.02), Mean(value, 0.03))

    found = {"m": {"a": one(0.5), "b": one(0.1)}, "n": {"a": one(0.25), "b": one(0.4)}}
    study = SelectionStudy("da", METRICS, ("a", "b"), found, 100, 50, 10, 7, (Note("left out", "c"),))
    hits, lost = selection_table(study, "hits"), selection_table(study, "difference")
    assert hits.rows == [("m", [0.5, 0.1, 0.3]), ("n", [0.25, 0.4, 0.325])]
    assert hits.marked == {(0, 0), (1, 1), (1, 2)}
    assert lost.marked == {(1, 0), (0, 1), (0, 2)}  # the least is the best
    assert hits.notes[0] == "95 % intervals are at most ± 0.0100; * the best."
    assert selection_notes(study)[0].startswith("50 draws of 10 out of 100 hybrid systems, seed 7; human scores 'da'.")


def test_preferences_have_a_column_per_change() -> None:
    checks = (
        Check("drop", ("g",), ("b",), ("r",), None, (0,)),
        Check("typo", ("g",) * 2, ("b",) * 2, ("r",) * 2, None, (0, 1)),
    )
    rates = {name: {"drop": Preference(1.0, 0, 0, 1), "typo": Preference(0.5, 0, 1, 2)} for name in "mn"}
    table = preference_table(PreferenceStudy(METRICS, checks, rates, "harmless", 3))
    assert (table.columns, table.rows[0]) == (["drop", "typo"], ("m", [1.0, 0.5]))
    assert "texts (seed 3): drop 1, typo 2." in table.notes


def test_areas_have_a_column_per_group() -> None:
    areas = {
        name: {group: Area(value, 0, 1, 5, 5) for group, value in (("en", 0.5), ("de", 1.0), ("pooled", 0.75))}
        for name in "mn"
    }
    table = area_table(AreaStudy("label", METRICS, ("en", "de"), areas))
    assert (table.columns, table.rows[1]) == (["en", "de", "mean", "pooled"], ("n", [0.5, 1.0, 0.75, 0.75]))
    alone = {name: {"en": by_group["en"]} for name, by_group in areas.items()}
    assert area_table(AreaStudy("label", METRICS, ("en",), alone)).columns == ["en"]
