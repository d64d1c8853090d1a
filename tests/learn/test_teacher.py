"""Teachers: one metric, or a weighted mean of several."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import SpecError, UsageError
from farthing.core.registry import metric_options
from farthing.learn.teacher import Teacher, parse_teacher


def test_reading_teachers() -> None:
    parts = parse_teacher("0.25*bertscore(model='/a + b/c', layer=3) + chrf")
    assert [(part.weight, part.spec.name) for part in parts] == [(0.25, "bertscore"), (1.0, "chrf")]
    assert parts[0].spec.options["model"] == "/a + b/c"
    with pytest.raises(SpecError, match="twice"):
        parse_teacher("chrf + chrf")
    with pytest.raises(SpecError, match="zero"):
        parse_teacher("0*chrf")


def test_a_set_metric_cannot_teach() -> None:
    with pytest.raises(UsageError, match="cannot teach"):
        Teacher("fid(model=x)") if "model" in metric_options("fid") else Teacher("fid")


def test_a_teacher_says_what_it_is() -> None:
    assert str(Teacher("chrf(word_order=2)")) == "chrf(word_order=2)"
    both = Teacher("2*chrf + 0.5*bleu")
    assert str(both) == "2*chrf + 0.5*bleu"
    assert list(both.names()) == ["score_chrf_1", "score_bleu_2"]
    assert [one.spec for one in both.metrics] == ["chrf", "bleu"]


def test_the_mean_is_weighted_and_may_be_standardised() -> None:
    columns = np.array([[1.0, 10.0], [3.0, 20.0], [5.0, 60.0]])
    assert Teacher("3*chrf + bleu").mixed(columns) == pytest.approx((3 * columns[:, 0] + columns[:, 1]) / 4)
    standard = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    mixed = Teacher("3*chrf + bleu", standardise=True).mixed(columns)
    assert mixed == pytest.approx((3 * standard[:, 0] + standard[:, 1]) / 4)
    assert not Teacher("chrf", standardise=True).standardise  # of one metric the scale stays as it is


def test_a_plus_plus_belongs_to_the_name() -> None:
    found = [(part.weight, str(part.spec)) for part in parse_teacher("0.7*chrF++ + 0.3*bleu+ter")]
    assert found == [(0.7, "chrf(word_order=2)"), (0.3, "bleu"), (1.0, "ter")]
