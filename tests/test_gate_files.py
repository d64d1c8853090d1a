"""The GitHub action and the pre-commit hooks: their real steps, run here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not here")

PROJECT = Path(__file__).resolve().parents[1]
EXAMPLE = PROJECT / "examples" / "translation"
ACTION = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with a command `farthing`, and one `python` that writes down what pip should install."""
    folder = tmp_path / "tools"
    folder.mkdir()
    code = "from farthing.app.cli.main import main; main()"
    commands = {
        "farthing": f'exec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"',
        "python": f'printf "%s\\n" "$@" > {shlex.quote(str(tmp_path / "pip.txt"))}',
    }
    for name, line in commands.items():
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)
    return folder


def run_step(number: int, tools: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does: inputs in its variables, bash with -e, files for outputs and the summary."""
    step = ACTION["runs"]["steps"][number]
    given = {name: inputs.get(name.replace("-", "_"), one.get("default", "")) for name, one in ACTION["inputs"].items()}

    def filled(match: re.Match[str]) -> str:
        context, _, name = match.group(1).partition(".")
        return given[name] if context == "inputs" else f"/{name}"

    variables = {name: re.sub(r"\$\{\{ (.+?) \}\}", filled, value) for name, value in step["env"].items()}
    assert "${{" not in step["run"]  # an input inside the script could run as a command
    files = {name: str(tools.parent / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    environment = {**os.environ, **variables, **files, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=EXAMPLE, env=environment, capture_output=True, encoding="utf-8", check=False)


def outputs(tools: Path) -> dict[str, str]:
    lines = (tools.parent / "GITHUB_OUTPUT").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_the_action_installs_its_own_version_or_what_is_named(tools: Path) -> None:
    assert run_step(0, tools).returncode == 0
    assert (tools.parent / "pip.txt").read_text().split() == ["-m", "pip", "install", "--quiet", "/action_path"]
    run_step(0, tools, package="farthing==0.1.0")
    assert (tools.parent / "pip.txt").read_text().split()[-1] == "farthing==0.1.0"


def test_a_passed_gate_prints_the_table(tools: Path) -> None:
    done = run_step(
        1, tools, candidates="fluent.en\nliteral.en", references="reference.en\n", metrics="chrf,ter",
        fail_under="chrf=60\n\nter=50", arguments="--names\nthe fluent one,literal",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "| the fluent one | **64.36** |" in done.stdout
    assert outputs(tools) == {"exit-code": "0", "reason": ""}
    assert "| the fluent one |" in (tools.parent / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")


def test_a_missed_threshold_fails_with_its_reason(tools: Path) -> None:
    done = run_step(
        1, tools, candidates="literal.en", references="reference.en", metrics="chrf", fail_under="chrf=64"
    )  # fmt: skip
    assert done.returncode == 3
    reason = "farthing: literal.en has chrf 62.98, below 64"
    assert outputs(tools) == {"exit-code": "3", "reason": reason}
    assert f"::error title=Farthing::{reason}" in done.stdout
    assert reason in (tools.parent / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")


def test_a_worse_system_fails_against_a_stored_run(tools: Path) -> None:
    stored = tools.parent / "main"
    command = [str(tools / "farthing"), "score", "hasty.en", "-r", "reference.en", "-m", "chrf", "-o", f"{stored}/"]
    subprocess.run(command, cwd=EXAMPLE, check=True, capture_output=True)
    done = run_step(1, tools, candidates="literal.en", against=str(stored))
    assert done.returncode == 3
    assert outputs(tools)["reason"].startswith(
        "farthing: literal.en is worse than main/hasty.en: chrf 62.98 against 81.43"
    )
    assert run_step(1, tools, candidates="hasty.en", against=str(stored)).returncode == 0


def test_wrong_input_is_told_apart_and_names_are_no_commands(tools: Path) -> None:
    done = run_step(1, tools, candidates="$(touch hacked).en; touch hacked", references="reference.en", metrics="chrf")
    assert done.returncode == 2
    assert "no such file" in outputs(tools)["reason"]
    assert not (EXAMPLE / "hacked").exists()


def test_outputs_are_those_of_the_step() -> None:
    for name, one in ACTION["outputs"].items():
        assert one["value"] == f"${{{{ steps.gate.outputs.{name} }}}}"


def config(repository: dict[str, Any]) -> str:
    return str(yaml.safe_dump({"repos": [repository]}))


def test_pre_commit_accepts_the_hooks() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib", reason="pre-commit is not here")
    clientlib.load_manifest(PROJECT / ".pre-commit-hooks.yaml")
    assert [hook["id"] for hook in HOOKS] == ["farthing-score", "farthing-compare"]


def test_hooks_stop_a_commit(tools: Path, tmp_path: Path) -> None:
    """The hooks of the repository in a real repository of outputs; only their installation is left out."""
    pytest.importorskip("pre_commit", reason="pre-commit is not here")
    work = tmp_path / "work"
    work.mkdir()
    for name in ("fluent.en", "literal.en", "reference.en"):
        (work / name).write_bytes((EXAMPLE / name).read_bytes())
    environment = {
        **os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PRE_COMMIT_HOME": str(tmp_path / "home"),
        "PYTHONPATH": os.pathsep.join(sys.path), "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip

    def call(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)

    call("git", "init", "-q")
    scores, _ = HOOKS
    hook = {**scores, "language": "system", "files": r"\.en$"}
    arguments = ["literal.en", "-r", "reference.en", "-m", "chrf", "--fail-under"]
    for limit, code in (("chrf=60", 0), ("chrf=64", 1)):
        hook["args"] = [*arguments, limit]
        (work / ".pre-commit-config.yaml").write_text(config({"repo": "local", "hooks": [hook]}))
        call("git", "add", ".")
        done = call(sys.executable, "-m", "pre_commit", "run", "farthing-score")
        assert done.returncode == code, done.stdout + done.stderr
    assert "literal.en has chrf 62.98, below 64" in done.stdout
    assert "exit code: 3" in done.stdout


CALL = re.compile(r"^\$ (farthing .*)\n((?:(?!\$ |```).*\n)*)(?:\$ echo \$\?\n(\d)\n)?", re.MULTILINE)
NUMBER = re.compile(r"\d+\.\d+")


def test_the_page_shows_what_the_gate_prints(tmp_path: Path) -> None:
    """The commands of docs/gate.md in their order, with standard error and exit code."""
    for path in EXAMPLE.glob("*.en"):
        (tmp_path / path.name).symlink_to(path)
    calls = CALL.findall((PROJECT / "docs" / "gate.md").read_text(encoding="utf-8"))
    assert [code for _, _, code in calls] == ["3", "", "3", "0"]
    for command, shown, code in calls:
        start = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", *shlex.split(command)[1:]]
        done = subprocess.run(start, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == int(code or 0)
        found, shown = (re.sub(r"version:[\w.]+", "", text) for text in (done.stdout + done.stderr, shown))
        assert NUMBER.sub("#", found) == NUMBER.sub("#", shown)
        numbers = [[float(number) for number in NUMBER.findall(text)] for text in (found, shown)]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.3)  # processors round 8-bit products differently
