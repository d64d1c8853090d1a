"""Do the intervals cover, and how long are they? Simulations on judged data, beside ppi-python.

    python benchmarks/judge_intervals.py ../shared [--simulations 2000] [--labels 100,200] [--student SPEC]

Two questions per data set (WMT16 to English, WMT20 MQM zh-en, GPT-4's verdicts on WMT22 zh-en):
- labels drawn evenly from 2,000 rows, which are drawn with replacement: does the interval cover the mean of the whole
  data set? Farthing's, ppi-python's on the same labels, and the classical one.
- verdicts on 2,000 rows routed by each policy: does the interval cover the mean of all 2,000 verdicts?
Coverage should be 95 %; the ratio is the mean width divided by that of the classical interval from as many labels.
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
from farthing.judge.estimates import Estimate, classical_mean, powered_mean
from farthing.judge.fitted import Rows
from farthing.judge.means import verdict_means
from farthing.judge.routing import SHARE, Router, RoutingPlan

ROWS = 2000
DRAWN_MORE = 0.75  # of the calls of `worst`, instead of a fifth
POLICIES: dict[str, tuple[Policy, float]] = {
    **{policy: (policy, SHARE) for policy in get_args(Policy)},
    f"worst, {DRAWN_MORE:.0%} drawn": ("worst", DRAWN_MORE),
}


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
        self.rows: dict[str, list[tuple[bool, float]]] = defaultdict(list)

    def add(self, method: str, low: float, high: float, truth: float) -> None:
        """Note one interval."""
        self.rows[method].append((low <= truth <= high, high - low))

    def lines(self) -> dict[str, tuple[float, float, float]]:
        """Coverage, mean width, and its ratio to the classical one."""
        means = {method: np.mean(rows, axis=0) for method, rows in self.rows.items()}
        return {method: (value[0], value[1], value[1] / means["classical"][1]) for method, value in means.items()}


def evenly(labels: np.ndarray, scores: np.ndarray, count: int, simulations: int) -> Tally:
    """Labels of a random sample; the truth is the mean of the data set."""
    tally, truth = Tally(), float(labels.mean())
    for seed in range(simulations):
        random = np.random.default_rng(seed)
        rows = random.integers(len(labels), size=ROWS)
        known, others = rows[:count], rows[count:]
        estimates = {
            "classical": classical_mean(labels[known]),
            "with the student": powered_mean(labels[known], scores[known], scores[others]),
        }
        for method, estimate in estimates.items():
            limits = estimate.interval()
            tally.add(method, limits.low, limits.high, truth)
        scale = np.polyfit(scores[known], labels[known], 1)  # ppi-python expects predictions on the labels' scale
        predicted = np.polyval(scale, scores)
        low, high = ppi_py.ppi_mean_ci(labels[known], predicted[known], predicted[others], alpha=0.05)
        tally.add("ppi-python", float(low[0]), float(high[0]), truth)
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
        tally.add("classical", corrected.interval().low, corrected.interval().high, truth)
        rows = Rows(student, np.arange(size), np.zeros(size, dtype=int))
        for name, (policy, share) in POLICIES.items():
            plan = RoutingPlan(count, policy, share, seed=seed)
            found = Router(rows, np.arange(size), lambda places: verdicts[places], plan).route()  # noqa: B023
            limits = verdict_means(found, 1)[0].interval()
            tally.add(f"policy {name}", limits.low, limits.high, truth)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--labels", default="100,200")
    parser.add_argument("--student", default="frugalscore(size=small)")
    given = parser.parse_args()
    print("| data | labels | mean of | interval | coverage | width | ratio |\n|---|--:|---|---|--:|--:|--:|")
    for name, (labels, scores) in data_sets(given.shared, given.student).items():
        for count in map(int, given.labels.split(",")):
            for of, simulate in (("all texts", evenly), ("these rows", by_policy)):
                for method, values in simulate(labels, scores, count, given.simulations).lines().items():
                    told = f"{values[0]:.3f} | {values[1]:.3f} | {values[2]:.2f}"
                    print(f"| {name} | {count} | {of} | {method} | {told} |", flush=True)


if __name__ == "__main__":
    main()
