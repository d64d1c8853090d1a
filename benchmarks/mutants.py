"""How many small errors in the kernels do the tests find? Mutation testing by mutmut 3.

    python benchmarks/mutants.py [align/greedy neighbours/search …] [--processes 2] [--folder FOLDER]

The project is copied to a folder, mutmut changes one thing after another in the kernels there (a bound, a sign, a
constant) and runs the tests that reach it. What no test notices is listed: write a test for it. A table tells the share
of mutants that were killed in every kernel; a mutant that hangs is counted as killed.

A folder that is named is kept: the same command goes on there after an interruption, and tries the survivors again
with the tests as they are now. A kernel whose source has changed needs a new folder.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = (
    "align/greedy", "align/transport", "align/simplex", "align/relaxed", "neighbours/points", "neighbours/search",
    "neighbours/hyperspheres", "neighbours/clusters", "meta/coefficients", "meta/correlation", "meta/significance",
    "scoring/resampling", "metrics/sets/populations",
)  # fmt: skip
KILLED = ("killed", "timeout", "segfault", "suspicious")


def test_file(kernel: str) -> str:
    """Return the test file of a kernel."""
    folder, _, name = kernel.rpartition("/")
    return f"tests/{folder}/test_{name}.py"


def settings(kernels: Sequence[str]) -> str:
    """Return the section of pyproject.toml that mutmut reads."""
    changed = [f"src/farthing/{kernel}.py" for kernel in kernels]
    return (
        f"\n[tool.mutmut]\nsource_paths = ['src']\nonly_mutate = {changed}\n"
        f"pytest_add_cli_args_test_selection = {[test_file(kernel) for kernel in kernels]}\n"
        "pytest_add_cli_args = ['-p', 'no:cacheprovider', '-o', 'addopts=--import-mode=importlib', '--no-header']\n"
        "also_copy = ['src', 'tests', 'examples', 'packages', 'README.md']\nuse_git_change_detection = false\n"
    )


def copy(place: Path, kernels: Sequence[str]) -> None:
    """Copy the project; into a folder that has it already, only the tests."""
    for name in ("tests",) if (place / "src").is_dir() else ("src", "tests", "examples", "packages"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / name, place / name, ignore=ignored, dirs_exist_ok=True)
    for name in ("README.md", "LICENSE", "NOTICE"):
        shutil.copy(PROJECT / name, place / name)
    text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    (place / "pyproject.toml").write_text(text + settings(kernels), encoding="utf-8")


class Mutmut:
    """mutmut in a copy of the project."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __call__(self, *arguments: str, seconds: float | None = None, silent: bool = True) -> str:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
        command = [sys.executable, "-m", "mutmut", *arguments]
        stream = subprocess.PIPE if silent else None
        done = subprocess.run(
            command, cwd=self.place, env=environment, stdout=stream, timeout=seconds, encoding="utf-8", check=False
        )
        return done.stdout or ""

    def fates(self) -> dict[str, str]:
        """Return the fate of every mutant, by its name."""
        return dict(re.findall(r"^\s*(\S+): ([\w ]+)$", self("results", "--all", "true"), flags=re.MULTILINE))

    def survivors(self) -> list[str]:
        """Return the names of the mutants that no test noticed."""
        return [name for name, fate in self.fates().items() if fate == "survived"]


def run(place: Path, kernels: Sequence[str], processes: int, minutes: float | None = None) -> dict[str, str]:
    """Try all mutants, and print the survivors; in a folder with results try those that survived again."""
    mutmut = Mutmut(place)
    survivors = mutmut.survivors() if (place / "mutants").is_dir() else []
    copy(place, kernels)
    call = ("run", "--max-children", str(processes))
    with contextlib.suppress(subprocess.TimeoutExpired):  # those that were not reached are not counted
        for names in ([], survivors) if survivors else ([],):
            mutmut(*call, *names, seconds=None if minutes is None else 60 * minutes, silent=False)
    for name in mutmut.survivors():
        changes = [line for line in mutmut("show", name).splitlines() if re.match(r"[-+](?![-+])", line)]
        print(name, *changes, sep="\n    ")
    return mutmut.fates()


def told(name: str, fates: Sequence[str]) -> str:
    """Return a line of the table."""
    counts = Counter(fates)
    tried = sum(counts.values()) - counts["not checked"] - counts["no tests"]
    killed = sum(counts[fate] for fate in KILLED)
    rest = ", ".join(f"{count} {fate}" for fate, count in counts.items() if fate not in (*KILLED, "survived"))
    return f"{name:28} {killed:5} of {tried:5} mutants killed, {killed / max(tried, 1):4.0%}{rest and f' ({rest})'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="stop after this time, and report what was tried so far")
    parser.add_argument("--folder", type=Path, help="where the copy of the project is kept, with all results")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = given.folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        fates = run(place, given.kernels, given.processes, given.minutes)
    for kernel in given.kernels:
        module = f"farthing.{kernel.replace('/', '.')}."
        print(told(kernel, [fate for name, fate in fates.items() if name.startswith(module)]))
    print(told("all", list(fates.values())))


if __name__ == "__main__":
    main()
