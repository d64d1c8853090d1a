"""Training as rows: each encoder with all that may learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.bench.training import TrainingMeasured
from farthing.bench.training_rows import STEPS, adapter_methods, training_contenders, training_row
from farthing.core.errors import FarthingError
from farthing.core.types import Pairs


def test_each_encoder_twice(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("bert")
    many = Pairs(["a"] * 1000, [["b"]] * 1000)
    whole, head = training_contenders([str(folder)], many, 4)
    assert (whole.label, head.label) == (f"{folder.name}, all parameters", f"{folder.name}, head alone")
    assert (whole.learns, head.learns) == ("all parameters", "head alone")
    assert len(whole.pairs) == 4 * (STEPS + 2)


def test_adapters_follow(tiny_model: Callable[..., Path], pairs: Pairs) -> None:
    methods = adapter_methods(["lora", "pfeiffer"])
    found = training_contenders([str(tiny_model("bert"))], pairs, 4, methods)
    assert [one.learns for one in found] == ["all parameters", "head alone", "pfeiffer", "lora"]
    assert len(adapter_methods(["all"])) == 6
    with pytest.raises(FarthingError, match="unknown adapter"):
        adapter_methods(["prefix"])
    with pytest.raises(FarthingError, match="--adapters has nothing to do"):
        training_contenders([], pairs, 4, methods)


def test_mistakes(pairs: Pairs) -> None:
    assert training_contenders([], Pairs(["a"], [[]]), 4) == []
    with pytest.raises(FarthingError, match="no/such"):
        training_contenders(["no/such"], pairs, 4)
    with pytest.raises(FarthingError, match="a reference for every candidate"):
        training_contenders(["nano"], Pairs(["a"], [[]]), 4)


def test_medians(pairs: Pairs, tiny_model: Callable[..., Path]) -> None:
    one, _ = training_contenders([str(tiny_model("bert"))], pairs, 4)
    row = training_row(one, [TrainingMeasured(pace, 2 * pace, 3 * pace, 10, 5) for pace in (1.0, 9.0, 2.0)])
    assert (row.forward.median, row.backward.median, row.memory.median) == (2.0, 4.0, 6.0)
    assert (row.parameters, row.trained, row.batch) == (10, 5, 4)
