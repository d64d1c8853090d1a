"""Repeat an experiment on diversity with several seeds, and say which findings repeat.

    python papers/scripts/seeds.py corpus.tsv.gz --header genre,book,text --experiment collapse --size 4000 --model M

One row per score: the mean change over all seeds, its 95 % interval, what should happen, and in how many runs it did.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys

import numpy as np
from scipy.stats import t


def changes(options: argparse.Namespace, seed: int) -> dict[str, tuple[float, str, bool]]:
    """Run one seed; return the change of every score, what was expected, and whether that happened."""
    metrics = ",".join(f"{name}(model={options.model})" for name in ("markevaluate", "impar", "prd", "fid"))
    command = [
        sys.executable, "-m", "farthing", "meta", "diversity", options.corpus, "--header", options.header,
        "--label", options.label, "-m", metrics, "--experiments", options.experiment, "--size", str(options.size),
        "--seed", str(seed), "--format", "json", "--quiet",
    ]  # fmt: skip
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    [experiment] = json.loads(printed)["experiments"]
    return {one["name"]: (one["change"], one["expected"], one["right"]) for one in experiment["scores"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpus")
    parser.add_argument("--header", required=True)
    parser.add_argument("--label", default="genre")
    parser.add_argument("--experiment", choices=("collapse", "swap"), required=True)
    parser.add_argument("--size", type=int, default=4000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    runs = [changes(options, seed) for seed in range(options.seeds)]
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["score", "mean change", "from", "to", "should", "did in"])
    for name in runs[0]:
        values = np.array([run[name][0] for run in runs])
        reach = float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
        right = sum(run[name][2] for run in runs)
        mean = float(values.mean())
        table.writerow([name, mean, mean - reach, mean + reach, runs[0][name][1], f"{right} of {len(runs)} runs"])


if __name__ == "__main__":
    main()
