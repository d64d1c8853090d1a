"""`farthing metrics`: the list, and one metric with its options."""

from __future__ import annotations

import pytest

from farthing.app.cli.metrics import metrics
from farthing.core.errors import UnknownName
from farthing.core.registry import METRICS, metric_options


def test_the_list_names_every_metric_and_its_direction() -> None:
    lines = metrics().splitlines()
    assert [line.split()[0] for line in lines[: len(METRICS.names())]] == METRICS.names()
    assert next(line for line in lines if line.startswith("ter")).split()[1] == "↓"
    assert lines[-1] == "farthing metrics NAME shows a metric's options."


def test_one_metric_with_all_of_its_options() -> None:
    text = metrics("chrf")
    assert "range   0 to 100, higher is better" in text
    assert "needs   candidate, reference" in text
    for name, option in metric_options("chrf").items():
        assert name in text
        assert option.help in text


def test_an_unknown_metric_is_told_its_neighbours() -> None:
    with pytest.raises(UnknownName, match="did you mean 'chrf'"):
        metrics("chrff")
