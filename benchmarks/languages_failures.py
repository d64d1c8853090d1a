"""Print, for every language, the text on which a metric and people disagree most.

    python benchmarks/languages_failures.py SHARED "frugalscore(size=multi)" [--only stsb …] [--limit ROWS]

Both are compared by their ranks within one language or language pair. The texts belong to the data sets: read them to
see what a student gets wrong, but copy none of them; the failures in the cards are sentences of our own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from farthing.core.registry import load_pairs_metric
from farthing.learn.study.languages import QUESTIONS, needs_source, read_rows
from farthing.learn.study.measure import segment_scores
from farthing.meta.coefficients import ranks


def shares(values: np.ndarray) -> np.ndarray:
    """The share of values that lie below each."""
    return (ranks(values[None])[0] - 1) / max(1, len(values) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("metric")
    parser.add_argument("--only", nargs="+", choices=list(QUESTIONS))
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    metric = load_pairs_metric(given.metric)
    asked = [
        name for name, one in QUESTIONS.items() if one.sourced == needs_source(metric) and one.coefficient != "area"
    ]
    for name in given.only or asked:
        for group, rows in read_rows(given.shared / "data" / "human", QUESTIONS[name], given.limit).items():
            told, judged = shares(segment_scores(metric, rows.pairs)), shares(rows.human)
            row = int(np.abs(told - judged).argmax())
            against = rows.pairs.references[row][0] if rows.pairs.sources is None else rows.pairs.sources[row]
            print(
                f"{name} {group}: above {told[row]:.0%} of the texts by the metric, above {judged[row]:.0%} by people"
            )
            print(f"  {rows.pairs.candidates[row]}\n  {against}", flush=True)


if __name__ == "__main__":
    main()
