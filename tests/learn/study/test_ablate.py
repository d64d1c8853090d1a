"""Leaving out each source of pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farthing.core.errors import InputError, UsageError
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.study.ablate import Ablation, ablate, ablation_rows, balanced, changes, largest_size

QUICK = CrossSettings(epochs=2, batch=16, rate=3e-3, warm_up=0.0, checks=2, limit=64, threads=1)


def two_sources(table: PairTable) -> PairTable:
    """Half of the pairs of one source, then a third one that is smaller."""
    count = len(table)
    sources = ["good"] * (count // 2) + ["bad"] * (count // 4) + ["rest"] * (count - count // 2 - count // 4)
    return PairTable({**table.columns, "source": sources}, table.notes)


def test_ablation_leaves_out_each_source(
    encoder: Path, scored_table: PairTable, sets: list[Judged], tmp_path: Path
) -> None:
    write_pairs(tmp_path / "scored.parquet", two_sources(scored_table))
    quick = CrossSettings(epochs=1, batch=16, rate=1e-3, checks=1, limit=40, threads=1)
    said: list[str] = []
    arguments: Any = (tmp_path / "scored.parquet", tmp_path / "out", Start(str(encoder)), quick)
    found = ablate(*arguments, human=[sets[0]], log=said.append)
    assert [one.source for one in found] == ["", "bad", "good", "rest"]
    assert len({one.pairs for one in found}) == 1  # every run has the same size, as in the paper
    assert (tmp_path / "out" / "ablation.png").stat().st_size > 1000
    assert len(json.loads((tmp_path / "out" / "ablation.json").read_text())) == 4
    assert ablate(*arguments, human=[sets[0]]) == found  # from its notes, without training again


def test_balanced_samples(scored_table: PairTable) -> None:
    table = two_sources(scored_table)
    size = largest_size(table, ["bad", "good", "rest"])
    assert size == 2 * 100
    chosen_rows = balanced(table, ["good", "rest"], size, seed=1)
    assert [chosen_rows.columns["source"].count(name) for name in ("good", "rest")] == [100, 100]
    with pytest.raises(UsageError, match="bad has only 100 pairs"):
        balanced(table, ["bad"], 101, seed=1)


def test_changes_are_relative_to_all_sources() -> None:
    found = [Ablation("", 9, 0.5, 0.9), Ablation("x", 9, 0.4, 0.9), Ablation("y", 9, 0.55, 0.1)]
    assert changes(found) == pytest.approx({"x": -20.0, "y": 10.0})
    without_people = [Ablation("", 9, None, 0.8), Ablation("x", 9, None, 0.6)]
    assert changes(without_people) == pytest.approx({"x": -25.0})


def test_one_source_cannot_be_ablated(scored_file: Path, encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one source"):
        ablate(scored_file, tmp_path / "out", Start(str(encoder)), QUICK)


def test_rows_of_the_table() -> None:
    rows = ablation_rows([Ablation("", 9, 0.5, 0.9), Ablation("x", 9, 0.4, 0.875)])
    assert rows[0] == {
        "left out": "nothing",
        "pairs": "9",
        "with people": "0.5000",
        "with the teacher": "0.9000",
        "change %": "",
    }
    assert (rows[1]["left out"], rows[1]["change %"]) == ("x", "-20.00")
    assert ablation_rows([Ablation("", 9, None, 0.9)])[0]["with people"] == "-"
