"""Measure how often the bootstrap of sets calls two equally good sets different at p < 0.05; 5 % would be right.

    python benchmarks/sets_rejection.py --trials 150

Both sets and the corpus are samples of the same normal distribution.
"""

from __future__ import annotations

import argparse

import numpy as np

import farthing
from farthing.core.types import Sets
from farthing.metrics.sets.base import score_set_systems
from farthing.scoring.resampling import pair_significance, resampled

SPECS = ("impar", "markevaluate", "fid", "prd(clusters=10, runs=2)")


def rejected(trial: int, size: int, dimensions: int) -> list[bool]:
    """Draw two sets and their corpus, and test by every metric."""
    random = np.random.default_rng(trial)
    corpus, first, second = (random.standard_normal((size, dimensions)) for _ in range(3))
    metrics = [farthing.load(spec) for spec in SPECS]
    systems = [Sets(first, corpus, "first"), Sets(second, corpus, "second")]
    scores = score_set_systems(metrics, systems, intervals=True, resamples=200, seed=trial, threads=1)
    return [
        pair_significance(*(resampled(metric, one) for one in row)).p_value < 0.05
        for metric, row in zip(metrics, scores, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=150)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--dimensions", type=int, default=4)
    options = parser.parse_args()
    shares = np.mean([rejected(trial, options.size, options.dimensions) for trial in range(options.trials)], axis=0)
    for spec, share in zip(SPECS, shares, strict=True):
        print(f"{spec:<30} {100 * share:5.1f} %")


if __name__ == "__main__":
    main()
