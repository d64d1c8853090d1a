"""`farthing meta select` as a user runs it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., str]


def test_selection_among_hybrids(meta: Run, data: str) -> None:
    chosen = meta(
        "select", data, "-m", "chrf,bleu", "--hybrids", "200", "--draws", "300", "--drawn", "10", "-f", "json"
    )
    results = json.loads(chosen.stdout)
    assert 0 < results["metrics"][0]["groups"]["cs-en"]["hits"]["value"] <= 1
    shown = meta("select", data, "-m", "chrf,bleu", "--hybrids", "200", "--draws", "300", "--drawn", "10").stdout
    assert all(name in shown for name in ("Hits@1", "mean reciprocal rank", "lost human score"))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["select", "human.jsonl", "--hybrids", "50", "--drawn", "60"], "cannot draw 60 of 50"),
    ],
)
def test_every_mistake_is_one_line(meta: Run, data: str, command: list[str], words: str) -> None:
    done = meta(*command)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
