"""Bad input gets one clear line, exit code 2, and nothing half-written."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import farthing

GOOD = {"a.txt": ("one", "two", "three"), "r.txt": ("one", "two", "three")}


@pytest.fixture
def good(write: Callable[..., str]) -> None:
    for name, rows in GOOD.items():
        write(name, *rows)


def assert_one_line(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("farthing: ")
    for part in parts:
        assert part in done.stderr


def test_line_counts_differ(run, good, write) -> None:
    write("short.txt", "one")
    assert_one_line(run("score", "short.txt", "-r", "r.txt"), "short.txt has 1", "r.txt has 3")
    assert_one_line(run("compare", "a.txt", "short.txt", "-r", "r.txt"), "a.txt has 3", "short.txt has 1")


def test_missing_empty_directory(run, good, write, tmp_path: Path) -> None:
    write("empty.txt")
    (tmp_path / "folder").mkdir()
    assert_one_line(run("score", "nothing.txt", "-r", "r.txt"), "nothing.txt", "no such file")
    assert_one_line(run("score", "a.txt", "-r", "empty.txt"), "empty.txt", "the file is empty")
    assert_one_line(run("score", "folder", "-r", "r.txt"), "folder", "is a directory")
    assert_one_line(run("score", "-", "-r", "r.txt", stdin=subprocess.DEVNULL), "standard input is empty")


def test_not_utf8_names_line_and_byte(run, good, write) -> None:
    write("latin.txt", "one", b"caf\xe9\n", "three")
    assert_one_line(run("score", "latin.txt", "-r", "r.txt"), "latin.txt:2", "0xe9", "position 4")


def test_byte_order_mark_and_windows_ends_are_accepted(run, good, write) -> None:
    write("windows.txt", b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n")
    done = run("score", "windows.txt", "-r", "r.txt", "-m", "chrf", "--format", "csv")
    assert done.stdout.splitlines()[1].startswith("windows.txt,chrf,100.0")


def test_missing_column_lists_those_there_are(run, write) -> None:
    write("t.tsv", "x\ty", "1\t2")
    assert_one_line(run("score", "t.tsv"), "t.tsv", "no column 'candidate'", "there are: x, y")
    assert_one_line(run("score", "t.tsv", "--candidate", "x", "--reference", "z"), "no column 'z'", "x, y")


def test_broken_json_and_wrong_types(run, write) -> None:
    write("broken.jsonl", '{"mt": "a", "ref": "b"}', '{"mt": "a", ')
    write("types.jsonl", '{"mt": ["a"], "ref": "b"}')
    write("null.jsonl", '{"mt": "a", "ref": null}')
    assert_one_line(run("score", "broken.jsonl"), "broken.jsonl:2", "broken JSON")
    assert_one_line(run("score", "types.jsonl"), "types.jsonl:1", "the field 'mt' must be text, found list")
    assert_one_line(run("score", "null.jsonl"), "null.jsonl:1", "the field 'ref'", "found nothing")


def test_unknown_metric_option_command_and_flag(run, good) -> None:
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "-m", "chfr"), "unknown metric 'chfr'", "did you mean 'chrf'")
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "-m", "chrf(bta=1)"), "'bta'", "did you mean 'beta'")
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "-m", "chrf(beta=x)"), "beta=x is not integer")
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "-m", "chrf("), "expected an option's name")
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "-m", "chrf,chrf"), "asked for twice")
    assert_one_line(run("scor"), "unknown command 'scor'", "did you mean 'score'")
    assert_one_line(run("score", "--formt", "csv"), "'--formt'", "did you mean '--format'")
    assert_one_line(run("score"), "systems")
    assert_one_line(run("compare", "a.txt", "b.txt", "--resamples", "-1"), "--resamples -1 must be at least 0")
    assert_one_line(run("compare", "a.txt", "b.txt", "--resamples", "many"), "invalid int value: 'many'")
    assert_one_line(run("score", "a.txt", "-r", "r.txt", "--format", "xml"), "invalid choice: 'xml'", "latex")
    assert_one_line(
        run("compare", "a.txt", "b.txt", "-r", "r.txt", "--test", "t"), "invalid choice: 't'", "randomization"
    )


def test_missing_reference(run, good) -> None:
    assert_one_line(run("score", "a.txt", "-m", "bleu"), "bleu needs a reference", "-r")


def test_compare_needs_two_and_a_known_baseline(run, good, write) -> None:
    write("b.txt", *GOOD["a.txt"])
    assert_one_line(run("compare", "a.txt", "-r", "r.txt"), "at least two systems")
    done = run("compare", "a.txt", "b.txt", "-r", "r.txt", "--baseline", "c.txt")
    assert_one_line(done, "unknown baseline 'c.txt'", "a.txt, b.txt")


def test_duplicate_system_names(run, good) -> None:
    assert_one_line(run("compare", "a.txt", "a.txt", "-r", "r.txt"), "two systems are called 'a.txt'", "--names")
    assert_one_line(run("score", "-", "-r", "-", input="x\n"), "standard input (-) can be used for one file only")


def test_output_that_cannot_be_written(run, good, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    score = ("score", "a.txt", "-r", "r.txt", "-o")
    assert_one_line(run(*score, "folder.csv"), "folder.csv", "is a directory")
    assert_one_line(run(*score, "no/such/out.csv"), "does not exist")
    assert_one_line(run(*score, "out.xls"), "unknown kind of output", ".parquet")
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "folder.csv", "r.txt"]


def test_output_that_is_not_writable(run, good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write everywhere, so the check is asked in-process with a user who may not."""
    from farthing.core.errors import OutputError
    from farthing.files.write import write_text

    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    if os.geteuid() != 0:
        assert_one_line(run("score", "a.txt", "-r", "r.txt", "-o", "out.csv"), "exists and is not writable")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(OutputError, match="exists and is not writable"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"


def test_full_disk_leaves_the_old_output(run, good, tmp_path: Path) -> None:
    """A limit on file size makes every write fail, as a full disk does."""
    (tmp_path / "out.csv").write_text("old", encoding="utf-8")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))}
    done = run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "-o", "out.csv", **limit)
    assert_one_line(done, "out.csv", "cannot be written", "nothing was changed")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "old"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "out.csv", "r.txt"]


def test_full_standard_output(run, good) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run("score", "a.txt", "-r", "r.txt", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "standard output: No space left on device" in done.stderr


def test_help_version_and_nothing(run) -> None:
    assert "score" in run("--help").stdout
    assert "score" in run().stdout
    assert run("--version").stdout.strip() == f"farthing {farthing.__version__}"
    assert "--ci" in run("score", "--help").stdout


def test_closed_pipe_is_quiet(good, run, tmp_path: Path) -> None:
    import subprocess
    import sys

    command = (
        f"'{sys.executable}' -c 'from farthing.app.cli.main import main; main()' score a.txt -r r.txt -m chrf | true"
    )
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_command_of_another_package_is_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from farthing.app.cli.main import main
    from farthing.core import registry

    monkeypatch.setitem(registry._ADDED, "command", {})

    def greet(name: str) -> str:
        """Greet somebody."""
        return f"hello {name}"

    farthing.register("command", "greet", greet)
    with pytest.raises(SystemExit) as left:
        main(["greet", "--name", "Ann"])
    assert (left.value.code, capsys.readouterr().out) == (0, "hello Ann\n")
