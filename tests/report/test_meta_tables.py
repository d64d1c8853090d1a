"""Tables of studies: exactly the study's numbers, marks and explanations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.specs import parse_specs
from farthing.core.types import Note
from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.question import Question
from farthing.meta.read.human import judgements_of
from farthing.meta.robustness_study import study_changes, study_paraphrases
from farthing.meta.scored import Scored
from farthing.meta.selection import Mean, Selection
from farthing.meta.study import study
from farthing.report.meta_tables import (
    area_table,
    preference_table,
    selection_notes,
    selection_table,
    study_table,
)


def correlations(data: Judgements, metric: Scored) -> list[float]:
    """Pearson's r of both groups, their mean, and pooled."""
    own = np.array(data.groups)
    rows = [own == "de-en", own == "cs-en", own != ""]
    first, second, pooled = (np.corrcoef(data.judged()[one], metric.oriented[one])[0, 1] for one in rows)
    return [first, second, (first + second) / 2, pooled]


def test_groups_then_mean_then_pooled(people: Judgements, near: Scored, far: Scored) -> None:
    table = study_table(study(people, [near, far], Question()))
    assert list(table.columns) == ["de-en", "cs-en", "mean", "pooled"]
    assert [name for name, _ in table.rows] == ["near", "far"]
    for (_, values), metric in zip(table.rows, (near, far), strict=True):
        assert values == pytest.approx(correlations(people, metric))
    assert table.marked == frozenset()
    assert "pearson with the human scores 'score', over outputs." in table.notes
    assert table.notes[-1] == "near|version:1"  # only this metric has a signature


def test_one_group_has_neither_mean_nor_pool(people: Judgements, near: Scored) -> None:
    data = people.only(["de-en"])
    table = study_table(study(data, [Scored("near", near.values[:6])], Question()), "summaries")
    assert list(table.columns) == ["de-en"]
    assert table.notes[1:] == ["pearson with the human scores 'score', over summaries."]


def test_marks_are_the_unbeaten(people: Judgements, near: Scored, far: Scored) -> None:
    found = study(people, [far, near], Question(test="williams"))
    table = study_table(found)
    columns = {group: table.columns.index(group) for group in ("de-en", "cs-en", "pooled")}
    assert table.marked == {
        (row, column)
        for row in range(2)
        for group, column in columns.items()
        if found.p_values[group][1 - row, row] >= 0.05
    }
    assert (1, 0) in table.marked
    assert (0, 0) not in table.marked
    assert "* not beaten by any other metric (williams test, p < 0.05)." in table.notes
    drawn = study_table(study(people, [far, near], Question(test="bootstrap", resamples=20, seed=3)))
    assert "* not beaten by any other metric (bootstrap test, 20 resamples, seed 3, p < 0.05)." in drawn.notes


def test_an_undefined_value_has_its_reason(people: Judgements) -> None:
    values = np.where(np.array(people.groups) == "cs-en", 7.0, people.judged())
    table = study_table(study(people, [Scored("m", values)], Question()))
    [(_, cells)] = table.rows
    assert cells[:3] == [pytest.approx(1), None, None]
    assert "– m, cs-en: pearson is undefined: all metric's scores are equal" in table.notes


def test_averages_levels_and_ties_are_explained(people: Judgements, near: Scored) -> None:
    found = study(people, [near], Question("accuracy_calibrated", "item"))
    notes = study_table(found).notes
    assert "accuracy_calibrated with the human scores 'score', over outputs, averaged by item." in notes
    [ties] = [note for note in notes if note.startswith("ties up to: ")]
    for group in ("de-en", "cs-en", "pooled"):
        cell = found.cells["near"][group].found
        assert cell is not None
        assert f"near {cell.threshold:.4g} ({group})" in ties
    systems = study_table(study(people, [near], Question("accuracy", level="system"))).notes
    assert "accuracy with the human scores 'score', over whole systems." in systems


@pytest.fixture
def selection(near: Scored, far: Scored) -> SelectionStudy:
    def made(hits: float, rank: float, lost: float, margin: float) -> Selection:
        return Selection(Mean(hits, margin), Mean(rank, margin / 2), Mean(lost, margin / 4))

    found = {
        "near": {"de-en": made(0.75, 0.875, 0.5, 0.01), "cs-en": made(0.5, 0.625, 2.5, 0.02)},
        "far": {"de-en": made(0.25, 0.5, 1.5, 0.04), "cs-en": made(1.0, 1.0, 0.0, 0.0)},
    }
    notes = (Note("left out", "fi-en: hybrids need at least two systems"),)
    return SelectionStudy("score", (near, far), ("de-en", "cs-en"), found, 500, 2000, 20, 7, notes)


@pytest.mark.parametrize(
    ("measure", "corner", "rows", "margin"),
    [
        ("hits", "Hits@1", [[0.75, 0.5, 0.625], [0.25, 1.0, 0.625]], "0.0400"),
        ("reciprocal_rank", "mean reciprocal rank", [[0.875, 0.625, 0.75], [0.5, 1.0, 0.75]], "0.0200"),
        ("difference", "lost human score", [[0.5, 2.5, 1.5], [1.5, 0.0, 0.75]], "0.0100"),
    ],
)
def test_one_table_per_measure_of_selection(
    measure: str, corner: str, rows: list[list[float]], margin: str, selection: SelectionStudy
) -> None:
    table = selection_table(selection, measure)
    assert table.corner == corner
    assert list(table.columns) == ["de-en", "cs-en", "mean"]
    assert [(name, list(values)) for name, values in table.rows] == [("near", rows[0]), ("far", rows[1])]
    assert {(0, 0), (1, 1)} <= table.marked  # near is best for de-en, far for cs-en
    assert ((1, 2) in table.marked) == (measure == "difference")  # of equal metrics, the first is marked
    assert table.notes[0] == f"95 % intervals are at most ± {margin}; * the best."


def test_notes_of_a_selection(selection: SelectionStudy) -> None:
    about, *others = selection_notes(selection)
    assert about.startswith("2000 draws of 20 out of 500 hybrid systems, seed 7; human scores 'score'.")
    assert others == ["near|version:1", "note: left out: fi-en: hybrids need at least two systems"]


def test_rates_of_preference(tmp_path: Path) -> None:
    texts = ["He sold 30 big cars.", "Nobody was in Paris after the war."]
    rows = [{"segment_id": n, "candidate": "x", "reference": text, "score": 1} for n, text in enumerate(texts)]
    data = judgements_of(enumerate(rows, start=1))
    found = study_changes(
        data, parse_specs("chrf,ter"), ScoreStore(tmp_path), ["number", "drop"], good="identical", seed=1
    )
    table = preference_table(found)
    assert list(table.columns) == ["number", "drop"]
    # Both metrics are perfect for equal texts only, so they always prefer the reference itself.
    assert [(name, list(values)) for name, values in table.rows] == [("chrf", [1, 1]), ("ter", [1, 1])]
    assert "texts (seed 1): number 1, drop 2." in table.notes
    assert any("the good text (identical)" in note for note in table.notes)


def test_areas_by_group() -> None:
    rows = [
        {"lang": lang, "candidate": f"c{n}", "reference": f"r{n}{lang}", "score": n % 2}
        for lang in ("en", "de")
        for n in range(4)
    ]
    data = judgements_of(enumerate(rows, start=1))
    # en: both paraphrases above both others; de: one of the four pairs in the right order
    scores = np.array([1, 3, 2, 4, 4, 1, 2, 3], dtype=float)
    table = area_table(study_paraphrases(data, [Scored("m", scores)]))
    assert list(table.columns) == ["en", "de", "mean", "pooled"]
    labels = data.judged()
    pairs = [(a > b) + (a == b) / 2 for a in scores[labels == 1] for b in scores[labels == 0]]
    assert list(table.rows[0][1]) == [1.0, 0.25, 0.625, np.mean(pairs)]
    assert "Area under the ROC curve for the labels 'score'; 0.5 is chance." in table.notes
