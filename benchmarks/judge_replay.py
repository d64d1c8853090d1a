"""How much of a judge's work can a student do? GPT-4's published verdicts, seen in part.

    python benchmarks/judge_replay.py ../shared [--judges gpt4_da,gpt4_sqm] [--student frugalscore] [--draws 30]

Segments whose number is divisible by four, 200 drawn at a time, 12 systems; verdicts on 25 other segments of the same
systems are known before. For each part of the calls: the correlation of the scores with the full judge's, and the part
of the pairs of systems that the means order as the full judge does, as mean and range over the draws. The policy
`random` and the cheaper judge GPT-3.5 on everything stand beside it. Prints the table of docs/judge.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np

import farthing
from farthing.judge.drawing import Policy
from farthing.judge.fitted import EarlierVerdicts, Rows, predicted_verdicts
from farthing.judge.routing import Router, RoutingPlan

PARTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
SEGMENTS, OTHERS, DIVISOR = 200, 25, 4
CHEAPER = "gpt35_da"


class Replayed:
    """Verdicts and student's scores as tables of [segment, system], and which outputs are equal."""

    def __init__(self, path: Path, judges: list[str], student: str) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["segment_id"] % DIVISOR == 0]
        segments, systems = (sorted({row[name] for row in rows}) for name in ("segment_id", "system"))
        self.shape = len(segments), len(systems)
        places = [(segments.index(row["segment_id"]), systems.index(row["system"])) for row in rows]
        scores = farthing.score([row["candidate"] for row in rows], [row["reference"] for row in rows], student)
        self.student = self._table(places, scores.segments)
        self.judges = {name: self._table(places, [row["judges"][name] for row in rows]) for name in judges}
        self.texts = np.zeros(self.shape, dtype=int)
        numbers: dict[tuple[int, str], int] = {}
        for (segment, system), row in zip(places, rows, strict=True):
            self.texts[segment, system] = numbers.setdefault((segment, row["candidate"]), len(numbers))
        whole = [np.isfinite(table).all(axis=1) for table in self.judges.values()]
        self.usable = np.flatnonzero(np.logical_and.reduce(whole))

    def _table(self, places: list[tuple[int, int]], values: object) -> np.ndarray:
        table = np.full(self.shape, np.nan)
        for place, value in zip(places, values, strict=True):  # type: ignore[call-overload]
            table[place] = np.nan if value is None else value
        return table


def agreement(scores: np.ndarray, verdicts: np.ndarray) -> tuple[float, float]:
    """Pearson's correlation, and the part of the pairs of systems in the same order; tables of [system, segment]."""
    ours, theirs = (np.subtract.outer(table.mean(axis=1), table.mean(axis=1)) for table in (scores, verdicts))
    upper = np.triu_indices(len(scores), 1)
    same = np.sign(ours[upper]) == np.sign(theirs[upper])
    return float(np.corrcoef(scores.ravel(), verdicts.ravel())[0, 1]), float(same.mean())


def rows_of(student: np.ndarray) -> Rows:
    """Return a table of [segment, system] as rows, one system after the other."""
    count, systems = student.shape
    return Rows(student.T.ravel(), np.tile(np.arange(count), systems), np.repeat(np.arange(systems), count))


def routed(data: Replayed, judge: str, draw: int, part: float, policy: Policy) -> tuple[float, float]:
    """Route one draw of segments."""
    order = np.random.default_rng(draw).permutation(data.usable)
    fit, test = order[:OTHERS], order[OTHERS : OTHERS + SEGMENTS]
    verdicts = data.judges[judge][test].T
    rows, before = rows_of(data.student[test]), rows_of(data.student[fit])
    earlier = EarlierVerdicts(before, data.judges[judge][fit].T.ravel(), np.ones(data.student[fit].size))
    if not part:
        nothing = np.full(verdicts.size, np.nan)
        return agreement(predicted_verdicts(rows, nothing, nothing, earlier).reshape(verdicts.shape), verdicts)
    texts = np.unique(data.texts[test].T.ravel(), return_inverse=True)[1]
    first = np.unique(texts, return_index=True)[1]
    plan = RoutingPlan(round(part * verdicts.size), policy, seed=draw, earlier=earlier)
    found = Router(rows, texts, lambda places: verdicts.ravel()[first[places]], plan).route()
    return agreement(found.scores.reshape(verdicts.shape), verdicts)


def cell(values: list[tuple[float, float]]) -> str:
    """Mean and range of correlation and pairs."""
    table = np.array(values)
    return " | ".join(
        f"{column.mean():.3f} ({column.min():.2f} – {column.max():.2f})" for column in (table[:, 0], table[:, 1])
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--judges", default="gpt4_da,gpt4_sqm")
    parser.add_argument("--student", default="frugalscore(size=small)")
    parser.add_argument("--draws", type=int, default=30)
    given = parser.parse_args()
    judges = given.judges.split(",")
    path = given.shared / "data" / "judges" / "gemba_wmt22_zhen.jsonl.gz"
    data = Replayed(path, [*judges, CHEAPER], given.student)
    print("| judge | calls | routed: r | systems | random: r | systems |\n|---|--:|--:|--:|--:|--:|")
    for judge in judges:
        for part in PARTS:
            cells = [
                cell([routed(data, judge, draw, part, policy) for draw in range(given.draws)])
                for policy in ("worst", "random")
            ]
            print(f"| {judge} | {part:.0%} | {' | '.join(cells)} |", flush=True)
        cheaper = []
        for draw in range(given.draws):
            test = np.random.default_rng(draw).permutation(data.usable)[OTHERS : OTHERS + SEGMENTS]
            cheaper.append(agreement(data.judges[CHEAPER][test].T, data.judges[judge][test].T))
        print(f"| {CHEAPER} instead of {judge} | 100% | {cell(cheaper)} | | |")


if __name__ == "__main__":
    main()
