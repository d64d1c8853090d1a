"""Reading what people judged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError, InputError
from farthing.core.types import Pairs
from farthing.learn.data.humans import grouped_pearson, read_judged


def test_reading_judged_pairs(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    rows = [
        {"candidate": "a b", "reference": "a", "score": 1, "lp": "de-en"},
        {"candidate": "a c", "reference": ["a", "c"], "score": 2, "lp": "de-en"},
        {"candidate": "x", "reference": "y", "score": None, "lp": "de-en"},
        {"candidate": "b", "reference": "b", "score": 5, "lp": "fi-en"},
        {"candidate": "q", "reference": "q", "score": 9, "lp": "en-ru"},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    found = read_judged(str(path), only="-en")
    assert found.scores.tolist() == [1, 2, 5]
    assert found.flat()[0] == ["a b", "a c", "a c", "b"]
    assert isinstance(found.pairs, Pairs)
    path.write_text("\n".join(json.dumps({**row, "score": 3}) for row in rows))
    with pytest.raises(InputError, match=r"all human scores are the same \(3\)"):
        read_judged(str(path))
    with pytest.raises(FarthingError, match="too few"):
        read_judged(str(path), only="-fr")


def test_constant_groups_are_left_out() -> None:
    human, scores = np.array([1.0, 2, 3, 4, 4, 4]), np.array([1.0, 2, 3, 1, 2, 3])
    assert grouped_pearson(human, scores, list("aaabbb")) == pytest.approx(1)
    with pytest.raises(InputError, match="no group"):
        grouped_pearson(human[3:], scores[3:], list("bbb"))
