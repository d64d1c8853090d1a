"""Every `console` block in README and docs is run, and prints what stands there.

The commands run in a folder that has the files of the example and, where they are at hand, the shared human
judgements; a block that names one of the latter is skipped without them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = PROJECT / "examples" / "translation"
SHARED = Path(os.environ.get("FARTHING_SHARED", PROJECT.parent / "shared"))
BLOCK = re.compile(r"```console\n((?:.*\n)*?)```")
CALL = re.compile(r"^\$ (farthing .*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)  # a command and what it prints
VERSION = re.compile(r"\b(version|rouge_score):[\w.]+")  # of the libraries beneath, which may move

NUMBER = re.compile(r"\d+\.\d+")


def blocks() -> list[tuple[str, str, str]]:
    pages = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    return [
        (page.relative_to(PROJECT).as_posix(), command, output)
        for page in pages
        for block in BLOCK.findall(page.read_text(encoding="utf-8"))
        for command, output in CALL.findall(block)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's files and the shared ones, side by side."""
    place = tmp_path_factory.mktemp("docs")
    for source in [*EXAMPLE.iterdir(), *(SHARED / "data" / "human").glob("*.gz")]:
        (place / source.name).symlink_to(source)
    return place


@pytest.mark.parametrize(("page", "command", "output"), blocks())
def test_console_blocks_print_what_they_show(page: str, command: str, output: str, folder: Path) -> None:
    arguments = shlex.split(command)[1:]
    missing = [name for name in arguments if name.endswith(".gz") and not (folder / name).exists()]
    if missing:
        pytest.skip(f"the shared data are not here: {missing[0]}")
    code = "from farthing.app.cli.main import main; main()"
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}  # no scores of an earlier run
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, shown = (VERSION.sub("version", text).strip() for text in (done.stdout, output))
    if shown.endswith("\n…"):  # the docs leave out the rest, such as signatures
        shown = shown.removesuffix("…")
        found = found[: len(shown)]
    if "frugalscore" in command:  # processors of other families round 8-bit products differently
        assert NUMBER.sub("#", found) == NUMBER.sub("#", shown), page
        assert [float(n) for n in NUMBER.findall(found)] == pytest.approx(
            list(map(float, NUMBER.findall(shown))), abs=0.3
        )
        return
    assert found == shown, page


def test_there_are_blocks_to_run() -> None:
    assert "README.md" in {page for page, _, _ in blocks()}


def test_the_page_on_python_runs() -> None:
    page = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n((?:.*\n)*?)```", page))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split(",")) == 2
