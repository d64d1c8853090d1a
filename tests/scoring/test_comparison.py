"""A comparison in every form: the same facts, and nothing that breaks the form."""

from __future__ import annotations

import csv
import io
import json
from typing import Literal

import pytest

from farthing.core.errors import UnknownName
from farthing.core.types import MetricInfo, Pairs
from farthing.files.inputs import Given
from farthing.scoring.comparison import Comparison, score_text, usual_digits
from farthing.scoring.score import choose, score

TEXTS = {"a_1": ["the cat sat", "dogs run"], "b|2": ["a cat", "a dog"]}


@pytest.fixture
def found() -> Comparison:
    systems = [Pairs.of(texts, ["the cat sat", "a dog runs"], system=name) for name, texts in TEXTS.items()]
    return score(choose("chrf,ter"), Given(systems), test="randomization")


def test_all_forms_say_the_same(found: Comparison) -> None:
    document = json.loads(found.printed("json"))
    rows = list(csv.DictReader(io.StringIO(found.printed("csv"))))
    corpus = [(one["system"], one["metric"], one["corpus"]) for one in document["results"]]
    assert [(row["system"], row["metric"], float(row["corpus"])) for row in rows] == corpus
    for form in ("table", "latex", "markdown"):
        for _, _, value in corpus:
            assert f"{value:.2f}" in found.printed(form)  # type: ignore[arg-type]
    assert document["test"]["resamples"] == 10_000


def test_each_form_escapes_what_would_break_it(found: Comparison) -> None:
    assert r"a\_1" in found.printed("latex")
    assert r"b\|2" in found.printed("markdown")
    assert len({line.count(" | ") for line in found.printed("markdown").splitlines()[:1]}) == 1
    assert "<table>" in found._repr_html_()
    assert "b|2" in str(found)


def test_the_best_is_lowest_where_lower_is_better(found: Comparison) -> None:
    values = {row.system: row.cells[1].scores.corpus for row in found.rows}
    assert found.best(1) == {name for name, value in values.items() if value == min(values.values())}
    assert "\x1b[1m" in found.printed(color=True)


def test_an_unknown_baseline_is_named(found: Comparison) -> None:
    with pytest.raises(UnknownName, match="unknown baseline 'c'"):
        score(choose("chrf"), Given([Pairs.of(["a"], ["a"])]), test="bootstrap", baseline="c")


@pytest.mark.parametrize(
    ("bounds", "level", "values", "digits"),
    [
        ((0, 100), "segment", [34.567], 2),  # BLEU, chrF
        ((None, 100), "segment", [-3.5], 2),  # the students
        ((-1, 1), "segment", [0.91234], 4),  # BERTScore
        ((None, 0), "segment", [-2.34567], 4),  # log-likelihoods
        ((0, None), "segment", [8.333], 2),  # TER, in percent
        ((0, None), "set", [0.0312], 4),  # distances of sets
        ((0, None), "set", [0.0312, 41.5], 2),
        ((None, None), "segment", [0.7123], 4),
    ],
)
def test_decimals_suit_the_scale(
    bounds: tuple[float | None, float | None], level: Literal["segment", "set"], values: list[float], digits: int
) -> None:
    info = MetricInfo("x", "", "", bounds, level=level)
    assert usual_digits(info, values) == digits
    assert usual_digits(info, values, 7) == 7
    assert score_text(1.23456789, info, 3) == "1.235"
