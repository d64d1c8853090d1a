"""The door of the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UsageError
from farthing.files.run import Run
from farthing.report.page.report import make_report


def test_runs_and_documents_make_a_page(tested_run: Run, tmp_path: Path) -> None:
    bench = {
        "kind": "bench",
        "plan": {"statistic": "pearson"},
        "rows": [{"label": "m", "data": "d", "seconds": 0.1, "memory": {"median": 1e6}, "quality": 0.5}],
        "fronts": [{"data": "d", "cost": "time", "labels": ["m"]}],
    }
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(bench))
    page = make_report([tested_run.folder, path])
    assert "<title>one, two, three</title>" in page
    assert "Quality and cost: d" in page
    assert make_report([tested_run.folder], title="T").count("<title>T</title>") == 1


def test_what_is_no_run_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at least one run"):
        make_report([])
    with pytest.raises(InputError, match="not a run"):
        make_report([tmp_path])
    with pytest.raises(InputError, match="not a run"):
        make_report([tmp_path / "nothing"])


def test_many_systems_are_not_all_in_the_title(make_run: Callable[..., Run]) -> None:
    run = make_run("names", "chrf", ["one", "two", "three"])
    assert make_report([run.folder], "markdown").startswith("## one, two, three\n")
