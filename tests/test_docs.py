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

from farthing.app.cli.main import COMMANDS
from farthing.app.cli.typed import Commands, build
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import parse_spec

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


def runs_read(page: str, command: str) -> list[tuple[str, str]]:
    """Runs that a command reads and earlier commands of its page write: the folder and the command."""
    before = [other for name, other, _ in blocks() if name == page]
    written = [(found[1], other) for other in before if (found := re.search(r"-o (\S+)/(?: |$)", other))]
    return [(name, other) for name, other in written if f" {name}/" in command.replace(f"-o {name}/", "")]


def farthing(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    code = "from farthing.app.cli.main import main; main()"
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}  # no scores of an earlier run
    arguments = [sys.executable, "-c", code, *shlex.split(command)[1:]]
    return subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )  # fmt: skip


@pytest.mark.parametrize(("page", "command", "output"), blocks())
def test_console_blocks_print_what_they_show(page: str, command: str, output: str, folder: Path) -> None:
    arguments = shlex.split(command)[1:]
    missing = [name for name in arguments if name.endswith(".gz") and not (folder / name).exists()]
    if missing:
        pytest.skip(f"the shared data are not here: {missing[0]}")
    for name, other in runs_read(page, command):  # another worker may have run it
        if not (folder / name).exists():
            farthing(other, folder)
    done = farthing(command, folder)
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


SHELL = re.compile(r"^( *)```bash\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([a-z_]+\([a-z_]+=[^`…]*\))`")


def pages() -> list[Path]:
    return [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]


def typed_commands() -> list[tuple[str, str]]:
    """The commands of blocks that are not run, since they name files of the reader."""
    return [
        (page.relative_to(PROJECT).as_posix(), line.strip())
        for page in pages()
        for _, block in SHELL.findall(page.read_text(encoding="utf-8"))
        for line in re.sub(r"\\\n\s*", " ", block).splitlines()
        if line.strip().startswith("farthing ") and "…" not in line
    ]


@pytest.mark.parametrize(("page", "command"), typed_commands())
def test_commands_that_are_not_run_have_the_options_that_they_name(page: str, command: str) -> None:
    arguments = shlex.split(command.partition(" >")[0].partition(" |")[0], comments=True)[1:]
    name, *rest = [one for one in arguments if one != "--online"]
    told = COMMANDS.get(name)
    if isinstance(told, Commands):
        name, told, rest = f"{name} {rest[0]}", told.members[rest[0]], rest[1:]
    build(told, f"farthing {name}")[0].parse_args(rest)


@pytest.mark.parametrize(
    ("page", "spec"),
    sorted(
        {
            (page.name, spec)
            for page in pages()
            for spec in INLINE.findall(page.read_text(encoding="utf-8"))
            if spec.partition("(")[0] in METRICS.builtin  # the others are calls in Python
        }
    ),
)
def test_specs_in_the_text_name_options_that_there_are(page: str, spec: str) -> None:
    parsed = parse_spec(spec)
    unknown = set(parsed.options) - set(metric_options(parsed.name)) - {"normalise"}
    assert unknown == set(), page
