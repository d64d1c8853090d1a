"""Judged outputs for the commands of `farthing meta`, which run in this process and in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = "the old cat sat on a big red mat near 12 small dogs in Paris while people slept and the sun was not shining"


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """Outputs that lose words, with human scores that say how many; one score is missing."""
    words = WORDS.split()
    found = []
    for item in range(12):
        reference = words[item % 7 :] + words[: item % 7] + [f"number{item}"]
        for system in range(3):
            lost = (system * 3 + item) % 8
            found.append(
                {
                    "lp": "de-en" if item % 2 else "cs-en",
                    "system": f"S{system}",
                    "segment_id": item,
                    "reference": " ".join(reference),
                    "candidate": " ".join(reference[lost:]),
                    "score": None if (system, item) == (0, 3) else -lost,
                    "scores": {"fluency": 5 - lost / 2},
                    "label": int(lost < 3),
                }
            )
    return found


@pytest.fixture
def data(write: Callable[..., str], rows: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table of the judged outputs in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write("human.jsonl", *map(json.dumps, rows))


@pytest.fixture
def meta(farthing: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The command with its scores kept in the test's own folder; code=2 expects one sentence."""
    monkeypatch.chdir(tmp_path)

    def call(command: str, *arguments: str, code: int = 0) -> Any:
        return farthing("meta", command, *arguments, "--scores", "kept", code=code)

    return call
