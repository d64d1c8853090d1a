"""Print the score of every system of one language pair by every metric, the best human score first.

python papers/scripts/system_scores.py wmt18.jsonl de-en 'bleu,chrf'
"""

from __future__ import annotations

import csv
import json
import sys

import farthing


def main() -> None:
    path, pair, metrics = sys.argv[1:4]
    with open(path, encoding="utf-8") as lines:
        record = next(one for one in map(json.loads, lines) if one["lp"] == pair)
    systems = {name: one["output"] for name, one in record["systems"].items()}
    human = {name: one.get("score") for name, one in record["systems"].items()}
    found = farthing.compare(systems, record["reference"], metrics=metrics)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["system", "human", *found.labels])
    for row in sorted(found.rows, key=lambda row: -float(human[row.system] or 0)):
        table.writerow([row.system, human[row.system], *(cell.scores.corpus for cell in row.cells)])


if __name__ == "__main__":
    main()
