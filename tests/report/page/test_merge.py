"""Several runs in one report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from farthing.core.errors import UsageError
from farthing.files.run import Run
from farthing.report.page.gather import run_content
from farthing.report.page.merge import merged


def test_runs_add_systems_and_metrics(make_run: Callable[..., Run]) -> None:
    first = run_content(make_run("first", "chrf", ["one", "two"]))
    second = run_content(make_run("second", "chrf,ter", ["three", "one"], test="bootstrap"))
    whole = merged([first, second])
    assert whole.systems == ["one", "two", "three"]
    assert [one.label for one in whole.measures] == ["chrf", "ter"]
    assert ("two", "ter") not in whole.scores
    assert whole.scores["one", "chrf"].p_value == second.scores["one", "chrf"].p_value is not None
    assert [pairs.system for pairs in whole.texts] == whole.systems
    assert whole.baselines == {"three"}


def test_a_name_with_other_outputs_is_another_system(make_run: Callable[..., Run]) -> None:
    first = run_content(make_run("monday", "chrf", ["one"]))
    changed = replace(first.texts[0], candidates=["x"] * 4)
    whole = merged([first, replace(first, title="tuesday", texts=[changed])])
    assert whole.systems == ["one", "one (tuesday)"]
    assert whole.texts[1].candidates == ["x"] * 4
    assert whole.scores["one (tuesday)", "chrf"].corpus == first.scores["one", "chrf"].corpus


def test_a_label_with_another_signature_is_another_measure(make_run: Callable[..., Run]) -> None:
    first = run_content(make_run("plain", "chrf", ["one"]))
    second = run_content(make_run("lower", "chrf(lowercase=true)", ["one"]))
    whole = merged([first, second])
    assert [one.label for one in whole.measures] == ["chrf", "chrf (lower)"]


def test_other_segments_are_refused(make_run: Callable[..., Run]) -> None:
    first = run_content(make_run("here", "chrf", ["one"]))
    shorter = replace(first, title="short", texts=[first.texts[0].part(0, 2)])
    with pytest.raises(UsageError, match="short has 2 segments and here has 4"):
        merged([first, shorter])
    other = replace(first.texts[0], references=[["x"]] * 4)
    with pytest.raises(UsageError, match=r"other references than here \(row 1\)"):
        merged([first, replace(first, title="other", texts=[other])])
