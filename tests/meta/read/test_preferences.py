"""Better and worse outputs, as texts and as systems."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.meta.correlation import correlate
from farthing.meta.read.human import judgements_of
from farthing.meta.read.preferences import STATISTIC, read_preferences


def test_better_and_worse_texts(tmp_path: Path) -> None:
    rows = [{"better": "good", "worse": "bad", "reference": "r"}, {"better": "fine", "worse": "poor", "reference": "q"}]
    path = tmp_path / "rr.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_preferences(str(path))
    grid = found.grids()[0]
    length = np.array([len(text) for text in found.texts.candidates], dtype=float)
    # "good" is longer than "bad", "fine" as long as "poor": a tie is discordant.
    result = correlate(grid.spread(found.judged()), grid.spread(length), STATISTIC, "item")
    assert (result.value, result.pairs) == (0, 2)


def test_better_and_worse_systems(tmp_path: Path, outputs: list[tuple[int, dict[str, object]]]) -> None:
    path = tmp_path / "rr.tsv"
    path.write_text("LP\tDATA\tSID\tBETTER\tWORSE\nde-en\tx\t2\tB\tA\n")
    found = read_preferences(str(path), outputs=judgements_of(outputs))
    assert found.texts.candidates == ["B2", "A2"]
    path.write_text("LP\tDATA\tSID\tBETTER\tWORSE\nde-en\tx\t9\tB\tA\n")
    with pytest.raises(InputError, match="no output of B for segment 9"):
        read_preferences(str(path), outputs=judgements_of(outputs))
