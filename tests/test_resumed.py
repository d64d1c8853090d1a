"""Every long command that writes a run: killed at any write and started again, it ends with the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.files.journal import Journal
from farthing.files.rows import read_run_rows
from farthing.files.run import read_run
from farthing.learn.data.store import PARTIAL, read_pairs

# The process runs this first: it ends at the write with the given number, when all but the name of the file is there.
FATAL = """
import os, signal, sys
from pathlib import Path
left, kind, replace = [int(sys.argv.pop(1))], sys.argv.pop(1), Path.replace
def fatal(self, target):
    left[0] -= 1
    if left[0] == 0 and kind == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if left[0] == 0:
        raise KeyboardInterrupt
    return replace(self, target)
Path.replace = fatal
from farthing.app.cli.main import main
main()
"""
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "green", "far", "five", "apples", "never", "Zürich", "雪"]
CALLS = {
    "pairs": ["learn", "pairs", "--corpus", "a.txt", "--mix", "perturbation,random", "--size", "2600"],
    "annotate": ["learn", "annotate", "pairs.jsonl", "--teacher", "chrf"],
    "correlate": ["meta", "correlate", "judged.jsonl", "-m", "chrf,token_f1"],
    "judge": ["judge", "a.txt", "b.txt", "-r", "ref.txt", "--judge", "judge(replay=judged.jsonl)", "--student", "chrf"],
}
ROWS = 1300  # two shards of a score


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts for every command."""
    folder, random = tmp_path_factory.mktemp("texts"), np.random.default_rng(0)
    columns = {name: [" ".join(random.choice(WORDS, 6)) for _ in range(ROWS)] for name in ("a", "b", "ref")}
    for name, lines in columns.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rows = [
        {"candidate": text, "reference": reference, "system": name, "score": len(text)}
        for name in ("a", "b")
        for text, reference in zip(columns[name], columns["ref"], strict=True)
    ]
    (folder / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:ROWS]), encoding="utf-8")
    return folder


def run(
    folder: Path,
    name: str,
    target: str,
    fatal: int = 0,
    kind: str = "kill",
    *,
    call: list[str] | None = None,
    first: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run a command, which ends at the write with the number `fatal`.

    :param call: what is called instead of the command of that name
    :param first: what the process does before it starts
    """
    command = [sys.executable, "-c", first + FATAL, str(fatal), kind, *(call or CALLS[name]), "-q", "-o", target]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, env=os.environ)


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", CALLS)
def test_a_stopped_command_resumes_to_the_same_bytes(texts: Path, name: str) -> None:
    whole = run(texts, name, f"{name}-whole/")
    assert whole.returncode == 0, whole.stderr
    stopped = run(texts, name, f"{name}/", 3, "interrupt")
    assert stopped.returncode == 130
    assert stopped.stderr.startswith(f"farthing: stopped; what was done so far is kept in {name}")
    assert f"this resumes it: farthing {CALLS[name][0]} " in stopped.stderr
    assert not Journal.read(texts / name).complete
    assert run(texts, name, f"{name}/", 3).returncode == -signal.SIGKILL
    refused_with_another_input(texts, name)
    refused_with_another_metric(texts, name)
    refused_with_another_version(texts, name)
    assert run(texts, name, f"{name}/").stdout == whole.stdout
    assert content(texts / name) == content(texts / f"{name}-whole")
    assert Journal.read(texts / name).complete


def refused_with_another_input(texts: Path, name: str) -> None:
    changed = {"pairs": "a.txt", "annotate": "pairs.jsonl", "correlate": "judged.jsonl", "judge": "ref.txt"}[name]
    kept, before = (texts / changed).read_bytes(), content(texts / name)
    lines = kept.splitlines(keepends=True)
    try:
        (texts / changed).write_bytes(b"".join([*lines[:-1], lines[0]]))
        refused = run(texts, name, f"{name}/")
    finally:
        (texts / changed).write_bytes(kept)
    assert refused.returncode == 2
    assert f"{name}: holds another run (its input" in refused.stderr
    assert content(texts / name) == before


def refused_with_another_metric(texts: Path, name: str) -> None:
    """Refused, too, is anything else that decides what the run holds; pairs have no metric, so their number changes."""
    change = {"pairs": "2600 2700", "annotate": "chrf ter", "correlate": "token_f1 ter", "judge": "chrf ter"}[name]
    before, (old, new) = content(texts / name), change.split()
    refused = run(texts, name, f"{name}/", call=[argument.replace(old, new) for argument in CALLS[name]])
    assert refused.returncode == 2
    assert f"{name}: holds another run (" in refused.stderr
    assert content(texts / name) == before


def refused_with_another_version(texts: Path, name: str) -> None:
    before = content(texts / name)
    refused = run(texts, name, f"{name}/", first="from farthing.core import version; version.__version__ = '9.9'")
    assert refused.returncode == 2
    assert f"{name}: holds another run (" in refused.stderr
    assert content(texts / name) == before


def test_partial_results_are_readable_and_labelled(texts: Path) -> None:
    run(texts, "pairs", "partial-pairs/", 3)  # the manifest and one shard are there
    partial = read_pairs(texts / "partial-pairs")
    assert (len(partial), PARTIAL in partial.notes) == (1024, True)
    run(texts, "correlate", "partial-study/", 4)  # the manifests of the study and of a metric, and one shard
    with pytest.raises(InputError, match="no rows are complete yet"):
        read_run_rows(texts / "partial-study", "scores of a study")
    [folder] = (texts / "partial-study" / "parts").iterdir()
    assert not read_run(folder).complete
    assert read_run(folder).scores("chrf", read_run(folder).systems[0]).notes[0].kind == "partial"
