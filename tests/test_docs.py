"""Every `console` block in README and docs is run, and prints what stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = PROJECT / "examples" / "translation"
BLOCK = re.compile(r"```console\n\$ (farthing .*)\n((?:.*\n)*?)```")
VERSION = re.compile(r"\b(version|rouge_score):[\w.]+")  # of the libraries beneath, which may move


def blocks() -> list[tuple[str, str, str]]:
    pages = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    return [
        (page.relative_to(PROJECT).as_posix(), command, output)
        for page in pages
        for command, output in BLOCK.findall(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("page", "command", "output"), blocks())
def test_console_blocks_print_what_they_show(page: str, command: str, output: str) -> None:
    arguments = shlex.split(command)[1:]
    code = "from farthing.app.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=EXAMPLE, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert VERSION.sub("version", done.stdout).strip() == VERSION.sub("version", output).strip(), page


def test_there_are_blocks_to_run() -> None:
    assert "README.md" in {page for page, _, _ in blocks()}
