"""Tables of a bench: units, stars on the front, and one table per kind of pass."""

from __future__ import annotations

from dataclasses import replace

from farthing.bench.bench import BenchResult
from farthing.report.bench_tables import bench_tables, cost_table
from farthing.tables.grid import grid_csv, grid_text


def test_units_and_stars(bench_result: BenchResult) -> None:
    text = grid_text(cost_table(bench_result))
    head, _, chrf, bleu, mine, *notes = text.splitlines()
    assert head.split("  ")[0] == "metric"
    assert chrf.split() == [
        "chrf", "1.000", "4.00", "200.000", "100.000*", "50.000", "150.000", "100.000", "10", "6.00", "105*",
        "0.00", "0.0",
    ]  # fmt: skip
    assert "*" not in bleu
    assert mine.split()[:4] == ["mine", "–", "1.00", "1200.000"]
    assert any("Medians of 3 interleaved runs" in note for note in notes)
    assert any("chrf: empty: the candidate has no text" in note for note in notes)


def test_one_table_for_each_question(bench_result: BenchResult) -> None:
    tables = {table.corner: table for table in bench_tables(bench_result)}
    assert list(tables) == ["metric", "estimate", "batch size", "step", "trick", "training"]
    assert tables["batch size"].rows[0] == ("chrf", [2000.0, 1000.0])
    assert tables["step"].columns == ["encode", "rest"]
    assert tables["trick"].rows[0][0] == "chrf, 5 systems"
    assert tables["training"].rows[0][1][:2] == [20.0, 20.0]
    assert any("not a measurement" in note for note in tables["estimate"].notes)
    assert tables["training"].rows[0][1][4:] == [None, None, None]  # nothing to compare with but itself
    assert tables["training"].rows[1][1][4:] == [25.0, 25.0, 0.0]
    assert grid_csv(tables["training"]).startswith("training,forward,backward,MB,M trained,forward %,backward %,MB %")


def test_what_was_not_measured_has_no_table(bench_result: BenchResult) -> None:
    rows = tuple(replace(row, batches=(), steps=(), tricks=()) for row in bench_result.rows)
    tables = bench_tables(replace(bench_result, rows=rows, training=()))
    assert [table.corner for table in tables] == ["metric", "estimate"]
