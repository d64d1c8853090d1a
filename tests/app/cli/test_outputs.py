"""No command writes over what it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "annotate", "in.json", "--teacher", "chrf", "-o", "in.json"),
        ("learn", "table", "in.json", "--teacher", "chrf", "--student", "bleu", "-o", "./in.json"),
        ("learn", "pairs", "--corpus", "in.json", "--mix", "perturbation", "-o", "in.json"),
        ("meta", "correlate", "in.json", "-m", "chrf", "-o", "link.json"),
    ],
)
def test_an_input_is_never_overwritten(run, write, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    content = json.dumps([{"mt": f"a {n}", "ref": "b", "text": "a b", "score": n} for n in range(4)])
    write("in.json", content)
    (tmp_path / "link.json").symlink_to("in.json")
    done = run(*arguments)
    assert done.returncode == 2
    assert "which is never overwritten; choose another name" in done.stderr
    assert (tmp_path / "in.json").read_text() == content + "\n"
