"""Pairs with human scores."""

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.matching import data

Writer = Callable[[str, list[dict[str, object]]], Path]


def test_human_scores_are_normalised_by_group(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": "r", "score": n * (1 + n % 2), "lp": f"l{n % 2}-en"} for n in range(20)]
    rows.append({"candidate": "x", "reference": ["y", "z"], "score": 7, "lp": "en-de"})
    found = data.human(write("h.jsonl", rows), groups="lp", only={"lp": "*-en"})
    assert len(found) == 20
    for group in (found.targets[::2], found.targets[1::2]):
        assert (group.mean(), group.std()) == pytest.approx((0, 1))


def test_texts_of_other_files_can_be_barred(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n} for n in range(5)]
    barred = write("b.jsonl", [{"candidate": "r3", "reference": "other", "score": 1}])
    found = data.human(write("h.jsonl", rows), without=[barred])
    assert found.candidates == ["c0", "c1", "c2", "c4"]
    everything = write("all.jsonl", rows)
    with pytest.raises(InputError, match="no row is left"):
        data.human(everything, without=[everything])
