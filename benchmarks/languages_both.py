"""Does a source say more than the reference beside it? The scores of `multi` and of `source`, mixed.

    python benchmarks/languages_both.py SHARED

SHARED is the folder with the developers' data. GPT-4's verdicts of WMT22 (the mean of its prompts with a reference) of
the segments whose number is divisible by four, from which no student learns: Kendall's tau-b between the systems of one
segment, mean over segments, and Pearson over all rows. A share of 0.25 means a quarter `source` and three quarters
`multi`, both standardised; p is that of a paired bootstrap over segments against `multi` alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.learn.study.languages import RESAMPLES, JudgedRows
from farthing.learn.study.measure import segment_scores
from farthing.meta.correlation import correlate
from farthing.meta.significance import bootstrap

PROMPTS = ("gpt4_da", "gpt4_sqm")  # both from 0 to 100
HELD_OUT = 4  # segments divisible by it are learned from by nothing
SHARES = (0.0, 0.1, 0.25, 0.5, 1.0)


class Sides(NamedTuple):
    """The same outputs beside their references and beside their sources."""

    rows: JudgedRows
    sourced: Pairs


def verdicts(data: Path, pair: str) -> Sides:
    """Read the verdicts of one language pair; a row without some answer has the mean of the others."""
    rows = [row for _, row in records(str(data / "judges" / f"gemba_wmt22_{pair}.jsonl.gz"))]
    rows = [row for row in rows if int(row["segment_id"]) % HELD_OUT == 0]
    answers = [[row["judges"][name] for name in PROMPTS if row["judges"].get(name) is not None] for row in rows]
    rows, answers = zip(*((row, some) for row, some in zip(rows, answers, strict=True) if some), strict=True)
    candidates, references, sources = ([row[name] for row in rows] for name in ("candidate", "reference", "source"))
    systems, segments = ([str(row[name]) for row in rows] for name in ("system", "segment_id"))
    human = np.array([np.mean(some) for some in answers])
    judged = JudgedRows(Pairs.of(candidates, references), human, systems, segments)
    return Sides(judged, Pairs.of(candidates, None, sources))


def standardised(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / values.std()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--multi", default="frugalscore(size=multi)")
    parser.add_argument("--source", default="frugalscore(size=source)")
    given = parser.parse_args()
    multi, source = load_pairs_metric(given.multi), load_pairs_metric(given.source)
    for pair in ("ende", "enru", "zhen"):
        rows, sourced = verdicts(given.shared / "data", pair)
        own = standardised(segment_scores(multi, rows.pairs))
        other = standardised(segment_scores(source, sourced))
        human, alone = rows.table(rows.human), rows.table(own)
        for share in SHARES:
            mixed = (1 - share) * own + share * other
            table = rows.table(mixed)
            tau = correlate(human, table, "kendall_b", "item").value
            test = bootstrap(human, table, alone, "kendall_b", "item", resamples=RESAMPLES)
            print(f"{pair} share {share:.2f}: tau-b {tau:.3f} ({test.difference:+.3f}, p={test.p_value:.3f}), "
                  f"Pearson {correlate(rows.human, mixed).value:.3f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
