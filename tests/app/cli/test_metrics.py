"""`farthing metrics`: every metric by name, and one with its options."""

from __future__ import annotations

import pytest

import farthing
from farthing.app.cli.metrics import metrics
from farthing.core.registry import metric_options


def test_the_list_has_every_metric_with_its_direction() -> None:
    lines = (metrics() or "").splitlines()
    listed = {line.split()[0]: line.split()[1] for line in lines[: lines.index("")]}
    assert set(listed) >= {"bleu", "chrf", "ter", "rouge", "frugalscore", "fid"}
    assert (listed["chrf"], listed["ter"], listed["fid"]) == ("↑", "↓", "↓")


def test_one_metric_with_its_options() -> None:
    text = metrics("chrf") or ""
    assert "higher is better" in text
    assert "candidate, reference" in text
    assert all(name in text for name in metric_options("chrf"))


def test_the_default_knows_its_sizes_and_what_it_needs() -> None:
    text = metrics("frugalscore") or ""
    assert "needs   candidate, reference or source\n" in text
    for size in ("nano", "tiny", "small", "multi", "source", "base (pip install farthing-base)", "small@1"):
        assert size in text


def test_an_unknown_metric_is_a_sentence() -> None:
    with pytest.raises(farthing.UnknownName, match="did you mean 'chrf'"):
        metrics("chrff")
