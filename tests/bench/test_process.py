"""Fresh processes: the numbers of GNU time, and sentences for what goes wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from farthing.bench.process import last_line, run_command, run_worker, worker_main
from farthing.core.errors import UsageError

GNU_TIME = Path("/usr/bin/time")
BUSY = "block = bytearray(150 << 20); total = sum(i * i for i in range(3_000_000))"


def gnu_time(command: list[str]) -> tuple[float, int]:
    """CPU seconds and peak bytes by an independent program."""
    if not GNU_TIME.exists():
        pytest.skip("GNU time is not installed")
    told = subprocess.run([str(GNU_TIME), "-v", *command], capture_output=True, text=True, check=True).stderr
    user, system = (float(re.search(rf"{name} time \(seconds\): ([\d.]+)", told)[1]) for name in ("User", "System"))  # type: ignore[index]
    return user + system, 1024 * int(re.search(r"Maximum resident set size \(kbytes\): (\d+)", told)[1])  # type: ignore[index]


def test_peak_memory_is_that_of_gnu_time() -> None:
    command = [sys.executable, "-c", BUSY]
    _, peak = gnu_time(command)
    found = run_command(command).cost
    assert found.memory == pytest.approx(peak, rel=0.05)


def test_the_memory_of_the_parent_does_not_count() -> None:
    block = bytearray(400 << 20)
    found = run_command([sys.executable, "-c", "pass"]).cost
    assert len(block) > 0
    assert found.memory is not None
    assert found.memory < 100 << 20


def test_what_a_command_wrote_and_where_it_ran(tmp_path: Path) -> None:
    done = run_command([sys.executable, "-c", "import os; print(os.getcwd()); raise SystemExit(4)"], tmp_path)
    assert (done.code, Path(done.output.strip()).resolve()) == (4, tmp_path.resolve())
    with pytest.raises(UsageError, match="no-such-program cannot be run: No such file"):
        run_command(["no-such-program"])


@dataclass(frozen=True)
class Number:
    value: int


def test_a_worker_that_fails_is_one_sentence() -> None:
    with pytest.raises(UsageError, match=r"seven cannot be measured: .*No module named") as caught:
        run_worker("farthing.bench.no_such_module", "seven", Number(7), Number)
    assert "\n" not in str(caught.value)


def test_the_part_of_the_worker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    asked.write_text('{"value": 3}')
    files = [str(asked), str(answered)]
    assert worker_main(lambda number: Number(number.value + 1), Number, files) == 0
    assert answered.read_text() == '{"value": 4}'

    def refuse(number: Number) -> Number:
        raise UsageError(f"{number.value} is odd")

    assert worker_main(refuse, Number, files) == 2
    assert capsys.readouterr().err == "3 is odd\n"


def test_the_last_line_that_says_something() -> None:
    assert last_line("a\nb\n  \n") == "b"
    assert last_line("") == ""
