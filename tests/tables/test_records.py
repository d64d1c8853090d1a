"""Records as CSV, read back by the standard library."""

from __future__ import annotations

import csv
import io

from farthing.tables.records import records_csv


def test_what_is_written_reads_back() -> None:
    records = [{"name": 'a "b", c', "value": 0.1}, {"name": "line\nbreak", "value": None}]
    read = list(csv.DictReader(io.StringIO(records_csv(records))))
    assert read == [{"name": 'a "b", c', "value": "0.1"}, {"name": "line\nbreak", "value": ""}]
