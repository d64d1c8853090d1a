"""One system under one metric, as a line of results."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from farthing.core.signature import Signature
from farthing.core.types import Scores
from farthing.scoring.cells import SUMMARY, Cell, ComparisonRow, cell_record, part_scores, summary_csv, summary_lines
from farthing.scoring.resampling import Interval, Paired

SCORES = Scores(2.0, np.array([1.0, 3.0]), Signature("mean"), parts={"half": np.array([0.5, 2.5])}, system="a")
CELL = Cell(SCORES, Interval(2.0, 1.5, 2.5), Paired(-0.5, 0.04))


def test_a_line_has_a_value_for_every_name() -> None:
    lines = summary_lines([ComparisonRow("a", (CELL, Cell(SCORES)))])
    signature = str(SCORES.signature)
    assert lines[0] == ("a", "mean", 2.0, 1.5, 2.5, -0.5, 0.04, signature)
    assert lines[1] == ("a", "mean", 2.0, None, None, None, None, signature)
    assert len(SUMMARY) == len(lines[0])


def test_csv_reads_back() -> None:
    [row] = csv.DictReader(io.StringIO(summary_csv([ComparisonRow("a,b", (Cell(SCORES),))])))
    assert (row["system"], row["corpus"], row["p_value"]) == ("a,b", "2.0", "")


def test_a_record_has_what_there_is() -> None:
    assert cell_record(CELL)["ci"] == [1.5, 2.5]
    assert cell_record(CELL)["p_value"] == 0.04
    assert "p_value" not in cell_record(Cell(SCORES))


@pytest.mark.parametrize(("paired", "significant"), [(None, False), (Paired(1, 0.049), True), (Paired(1, 0.05), False)])
def test_significance(paired: Paired | None, significant: bool) -> None:
    assert Cell(SCORES, paired=paired).significant is significant


def test_a_part_is_scored_by_its_mean() -> None:
    part = part_scores(SCORES, "half")
    assert part.corpus == 1.5
    assert part.segments is not None
    assert part.segments.tolist() == [0.5, 2.5]
