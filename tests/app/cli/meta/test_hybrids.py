"""`farthing meta hybrids` as a user runs it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., str]


def test_agreement_over_hybrids(meta: Run, data: str) -> None:
    done = meta("hybrids", data, "-m", "chrf,bleu", "--hybrids", "200", "--test", "williams")
    assert done.returncode == 0, done.stderr
    assert "200 hybrid systems" in done.stdout


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["hybrids", "human.jsonl", "--system", "lp"], "two different outputs"),
    ],
)
def test_every_mistake_is_one_line(meta: Run, data: str, command: list[str], words: str) -> None:
    done = meta(*command)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
