"""The charts of a report: well-formed, with one shape per thing that is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from farthing.files.run import Run
from farthing.report.page.buckets import BucketTable
from farthing.report.page.charts import (
    BINS,
    bucket_chart,
    distribution_chart,
    human_chart,
    pareto_chart,
    quality_diversity_chart,
)  # fmt: skip
from farthing.report.page.content import ReportContent, ReportedScore, ReportMeasure
from farthing.report.page.gather import metric_info, run_content


def titles(chart: str) -> list[str]:
    return [one.text or "" for one in ElementTree.fromstring(chart).iter("title")]


def test_distributions_say_the_median(tested_run: Run) -> None:
    content = run_content(tested_run)
    chart = distribution_chart(content, content.measures[1])
    scores = tested_run.scores("chrf", "two").segments
    assert scores is not None
    assert titles(chart)[1] == f"two: median {np.median(scores):.2f}, 4 segments"
    assert chart.count("V0h") <= BINS


def test_heights_of_a_distribution_are_counts(tested_run: Run) -> None:
    content = run_content(tested_run)
    measure = content.measures[1]
    scores = {name: ReportedScore(0, segments=np.array([0.0, 0, 0, 1])) for name in content.systems}
    content = replace(content, scores={(name, "chrf"): one for name, one in scores.items()})
    path = ElementTree.fromstring(distribution_chart(content, measure)).findall(".//*[@class='tone']")[0].attrib["d"]
    tops = [float(part.split("h")[0]) for part in path.split("V")[1:-1]]
    floor = float(path.split("V")[-1].removesuffix("Z"))
    first, last = floor - tops[0], floor - tops[-1]
    assert round(first / last, 1) == 3.0
    assert all(top == floor for top in tops[1:-1])


def test_a_system_without_scores_is_named(tested_run: Run) -> None:
    content = run_content(tested_run)
    scores = {**content.scores, ("two", "chrf"): ReportedScore(0, segments=np.full(4, np.nan))}
    assert len(titles(distribution_chart(replace(content, scores=scores), content.measures[1]))) == 2


def test_buckets_are_points_on_lines() -> None:
    table = BucketTable("t", "words", ["1–9", "10+"], [1, 2], ["a", "b"], [[1.0, 2.0], [None, 3.0]], 2)
    assert titles(bucket_chart(table)) == ["a, 1–9: 1", "a, 10+: 2", "b, 10+: 3"]
    assert bucket_chart(replace(table, buckets=["1–9"], values=[[1.0], [2.0]])) == ""


def test_quality_and_diversity_are_drawn_if_the_metric_tells_them(make_run: Callable[..., Run]) -> None:
    measure = ReportMeasure("impar", metric_info("impar", True), "s", 4)
    numbers = {"precision": 0.5, "recall": 0.25}
    content = ReportContent("t", ["x"], [measure], {("x", "impar"): ReportedScore(1, numbers=numbers)})
    assert titles(quality_diversity_chart(content, measure)) == ["x: quality 0.500, diversity 0.250"]
    plain = replace(measure, info=metric_info("chrf", True))
    assert quality_diversity_chart(content, plain) == ""


def test_scores_of_people_are_a_cloud() -> None:
    chart = human_chart("m", [1.0, None, 3.0], [0.1, 0.2, None])
    assert "m and people, 1 outputs" in chart
    assert human_chart("m", [None], [1.0]) == ""


def test_the_front_is_a_line() -> None:
    points = {"cheap": (0.1, 0.5), "good": (10.0, 0.8), "neither": (5.0, 0.4)}
    chart = ElementTree.fromstring(pareto_chart(points, ["cheap", "good"], "ms", "pearson", "t"))
    assert chart.find(".//*[@class='stroke']").attrib["d"].count("H") == 1  # type: ignore[union-attr]
    assert [one.text for one in chart.iter("text") if one.attrib.get("class") == "name"] == list(points)
