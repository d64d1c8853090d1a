"""From a run to what a report shows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from farthing.files.run import Run
from farthing.report.page.gather import metric_info, result_records, run_content


def test_scores_intervals_and_tests_are_those_of_the_run(tested_run: Run) -> None:
    content = run_content(tested_run)
    assert content.systems == ["one", "two", "three"]
    assert [one.label for one in content.measures] == ["frugalscore", "chrf", "ter"]
    for record in tested_run.results()["results"]:  # type: ignore[attr-defined]
        found = content.scores[record["system"], record["metric"]]
        assert (found.corpus, list(found.interval or ())) == (record["corpus"], record["ci"])
        assert found.p_value == record.get("p_value")
        np.testing.assert_array_equal(
            found.segments, tested_run.scores(record["metric"], record["system"]).segments  # type: ignore[arg-type]
        )  # fmt: skip
    assert content.baselines == {"one"}
    assert not content.measures[2].info.higher_is_better


def test_marks_and_alignments_are_those_of_the_run(tested_run: Run) -> None:
    content = run_content(tested_run)
    assert set(content.marks) == {("frugalscore", name) for name in ("one", "two", "three")}
    assert content.marks["frugalscore", "two"] == tested_run.marks("frugalscore", "two")
    assert {one.system for one in content.alignments} == {"one", "two", "three"}


def test_equal_names_are_told_apart_by_their_order(make_run: Callable[..., Run]) -> None:
    run = make_run("twice", "chrf,bleu,chrf(word_order=2)", ["one", "three"])
    records = result_records(run)
    for spec in run.metrics:
        assert records["three", spec]["corpus"] == run.scores(spec, "three").corpus
    assert [one.label for one in run_content(run).measures] == ["chrf", "bleu", "chrf(word_order=2)"]


def test_a_metric_that_shows_parts_has_one_measure_per_part(make_run: Callable[..., Run]) -> None:
    run = make_run("rouge", "rouge", ["one"])
    content = run_content(run)
    assert [one.label for one in content.measures][:2] == ["rouge1", "rouge2"]
    expected = run.scores("rouge", "one").parts["rouge2"]
    np.testing.assert_array_equal(content.scores["one", "rouge2"].segments, expected)  # type: ignore[arg-type]


def test_a_run_of_set_metrics_has_no_texts(make_run: Callable[..., Run]) -> None:
    content = run_content(make_run("sets", "distinct", ["one", "two"]))
    assert not content.texts
    assert content.segment_measures() == []
    assert content.scores["one", "distinct"].numbers


def test_a_metric_that_is_not_installed_has_at_least_its_name() -> None:
    info = metric_info("unheard_of(x=1)", higher_is_better=False)
    assert (info.name, info.higher_is_better, info.arrow) == ("unheard_of", False, "↓")
    assert metric_info("chrf", higher_is_better=True).paper.startswith("Popović")


def test_an_interrupted_run_says_so(make_run: Callable[..., Run]) -> None:
    run = make_run("partial", "chrf", ["one", "two"])
    run.journal.complete = False
    (run.folder / "results.json").unlink()
    content = run_content(run)
    assert "incomplete" in content.sentences[0]
    assert content.scores["one", "chrf"].corpus == pytest.approx(content.scores["one", "chrf"].segments.mean())  # type: ignore[union-attr]
