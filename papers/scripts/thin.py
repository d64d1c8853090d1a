"""Keep evenly spaced segments of a WMT test set with the outputs of all systems, so that slow metrics can score it.

    python papers/scripts/thin.py systems.jsonl.gz 10 > thin.jsonl

The second argument says how many segments are dropped for each one that is kept, counting that one.
"""

from __future__ import annotations

import gzip
import json
import sys


def main() -> None:
    path, step = sys.argv[1], int(sys.argv[2])
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            for name in ("source", "reference"):
                record[name] = record[name][::step]
            for system in record["systems"].values():
                system["output"] = system["output"][::step]
            print(json.dumps(record, ensure_ascii=False))


if __name__ == "__main__":
    main()
