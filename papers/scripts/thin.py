"""Keep evenly spaced segments of a data set with the outputs of all systems, so that slow metrics can score it.

    python papers/scripts/thin.py systems.jsonl.gz 10 > thin.jsonl
    python papers/scripts/thin.py wmt21_mqm_seg.jsonl.gz 3 zh-en > thin.jsonl

Every tenth segment is kept, or every third. A row is a whole test set, or one judged output; then a third argument may
name the beginning of the data sets that are kept. Of several outputs of one system for a segment, which the published
tables of WMT21 have now and then, the first one stays.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any


def thin_set(record: dict[str, Any], step: int) -> dict[str, Any]:
    """Keep some segments of a whole test set."""
    systems = {name: {**one, "output": one["output"][::step]} for name, one in record["systems"].items()}
    return {**record, "source": record["source"][::step], "reference": record["reference"][::step], "systems": systems}


def thin_rows(rows: Iterable[dict[str, Any]], step: int, start: str) -> Iterator[dict[str, Any]]:
    """Keep the judged outputs of some segments of every data set and language pair."""
    segments: dict[tuple[str, str], dict[object, int]] = {}
    seen = set()
    for row in rows:
        places = segments.setdefault((row["dataset"], row.get("lp", "")), {})
        place = places.setdefault(row["segment_id"], len(places))
        output = (row["dataset"], row.get("lp"), place, row.get("system"))
        if row["dataset"].startswith(start) and place % step == 0 and output not in seen:
            seen.add(output)
            yield row


def main() -> None:
    path, step, start = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:4])
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    whole = "systems" in rows[0]
    for row in (thin_set(one, step) for one in rows) if whole else thin_rows(rows, step, start):
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
