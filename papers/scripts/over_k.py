"""Print the estimated sizes of a population and the scores of Mark-Evaluate for growing k.

    python papers/scripts/over_k.py labelled.tsv.gz --size 500 --model MODEL

The two sets are two random halves of one corpus, so the true size is known and every estimate should approach it.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys

import numpy as np

import farthing

KS = [1, 2, 3, 5, 10, 20, 40]
ESTIMATES = ("petersen_estimate", "schnabel_quality_estimate", "schnabel_diversity_estimate", "capture_estimate")
SCORES = ("petersen", "schnabel_quality", "schnabel_diversity", "capture")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus", help="a table without a header; its last column are the texts")
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    with gzip.open(options.corpus, "rt", encoding="utf-8") as lines:
        texts = sorted({line.rstrip("\n").rsplit("\t", 1)[-1] for line in lines})
    chosen = np.random.default_rng(0).permutation(len(texts))[: 2 * options.size]
    generated, corpus = ([texts[place] for place in half] for half in np.split(chosen, 2))
    parts = farthing.score(generated, corpus, metric=f"markevaluate(k={KS}, model={options.model})").parts
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["k", *map(str, KS)])
    for name in ("population", *ESTIMATES, *SCORES):
        marks = ["" if k == KS[0] else f"_k{k}" for k in KS]
        table.writerow([name, *(parts.get(f"{name}{mark}", "") for mark in marks)])


if __name__ == "__main__":
    main()
