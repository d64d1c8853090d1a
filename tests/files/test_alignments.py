"""Alignments in the folder of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.core.types import Alignment
from farthing.files.alignments import AlignedRow, read_alignments, write_alignments

FOUND = Alignment(
    ("a", "b"),
    ("x", "y", "z"),
    np.array([[0.12345, 0.5, -0.25], [1, 0, 0.75]]),
    np.array([1, 0]),
    np.array([1, 0, -1]),
    np.array([1.0, 2.0]),
    np.array([0.5, 0.25, 1.0]),
    {"precision": 0.75, "f1": 0.5},
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "alignments.parquet"
    rows = [AlignedRow("m", "s", 7, 1, FOUND), AlignedRow("m", "t", 8, None, FOUND)]
    write_alignments(path, rows)
    first = path.read_bytes()
    found = read_alignments(path)
    assert [(one.metric, one.system, one.row, one.counted) for one in found] == [("m", "s", 7, 1), ("m", "t", 8, None)]
    alignment = found[0].alignment
    assert (alignment.candidate_tokens, alignment.reference_tokens) == (("a", "b"), ("x", "y", "z"))
    np.testing.assert_allclose(alignment.similarity, FOUND.similarity, atol=0.0005)
    np.testing.assert_array_equal(alignment.back_matches, FOUND.back_matches)
    assert alignment.parts == FOUND.parts
    write_alignments(path, rows)
    assert path.read_bytes() == first


def test_no_file_is_no_alignment_and_a_broken_one_is_a_sentence(tmp_path: Path) -> None:
    assert read_alignments(tmp_path / "none.parquet") == []
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"broken\.parquet"):
        read_alignments(path)


def test_none_can_be_kept(tmp_path: Path) -> None:
    write_alignments(tmp_path / "empty.parquet", [])
    assert read_alignments(tmp_path / "empty.parquet") == []
