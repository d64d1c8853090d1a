"""Measure how much CPU time MoverScore spends on encoding and on each of its distances.

    python papers/scripts/steps.py wmt16.jsonl.gz --model MODEL --rows 100

A second score of the same texts reads their vectors from a cache, so the difference is the encoding.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile

from measured import loaded, rows_into_english, timed

DISTANCES = ("wmd", "wcd", "rwmd")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data")
    parser.add_argument("--model", required=True)
    parser.add_argument("--rows", type=int, default=100)
    options = parser.parse_args()
    pairs = rows_into_english(options.data, options.rows).texts
    encoding, distance = [], []
    for name in DISTANCES:
        with tempfile.TemporaryDirectory() as cache:
            metric = loaded("moverscore", options.model, "cpu", distance=name, idf=False, cache=cache)
            first, second = (timed(metric, pairs)[1] for _ in range(2))
        distance.append(1000 * second / len(pairs))
        encoding.append(1000 * max(0.0, first - second) / len(pairs))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["ms per segment", *DISTANCES])
    table.writerow(["encode", *encoding])
    table.writerow(["read vectors and compute the distance", *distance])


if __name__ == "__main__":
    main()
