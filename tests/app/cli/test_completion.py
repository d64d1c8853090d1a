"""The completion of shells: bash's is asked by a real bash, the others for what they must contain."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from pathlib import Path

import pytest

from farthing.app.cli.completion import bash_script, fish_script, zsh_script
from farthing.app.cli.main import COMMANDS
from farthing.app.cli.pages import command_pages
from farthing.core.registry import metric_names

# Takes the words of a line as readline would hand them over, the last of which is being typed.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_farthing
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bash") / "farthing.bash"
    path.write_text(bash_script() + "\n", encoding="utf-8")
    return path


@pytest.fixture
def offered(script: Path):
    def ask(*words: str) -> list[str]:
        command = ["bash", "--norc", "-u", "-c", ASK, "bash", str(script), "farthing", *words]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        assert done.stderr == ""
        return done.stdout.split()

    return ask


def test_bash_offers_commands_and_sub_commands(offered) -> None:
    assert offered("") == COMMANDS.known()
    assert offered("sc") == ["score"]
    assert offered("learn", "dist") == ["distil", "distil-tokens"]
    assert offered("--online", "comp") == ["compare", "completion"]
    assert "compare" in offered("help", "")
    assert offered("completion", "") == ["bash", "zsh", "fish"]


def test_bash_offers_every_option_of_every_command(offered) -> None:
    for page in command_pages():
        flags = {flag for option in page.options for flag in option.flags}
        assert flags | {"--help", "--online"} == set(offered(*page.name.split()[1:], "-")), page.name


def test_bash_offers_metrics_also_after_a_comma(offered) -> None:
    assert offered("score", "hyp.txt", "-m", "") == metric_names()
    assert offered("score", "hyp.txt", "-m", "chr") == ["chrf"]
    assert offered("score", "-m", "bleu,ch") == ["bleu,chrf"]
    assert offered("metrics", "bar") == ["bartscore", "baryscore"]
    assert "small" in offered("models", "info", "")


def test_bash_offers_choices_also_after_an_equals_sign(offered) -> None:
    assert offered("score", "--format", "j") == ["json"]
    assert offered("score", "--format", "=", "c") == ["csv"]
    assert offered("score", "--format", "=") == ["table", "json", "csv", "latex", "markdown"]
    assert offered("compare", "a.txt", "--test", "r") == ["randomization"]


def test_bash_leaves_files_to_itself(offered) -> None:
    assert offered("score", "hy") == []
    assert offered("score", "hyp.txt", "-r", "-") == []
    assert offered("learn", "pairs", "-o", "") == []


def test_a_person_types_a_tab(script: Path, tmp_path: Path) -> None:
    """A real interactive bash completes a command, a file where a file belongs, and a metric."""
    (tmp_path / "translation.txt").write_text("a\n")
    person, terminal = pty.openpty()
    shell = ["bash", "--norc", "--noprofile", "-i"]
    environment = {**os.environ, "PS1": "@@ ", "TERM": "dumb", "INPUTRC": os.devnull}
    with subprocess.Popen(
        shell, cwd=tmp_path, env=environment, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
    ) as bash:
        os.close(terminal)
        os.write(person, f"source {script}; echo rea''dy\n".encode())
        read_until(person, b"ready\r\n@@ ")
        os.write(person, b"farthing sco\ttrans\t-m chr\t; exit\n")
        shown = read_until(person, b"exit\r\n")
        bash.kill()
    os.close(person)
    assert b"farthing score translation.txt -m chrf" in shown


def read_until(terminal: int, end: bytes) -> bytes:
    shown = b""
    while end not in shown and select.select([terminal], [], [], 20)[0]:
        shown += os.read(terminal, 4096)
    return shown


def test_zsh_knows_the_same(tmp_path: Path) -> None:
    text = zsh_script()
    assert text.startswith("#compdef farthing\n")
    for page in command_pages():
        assert f"'{page.name}'" in text
        assert all(flag in text for option in page.options for flag in option.flags)
    assert "compset -P '*,'; compadd -- " in text
    # zsh's grammar for what is used here is that of bash, so that quotes and brackets can be checked
    assert subprocess.run(["bash", "-n"], input=text, encoding="utf-8", check=False).returncode == 0


def test_fish_knows_the_same() -> None:
    text = fish_script()
    for page in command_pages():
        lines = [line for line in text.splitlines() if f"'__farthing_at {page.name}'" in line]
        for option in page.options:
            names = [f"-l {flag[2:]} " if flag.startswith("--") else f"-s {flag[1:]} " for flag in option.flags]
            assert not names or any(all(name in f"{line} " for name in names) for line in lines), option
        assert all(f" -a {name} " in text for name in page.commands)
    assert all(line.replace("\\'", "").count("'") % 2 == 0 for line in text.splitlines())
