"""Count the judged outputs of data sets per language pair.

python papers/scripts/segments.py wmt15.jsonl.gz wmt16.jsonl.gz
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

from farthing.meta import read_judgements


def main() -> None:
    sets = {Path(path).name.split(".")[0]: Counter(read_judgements(path).groups) for path in sys.argv[1:]}
    pairs = sorted({pair for counts in sets.values() for pair in counts})
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["pair", *sets])
    table.writerows([pair, *(counts.get(pair, "") for counts in sets.values())] for pair in pairs)
    table.writerow(["total", *(sum(counts.values()) for counts in sets.values())])


if __name__ == "__main__":
    main()
