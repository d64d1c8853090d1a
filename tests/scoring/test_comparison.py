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
    assert "<table" in found._repr_html_()
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


def test_frames_have_one_row_per_system_and_metric_or_per_segment(found: Comparison) -> None:
    frame = found.to_pandas()
    assert frame.columns.tolist() == found.printed("csv").splitlines()[0].split(",")
    assert frame["corpus"].tolist() == [cell.scores.corpus for row in found.rows for cell in row.cells]
    assert frame["p_value"].isna().tolist() == [True, True, False, False]  # the baseline is not tested
    segments = found.to_pandas("segment")
    assert segments["system"].tolist() == ["a_1", "a_1", "b|2", "b|2"]
    assert segments["chrf"].tolist() == [*found.scores("chrf").segments, *found.scores("chrf", "b|2").segments]
    for per in ("system", "segment"):
        arrow = found.to_arrow(per)  # type: ignore[arg-type]
        assert arrow.column_names == found.to_pandas(per).columns.tolist()  # type: ignore[arg-type]
        assert arrow.num_rows == 4


def test_scores_are_found_by_name(found: Comparison) -> None:
    assert found.scores("ter").corpus == found.rows[0].cells[1].scores.corpus
    with pytest.raises(UnknownName, match="unknown metric 'chr'; did you mean 'chrf'"):
        found.scores("chr")
    with pytest.raises(UnknownName, match="unknown system 'b'"):
        found.scores("chrf", "b")


def test_html_holds_every_number_and_follows_the_colours_of_the_page(found: Comparison) -> None:
    from xml.etree import ElementTree

    page = ElementTree.fromstring(found._repr_html_())
    rows = [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]
    assert rows[0] == ["system", "chrf ↑", "ter ↓"]
    assert [row[0] for row in rows[1:]] == ["a_1 (baseline)", "b|2"]
    text = str(found)
    assert all(cell in text for row in rows for cell in row)
    styles = " ".join(node.attrib.get("style", "") for node in page.iter())
    assert "currentColor" in styles
    assert "#" not in styles
    assert [node.text for node in page.iter("div")][-1] in text


def test_a_comparison_can_be_pickled(found: Comparison) -> None:
    import pickle

    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    assert again.to_dict() == found.to_dict()
