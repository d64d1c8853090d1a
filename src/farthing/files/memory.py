"""Pairs from rows in memory, such as a Hugging Face dataset or a list of dicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from farthing.core.columns import MEMORY, Columns, rows_of_records
from farthing.core.types import Pairs
from farthing.files.long_tables import rows_by_system
from farthing.files.pairing import pairs_of_rows


def pairs_of_records(data: Iterable[Mapping[str, object]], columns: Columns, system: str = "system") -> Pairs:
    """Build pairs from rows in memory, such as a Hugging Face dataset or a list of dicts."""
    return pairs_of_rows(rows_of_records(data, columns), system)


def systems_of_records(
    data: Sequence[Mapping[str, object]], columns: Columns, candidates: Sequence[str] = ()
) -> list[Pairs]:
    """Build the pairs of every system from rows in memory.

    :param candidates: several columns of candidates, each of which is a system
    """
    if candidates:
        chosen = (replace(columns, candidate=name, system="none") for name in candidates)
        return [pairs_of_records(data, one, str(one.candidate)) for one in chosen]
    rows = rows_of_records(data, columns)
    if rows[0].system is None:
        return [pairs_of_rows(rows, "system")]
    return [pairs_of_rows(held, name) for name, held in rows_by_system(rows, MEMORY).items()]
