"""Is a bad output below the real one, and silence below all others? Five kinds of bad output, 2,000 references.

    python benchmarks/students_bad_outputs.py SHARED "frugalscore(size=small)" chrf

SHARED is the folder with the developers' data. The real output is that of the system in the middle of people's ranking
of WMT18, for evenly spread segments of all language pairs into English. Bad outputs are empty, the real output twice,
its first half, the real output of another segment, and the source. Prints per metric how often each kind scores below
the real output, and how often the empty output is the lowest of all. The exit code is 1 if a share is below .99.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs

COUNT, LEAST = 2000, 0.99
FEWEST_WORDS = 4  # of an output: half of a shorter one may be as good as the whole


class Case(NamedTuple):
    """A segment with the output of a middling system."""

    source: str
    reference: str
    real: str


def cases(shared: Path) -> Iterator[Case]:
    """Read the segments of WMT18 into English whose real output can be made worse."""
    with gzip.open(shared / "data" / "human" / "wmt18_toen_systems.jsonl.gz", "rt", encoding="utf-8") as lines:
        for test in map(json.loads, lines):
            ranked = sorted(test["systems"].values(), key=lambda system: float(system["score"]))
            outputs = ranked[len(ranked) // 2]["output"]
            for case in map(Case._make, zip(test["source"], test["reference"], outputs, strict=True)):
                if len(case.real.split()) >= FEWEST_WORDS and case.real != case.source:
                    yield case


def bad_outputs(some: list[Case]) -> dict[str, list[str]]:
    """Make one bad output of each kind for every case."""
    return {
        "empty": ["" for _ in some],
        "repeated": [f"{case.real} {case.real}" for case in some],
        "truncated": [" ".join(case.real.split()[: len(case.real.split()) // 2]) for case in some],
        "unrelated": [some[place - 1].real for place in range(len(some))],
        "copied source": [case.source for case in some],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    given = parser.parse_args()
    every = list(cases(given.shared))
    some = [every[place] for place in np.linspace(0, len(every) - 1, COUNT).round().astype(int)]
    bad, references, good = bad_outputs(some), [case.reference for case in some], True
    for spec in given.metrics:
        metric = load_pairs_metric(spec)
        systems = [Pairs.of(system, references) for system in ([case.real for case in some], *bad.values())]
        real, *scores = (np.asarray(one.segments) for one in metric.score_systems(systems))
        table = dict(zip(bad, scores, strict=True))
        shares = {kind: float((values < real).mean()) for kind, values in table.items()}
        shares["silence is lowest"] = float((table["empty"] <= np.min([real, *table.values()], axis=0)).mean())
        print(f"{spec}: " + ", ".join(f"{kind} {share:.4f}" for kind, share in shares.items()), flush=True)
        good = good and min(shares.values()) >= LEAST
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
