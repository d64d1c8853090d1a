"""The rows of the page."""

from __future__ import annotations

import numpy as np

from farthing.files.run import Run
from farthing.report.page.gather import run_content
from farthing.report.page.rows import SEEN, marked_measures, page_alignments, page_rows


def test_rows_have_texts_and_likely_errors(tested_run: Run) -> None:
    content = run_content(tested_run)
    rows = page_rows(content, np.array([2, 0]))
    assert [row[:2] for row in rows] == [["c", 0], ["a", 0]]
    assert rows[0][2:4] == [["It rains.", "Rain falls."], ["It RAINS today.", "Rain </script> falls.", "It rains."]]
    assert marked_measures(content) == ["frugalscore"]
    for place, system in enumerate(content.systems):
        explanation = tested_run.marks("frugalscore", system)[2]
        errors, omissions, counted, *texts = rows[0][4][0][place]  # type: ignore[index]
        likely = [one for one in explanation.errors if one["probability"] >= SEEN]
        expected = [(one["start"], one["end"] - one["start"], round(100 * one["probability"])) for one in likely]
        assert list(zip(*[iter(errors)] * 3, strict=True)) == expected
        assert len(omissions) % 3 == 0
        assert (counted, texts) == (explanation.counted, [])


def test_texts_that_a_metric_changed_come_with_their_marks(make_run) -> None:  # type: ignore[no-untyped-def]
    run = make_run("lower", "frugalscore(size=nano, normalise=lower)", ["one"], explain=True)
    [marks] = page_rows(run_content(run), np.array([2]))[0][4][0]  # type: ignore[index]
    assert marks[3] == "it rains today."


def test_alignments_count_the_rows_that_are_shown(tested_run: Run) -> None:
    content = run_content(tested_run)
    kept = tested_run.alignments("frugalscore", "one")
    everything = page_alignments(content, np.arange(4))
    assert len(everything) == len(content.alignments)
    measure, system, place, counted, ours, theirs, percents, *_ = everything[0]
    first = content.alignments[0]
    assert (measure, system, place) == (0, content.systems.index(first.system), first.row - 1)
    assert (counted, ours, theirs) == (
        first.counted, list(first.alignment.candidate_tokens), list(first.alignment.reference_tokens)
    )  # fmt: skip
    np.testing.assert_allclose(np.array(percents) / 100, first.alignment.similarity, atol=0.0051)
    only = page_alignments(content, np.array([kept[0].row - 1]))
    assert {one[2] for one in only} == {0}
