"""`farthing meta robustness` as a user runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., str]


def test_robustness_by_changes_and_by_labels(meta: Run, data: str) -> None:
    done = meta("robustness", data, "-m", "chrf", "--changes", "number,antonym,word order", "--good", "identical")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2].split() == ["chrf", "1.000", "1.000", "1.000"]
    areas = json.loads(meta("robustness", data, "-m", "chrf,ter", "--labels", "label", "-f", "json").stdout)
    assert areas["metrics"][0]["groups"]["pooled"]["value"] > 0.9


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["robustness", "human.jsonl", "--changes", "colour"], "unknown change 'colour'"),
        (["robustness", "human.jsonl", "--labels", "score"], "labels must be"),
    ],
)
def test_every_mistake_is_one_line(meta: Run, data: str, command: list[str], words: str) -> None:
    done = meta(*command)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
