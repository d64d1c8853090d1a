"""`farthing meta` in a process of its own: what is printed where, and the exit code."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_table_is_all_that_is_printed(run: Run, data: str) -> None:
    done = run("meta", "correlate", data, "-m", "chrf,ter", "--test", "williams", "--scores", "kept")
    assert done.returncode == 0, done.stderr
    head, _, chrf, ter, *rest = done.stdout.splitlines()
    assert head.split() == ["metric", "cs-en", "de-en", "mean", "pooled"]
    assert chrf.split()[0] == "chrf"
    assert ter.split()[0] == "ter"
    assert float(ter.split()[1].strip("*")) > 0.5  # an error rate, turned
    assert any("williams" in line for line in rest)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["corelate", "human.jsonl"], "did you mean 'correlate'"),
        (["correlate", "none.jsonl"], "none.jsonl"),
        (["correlate", "human.jsonl", "--average", "segment"], "invalid choice"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(run: Run, data: str, command: list[str], words: str) -> None:
    done = run("meta", *command)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
