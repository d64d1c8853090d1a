"""The alignments of some segments of a run: which token matches which, one row per metric, system and segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from farthing.core.alignment import Alignment
from farthing.core.errors import InputError
from farthing.files.write import write_table


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """The alignment of one segment.

    :param metric: the label of the metric's column
    :param row: the number of the segment, from 1
    :param counted: which reference was aligned, from 0; None if it was the source
    """

    metric: str
    system: str
    row: int
    counted: int | None
    alignment: Alignment


def write_alignments(path: Path, rows: Sequence[AlignedRow]) -> None:
    """Write alignments to a Parquet file; similarities are kept with three decimals."""
    found = [one.alignment for one in rows]
    write_table(
        path,
        {
            "metric": [one.metric for one in rows],
            "system": [one.system for one in rows],
            "row": [one.row for one in rows],
            "counted": [one.counted for one in rows],
            "candidate_tokens": [list(one.candidate_tokens) for one in found],
            "reference_tokens": [list(one.reference_tokens) for one in found],
            "similarity": [np.round(one.similarity.astype(float), 3).ravel().tolist() for one in found],
            "matches": [one.matches.tolist() for one in found],
            "back_matches": [one.back_matches.tolist() for one in found],
            "candidate_weights": [np.round(one.candidate_weights.astype(float), 4).tolist() for one in found],
            "reference_weights": [np.round(one.reference_weights.astype(float), 4).tolist() for one in found],
            "part_names": [list(one.parts) for one in found],
            "parts": [[float(value) for value in one.parts.values()] for one in found],
        },
    )


def read_alignments(path: Path) -> list[AlignedRow]:
    """Read the alignments that :func:`write_alignments` wrote; none if there is no such file."""
    import pyarrow
    import pyarrow.parquet

    if not path.is_file():
        return []
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            return [_aligned(record) for record in file.read().to_pylist()]
    except (OSError, pyarrow.ArrowException, KeyError) as error:
        raise InputError(f"cannot be read: {str(error).splitlines()[0]}", path=str(path)) from error


class _Record(TypedDict):
    """A row of the file."""

    metric: str
    system: str
    row: int
    counted: int | None
    candidate_tokens: list[str]
    reference_tokens: list[str]
    similarity: list[float]
    matches: list[int]
    back_matches: list[int]
    candidate_weights: list[float]
    reference_weights: list[float]
    part_names: list[str]
    parts: list[float]


def _aligned(record: _Record) -> AlignedRow:
    shape = len(record["candidate_tokens"]), len(record["reference_tokens"])
    alignment = Alignment(
        candidate_tokens=tuple(record["candidate_tokens"]),
        reference_tokens=tuple(record["reference_tokens"]),
        similarity=np.array(record["similarity"], dtype=np.float64).reshape(shape),
        matches=np.array(record["matches"], dtype=np.int64),
        back_matches=np.array(record["back_matches"], dtype=np.int64),
        candidate_weights=np.array(record["candidate_weights"], dtype=np.float64),
        reference_weights=np.array(record["reference_weights"], dtype=np.float64),
        parts=dict(zip(record["part_names"], record["parts"], strict=True)),
    )
    return AlignedRow(record["metric"], record["system"], record["row"], record["counted"], alignment)
