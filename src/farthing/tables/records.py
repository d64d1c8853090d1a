"""Records as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence


def records_csv(records: Sequence[Mapping[str, object]]) -> str:
    """Format records with the same keys as CSV with a header; None is an empty cell.

    >>> records_csv([{"a": 1.5, "b": None}])
    'a,b\\n1.5,'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().rstrip("\n")
