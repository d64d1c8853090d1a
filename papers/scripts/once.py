"""Keep the first output of a system for a segment; the published tables of WMT21 have a few of them twice.

    python papers/scripts/once.py wmt21_mqm_seg.jsonl.gz zh-en > wmt21_zh-en.jsonl

The second argument is the beginning of the names of the data sets that are kept.
"""

from __future__ import annotations

import gzip
import json
import sys


def main() -> None:
    path, start = sys.argv[1:3]
    seen: dict[tuple[str, ...], str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            key = tuple(str(row[name]) for name in ("dataset", "system", "segment_id"))
            if row["dataset"].startswith(start) and seen.setdefault(key, row["candidate"]) == row["candidate"]:
                print(line, end="")


if __name__ == "__main__":
    main()
