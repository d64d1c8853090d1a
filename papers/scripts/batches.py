"""Measure CPU seconds per segment of BERTScore if 1, 4, 16 or 64 pairs are scored per call.

python papers/scripts/batches.py wmt15.jsonl.gz --model MODEL --rows 64 [--device cuda]
"""

from __future__ import annotations

import argparse
import csv
import sys
import time

import numpy as np

from measured import agreement, loaded, rows_into_english, short

SIZES = (1, 4, 16, 64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data")
    parser.add_argument("--model", action="append", required=True)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    data = rows_into_english(options.data, options.rows)
    clock = time.process_time if options.device == "cpu" else time.perf_counter
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["model", *map(str, SIZES), "r"])
    for model in options.model:
        metric = loaded("bertscore", model, options.device)
        metric.score(data.texts.part(0, 4))  # the first call also starts the encoder
        seconds = []
        for size in SIZES:
            began = clock()
            parts = [metric.score(data.texts.part(start, start + size)) for start in range(0, len(data), size)]
            seconds.append((clock() - began) / len(data))
        scores = np.concatenate([np.asarray(one.segments) for one in parts])
        table.writerow([short(model), *seconds, agreement(data, scores)])


if __name__ == "__main__":
    main()
