"""The flow of a plain score: few files, and hardly a step back to the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = PROJECT / "examples" / "translation"


# The default has 28 instead of 25 since n-grams, the tokens of several texts in one array, and texts that are encoded
# when they are matched have files of their own, which more than doubled the speed of `nano`. Two more check that the
# embedded models are those that were published, and that a graph names no files elsewhere. Four more are words as
# numbers, trigrams, ids of several texts in one array, and memory that is used again, which made `nano` faster by two
# fifths. One more reads text files by blocks of lines, several times as fast as row by row. Six more read the words of
# a text, their kinds and what is wrong with one of them, which `small` looks for.
@pytest.mark.parametrize(("options", "most"), [((), 41), (("-m", "chrf"), 17)])
def test_a_plain_score_runs_few_files(options: tuple[str, ...], most: int) -> None:
    command = [sys.executable, str(PROJECT / "tests" / "flow.py"), "score", "fluent.en", "-r", "reference.en", *options]
    done = subprocess.run(command, cwd=EXAMPLE, capture_output=True, encoding="utf-8", check=True)
    assert "fluent.en" in done.stdout
    flow = json.loads(done.stderr)
    assert len(flow["files"]) <= most, "\n".join(flow["files"])
    assert flow["returns"] <= 2
