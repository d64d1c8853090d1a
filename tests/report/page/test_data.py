"""The data inside the page, and what is shown if not all of it may be."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace

import numpy as np

from farthing.core.types import Pairs
from farthing.files.run import Run
from farthing.report.page.content import PairTest, ReportContent, ReportedScore
from farthing.report.page.data import page_data
from farthing.report.page.gather import run_content

LENGTHS = np.array([3, 3, 2, 1])


def unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


def test_scores_can_be_computed_from_the_numbers(tested_run: Run) -> None:
    content = run_content(tested_run)
    data = page_data(content, LENGTHS, 1)
    about = json.loads(data.about)
    planes = np.frombuffer(unpacked(data.numbers), np.uint8).reshape(1 + 9, 2, 4).astype(int)
    columns = planes[:, 0] * 256 + planes[:, 1]
    assert columns[0].tolist() == LENGTHS.tolist()
    for place, measure in enumerate(about["measures"]):
        for system, name in enumerate(about["systems"]):
            shown = (measure["low"] + columns[1 + 3 * place + system]) / 10 ** measure["digits"]
            expected = tested_run.scores(measure["label"], name).segments
            np.testing.assert_allclose(shown, expected, atol=0.5 * 10 ** -measure["digits"] + 1e-9)  # type: ignore[arg-type]
    assert (about["count"], about["chosen"], data.partial, data.chosen) == (4, False, "", "")
    assert "<" not in data.about


def large(count: int = 3000) -> ReportContent:
    random = np.random.default_rng(1)
    words = [" ".join(random.choice(list("abcdefghij"), 12)) for _ in range(count)]
    texts = [Pairs(words, [[word] for word in words], system=name) for name in ("x", "y")]
    scores = {(name, "chrf"): ReportedScore(0.0, segments=random.uniform(0, 100, count)) for name in ("x", "y")}
    return ReportContent("t", ["x", "y"], [measure()], scores, texts)


def measure():  # type: ignore[no-untyped-def]
    from farthing.report.page.content import ReportMeasure
    from farthing.report.page.gather import metric_info

    return ReportMeasure("chrf", metric_info("chrf", True), "chrf|farthing:0", 2)


def test_of_too_many_segments_those_are_shown_that_differ_most() -> None:
    content = large()
    lengths = np.full(content.rows, 12)
    whole = page_data(content, lengths, 1)
    data = page_data(content, lengths, whole.size / 3e6)
    assert data.size <= whole.size / 3
    rows = [number - 1 for number in json.loads(unpacked(data.chosen))]
    first, second = (np.asarray(content.scores[name, "chrf"].segments) for name in ("x", "y"))
    distance = np.abs(first - second)
    assert rows == sorted(rows)
    assert distance[rows].min() >= np.delete(distance, rows).max()
    assert f"Showing {len(rows):,} of 3,000 segments, because" in data.partial
    assert "differ most by chrf" in data.partial
    texts = [row[2][0] for block in data.blocks for row in json.loads(unpacked(block))]
    assert texts == [content.texts[0].references[row][0] for row in rows]


def test_tests_of_pairs_come_before_those_of_the_baseline(tested_run: Run) -> None:
    content = run_content(tested_run)
    told = json.loads(page_data(content, LENGTHS, 1).about)["measures"][1]["tests"]
    assert {frozenset(one[:2]) for one in told} == {
        frozenset(p) for p in (("one", "two"), ("one", "three"), ("two", "three"))
    }
    without = replace(content, pair_tests=[])
    told = json.loads(page_data(without, LENGTHS, 1).about)["measures"][1]["tests"]
    assert [one[:2] for one in told] == [["one", "two"], ["one", "three"]]
    other = replace(content, pair_tests=[PairTest("chrf", "a", "b", 1.0, 0.5)])
    told = json.loads(page_data(other, LENGTHS, 1).about)["measures"][1]["tests"]
    assert told == [["a", "b", "≈p=0.500", "test, corrected for all pairs"]]
