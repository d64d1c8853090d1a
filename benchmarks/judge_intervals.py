"""Do the intervals cover, and how long are they? Simulations on judged data, beside ppi-python.

    python benchmarks/judge_intervals.py ../shared [--simulations 2000] [--labels 100,200] [--student SPEC]

Two questions per data set (WMT16 to English, WMT20 MQM zh-en, GPT-4's verdicts on WMT22 zh-en):
- labels drawn evenly from 2,000 rows, which are drawn with replacement: does the interval cover the mean of the whole
  data set? Farthing's, ppi-python's on the same labels, and the classical one.
- verdicts on 2,000 rows routed by each policy: does the interval cover the mean of all 2,000 verdicts?
Coverage should be 95 %. The widths are divided by those of two classical intervals, which have no student:
- as many labels drawn evenly,
- the same labels, each weighted by the inverse of its probability.
"at best" is what the policy `worst` could reach if it knew the best straight line through the verdicts on the rows that
it did not choose, and how far they spread around it: only the drawn ones tell of the others, however they are weighed.
"as advised" draws the part of the calls that the command advises after a run with the usual fifth.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import get_args

import numpy as np
import ppi_py

import farthing
from farthing.judge.drawing import Policy
from farthing.judge.estimates import Estimate, classical_mean, fitted_line, powered_mean, quantile
from farthing.judge.fitted import Rows
from farthing.judge.means import advised_share, unaided, verdict_means
from farthing.judge.routing import SHARE, Routed, Router, RoutingPlan
from farthing.scoring.resampling import Interval

ROWS = 2000


def read(path: Path) -> list[dict[str, object]]:
    """Read the rows of a packed table."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def data_sets(shared: Path, student: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Labels and student's scores of each data set."""
    human, judges = shared / "data" / "human", shared / "data" / "judges"
    wmt16 = [row for row in read(human / "wmt16_da_seg.jsonl.gz") if str(row["lp"]).endswith("-en")]
    mqm = [row for row in read(human / "wmt20_mqm_seg.jsonl.gz") if row["lp"] == "zh-en"]
    gemba = [row for row in read(judges / "gemba_wmt22_zhen.jsonl.gz") if row["segment_id"] % 4 == 0]  # type: ignore[operator]
    labelled = {
        "WMT16": [(row, row["score"]) for row in wmt16],
        "WMT20 MQM": [(row, row["score"]) for row in mqm],
        "GPT-4 on WMT22": [(row, row["judges"]["gpt4_da"]) for row in gemba],  # type: ignore[index]
    }
    found = {}
    for name, rows in labelled.items():
        texts = [row["candidate"] for row, _ in rows], [row["reference"] for row, _ in rows]
        found[name] = np.array([label for _, label in rows], dtype=float), farthing.score(*texts, student).segments
    return found


class Tally:
    """Coverage and width by method."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[float, float, float]]] = defaultdict(list)

    def add(self, method: str, limits: Interval, truth: float, same: float = math.nan) -> None:
        """Note one interval, and the width of the classical one of the same labels."""
        self.rows[method].append((limits.low <= truth <= limits.high, limits.high - limits.low, same))

    def lines(self) -> dict[str, str]:
        """Coverage, mean width, and its ratios to the classical ones."""
        means = {method: np.mean(rows, axis=0) for method, rows in self.rows.items()}
        even = means["classical"][1]
        return {
            method: f"{_shown(covered)} | {width:.3f} | {width / even:.2f} | {_shown(width / same, 2)}"
            for method, (covered, width, same) in means.items()
        }


def _shown(value: float, digits: int = 3) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def evenly(labels: np.ndarray, scores: np.ndarray, count: int, simulations: int) -> Tally:
    """Labels of a random sample; the truth is the mean of the data set."""
    tally, truth = Tally(), float(labels.mean())
    for seed in range(simulations):
        random = np.random.default_rng(seed)
        rows = random.integers(len(labels), size=ROWS)
        known, others = rows[:count], rows[count:]
        plain = classical_mean(labels[known])
        tally.add("classical", plain.interval(), truth)
        found = powered_mean(labels[known], scores[known], scores[others])
        tally.add("with the student", found.interval(), truth, plain.width)
        scale = np.polyfit(scores[known], labels[known], 1)  # ppi-python expects predictions on the labels' scale
        predicted = np.polyval(scale, scores)
        low, high = ppi_py.ppi_mean_ci(labels[known], predicted[known], predicted[others], alpha=0.05)
        tally.add("ppi-python", Interval(truth, float(low[0]), float(high[0])), truth, plain.width)
    return tally


def by_policy(labels: np.ndarray, scores: np.ndarray, count: int, simulations: int) -> Tally:
    """Verdicts of routed rows; the truth is the mean verdict of these rows."""
    tally = Tally()
    for seed in range(simulations):
        random = np.random.default_rng(seed)
        chosen = random.permutation(len(labels))[:ROWS]
        verdicts, student = labels[chosen], scores[chosen]
        size, truth = len(chosen), float(verdicts.mean())
        plain = classical_mean(verdicts[random.permutation(size)[:count]])
        corrected = Estimate(
            plain.mean, plain.error * math.sqrt(1 - count / size), count, plain.freedom, plain.skewness
        )
        tally.add("classical", corrected.interval(), truth)
        rows = Rows(student, np.arange(size), np.zeros(size, dtype=int))

        def route(policy: Policy, share: float = SHARE, seed: int = seed) -> Routed:
            plan = RoutingPlan(count, policy, share, seed=seed)
            return Router(rows, np.arange(size), lambda places: verdicts[places], plan).route()  # noqa: B023

        found = {f"policy {policy}": route(policy) for policy in get_args(Policy)}
        share = max(SHARE, advised_share(found["policy worst"]))
        found["policy worst, as advised"] = route("worst", share, seed + simulations)
        for name, routed in found.items():
            same = verdict_means(unaided(routed), 1)[0].width
            tally.add(name, verdict_means(routed, 1)[0].interval(), truth, same)
        best = at_best(found["policy worst"], verdicts)
        tally.rows["policy worst, at best"].append((math.nan, best, math.nan))
    return tally


def at_best(found: Routed, verdicts: np.ndarray) -> float:
    """Return the width with the best line and normal quantiles, known from the verdicts that nobody saw."""
    rest = np.isnan(found.verdicts) | found.drawn
    drawn, size = int(found.drawn.sum()), int(rest.sum())
    start, slope = fitted_line(found.helper[rest], verdicts[rest], np.ones(size))
    spread = float((verdicts[rest] - start - slope * found.helper[rest]).std())
    error = spread * size / len(verdicts) * math.sqrt((1 - drawn / size) / drawn)
    return 2 * quantile(math.inf) * error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--labels", default="100,200")
    parser.add_argument("--student", default="frugalscore(size=small)")
    given = parser.parse_args()
    head = ("data", "labels", "mean of", "interval", "coverage", "width", "to evenly drawn", "to the same labels")
    print(f"| {' | '.join(head)} |\n|---|--:|---|---|--:|--:|--:|--:|")
    for name, (labels, scores) in data_sets(given.shared, given.student).items():
        for count in map(int, given.labels.split(",")):
            for of, simulate in (("all texts", evenly), ("these rows", by_policy)):
                for method, told in simulate(labels, scores, count, given.simulations).lines().items():
                    print(f"| {name} | {count} | {of} | {method} | {told} |", flush=True)


if __name__ == "__main__":
    main()
