"""Judgements that are made up for the commands of `farthing meta`, and the commands themselves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., str]

WORDS = "the old cat sat on a big red mat near 12 small dogs in Paris while people slept and the sun was not shining"


@pytest.fixture
def judged_rows() -> list[dict[str, Any]]:
    """Outputs that lose words, with human scores that say how many."""
    words = WORDS.split()
    found = []
    for item in range(12):
        reference = words[item % 7 :] + words[: item % 7] + [f"number{item}"]
        for system in range(3):
            lost = (system * 3 + item) % 8
            output = " ".join(reference[lost:])
            found.append(
                {
                    "lp": "de-en" if item % 2 else "cs-en",
                    "system": f"S{system}",
                    "segment_id": item,
                    "reference": " ".join(reference),
                    "candidate": output,
                    "score": None if (system, item) == (0, 3) else -lost,
                    "scores": {"fluency": 5 - lost / 2},
                    "label": int(lost < 3),
                }
            )
    return found


@pytest.fixture
def data(write: Write, judged_rows: list[dict[str, Any]]) -> str:
    """A table of judgements in the test's own folder."""
    return write("human.jsonl", *(json.dumps(row) for row in judged_rows))


@pytest.fixture
def meta(run: Run) -> Run:
    """The command with its scores kept in the test's own folder."""

    def call(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run("meta", command, *arguments, "--scores", "kept")

    return call
