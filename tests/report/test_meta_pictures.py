"""Pictures of a study: what they show comes from its cells and p-values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.meta.judgements import Judgements
from farthing.meta.points import scatter_points
from farthing.meta.question import Question
from farthing.meta.scored import Scored
from farthing.meta.study import study
from farthing.report import matrix, scatter
from farthing.report.meta_pictures import draw_matrix, draw_scatter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")


def test_captions_say_the_pooled_value_and_the_direction(
    people: Judgements, near: Scored, far: Scored, figures: Callable[[ModuleType], list[Figure]]
) -> None:
    kept = figures(scatter)
    found = study(people, [near, far], Question())
    draw_scatter("a.png", found, scatter_points(people, found))
    values = [np.corrcoef(people.judged(), metric.oriented)[0, 1] for metric in (near, far)]
    assert [axis.get_title() for axis in kept[0].axes] == [
        f"near: pearson {values[0]:.3f}",
        f"far (lower is better): pearson {values[1]:.3f}",
    ]
    assert {axis.get_xlabel() for axis in kept[0].axes} == {"human: score"}
    drawn = np.concatenate([np.asarray(dots.get_offsets()) for dots in kept[0].axes[1].collections])
    assert drawn.tolist() == np.stack([people.judged(), far.values], axis=1).tolist()  # a distance as it is


def test_the_caption_of_one_group_and_of_an_undefined_value(
    people: Judgements, near: Scored, figures: Callable[[ModuleType], list[Figure]]
) -> None:
    kept = figures(scatter)
    data = people.only(["de-en"])
    metrics = [replace(near, values=near.values[:6]), Scored("flat", np.ones(6))]
    found = study(data, metrics, Question())
    draw_scatter("a.png", found, scatter_points(data, found))
    value = np.corrcoef(data.judged(), near.values[:6])[0, 1]
    assert [axis.get_title() for axis in kept[0].axes] == [f"near: pearson {value:.3f}", "flat: pearson"]


def test_one_matrix_for_each_group_that_was_tested(
    people: Judgements, near: Scored, far: Scored, figures: Callable[[ModuleType], list[Figure]]
) -> None:
    kept = figures(matrix)
    found = study(people, [far, near], Question(test="williams", alpha=0.1))
    draw_matrix("a.png", found)
    axes = [axis for axis in kept[0].axes if axis.axison]
    assert [axis.get_title() for axis in axes] == ["de-en", "cs-en", "pooled"]
    for axis, lp in zip(axes[:2], ("de-en", "cs-en"), strict=True):
        rows = np.array(people.groups) == lp
        labels = [
            f"{metric.name}  {np.corrcoef(people.judged()[rows], metric.oriented[rows])[0, 1]:.3f}"
            for metric in (near, far)
        ]
        assert [label.get_text() for label in axis.get_yticklabels()] == labels
    assert "below 0.1" in kept[0].get_suptitle()


def test_a_matrix_needs_p_values(people: Judgements, near: Scored) -> None:
    with pytest.raises(UsageError, match="no p-values to draw: give at least two metrics"):
        draw_matrix("a.png", study(people, [near], Question(test="williams")))
