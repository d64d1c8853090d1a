"""How many small errors in the kernels do the tests find? Mutation testing by mutmut 3.

    python benchmarks/mutants.py [align/greedy neighbours/search …] [--share 1.0] [--processes 2] [--folder FOLDER]

The project is copied to a folder, mutmut changes one thing after another in the kernels there (a bound, a sign, a
constant) and runs the tests that reach it. What no test notices is listed: write a test for it. A table tells the share
of mutants that were killed in every kernel; a mutant that hangs is counted as killed.

A folder that is named is kept, with a copy of the project for every kernel: the same command goes on there after an
interruption, and tries the survivors again with the tests as they are now; a kernel whose source has changed begins
anew. `--table` only prints what is known. With a share below 1, only so many mutants of every kernel are tried: the
first of each function, and others that are drawn.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
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


# Tests beside those of the kernel's own file.
MORE_TESTS = {"scoring/resampling": ["tests/scoring/test_documents.py", "tests/scoring/test_intervals.py"]}
# Tests that take many seconds: a mutant that only they would notice counts as a survivor.
SLOW = "told_apart or power_grows or brings_no_framework or agrees_with_sacrebleu"


def test_files(kernel: str) -> list[str]:
    """Return the test files of a kernel."""
    folder, _, name = kernel.rpartition("/")
    return [f"tests/{folder}/test_{name}.py", *MORE_TESTS.get(kernel, [])]


def settings(kernel: str) -> str:
    """Return the section of pyproject.toml that mutmut reads."""
    options = ["-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib", "--no-header", "-k", f"not ({SLOW})"]
    return (
        f"\n[tool.mutmut]\nsource_paths = ['src']\nonly_mutate = ['src/farthing/{kernel}.py']\n"
        f"pytest_add_cli_args_test_selection = {test_files(kernel)}\npytest_add_cli_args = {options}\n"
        "also_copy = ['src', 'tests', 'examples', 'packages', 'README.md']\nuse_git_change_detection = false\n"
    )


class Mutants:
    """The mutants of one kernel, in a copy of the project."""

    def __init__(self, kernel: str, place: Path) -> None:
        self.kernel, self.place = kernel, place
        self.file = f"src/farthing/{kernel}.py"

    def _mutmut(self, *arguments: str, seconds: float | None = None, silent: bool = True) -> str:
        shared = os.environ.get("FARTHING_SHARED", str(PROJECT.parent / "shared"))
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": "", "FARTHING_SHARED": shared}
        command = [sys.executable, "-m", "mutmut", *arguments]
        stream = subprocess.PIPE if silent else None
        done = subprocess.run(
            command, cwd=self.place, env=environment, stdout=stream, timeout=seconds, encoding="utf-8", check=False
        )
        return done.stdout or ""

    def _copy(self) -> None:
        """Copy the project; into a copy of the same kernel, only the tests."""
        known = self.place / self.file
        if known.is_file() and known.read_bytes() != (PROJECT / self.file).read_bytes():
            shutil.rmtree(self.place)
        self.place.mkdir(parents=True, exist_ok=True)
        for name in ("tests",) if (self.place / "src").is_dir() else ("src", "tests", "examples", "packages"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PROJECT / name, self.place / name, ignore=ignored, dirs_exist_ok=True)
        for name in ("README.md", "LICENSE", "NOTICE"):
            shutil.copy(PROJECT / name, self.place / name)
        text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
        (self.place / "pyproject.toml").write_text(text + settings(self.kernel), encoding="utf-8")

    def fates(self) -> dict[str, str]:
        """Return the fate of every mutant, by its name."""
        if not (self.place / "mutants").is_dir():
            return {}
        found = re.findall(r"^\s*(\S+): ([\w ]+)$", self._mutmut("results", "--all", "true"), flags=re.MULTILINE)
        return {name: fate for name, fate in found if name.startswith(f"farthing.{self.kernel.replace('/', '.')}.")}

    def survivors(self) -> list[str]:
        """Return the names of the mutants that no test noticed."""
        return [name for name, fate in self.fates().items() if fate == "survived"]

    def run(self, processes: int, minutes: float | None, share: float = 1.0) -> None:
        """Try all mutants, or a share of them; those that survived before are tried again."""
        survivors = self.survivors()
        self._copy()

        def tried(*names: str) -> None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # those that were not reached are not counted
                seconds = None if minutes is None else 60 * minutes
                self._mutmut("run", "--max-children", str(processes), *names, seconds=seconds, silent=False)

        if share == 1:
            tried()
        elif not self.fates():
            tried(f"farthing.{self.kernel.replace('/', '.')}.*__mutmut_1")
        if drawn := self._drawn(share):
            tried(*drawn)
        if survivors:
            tried(*survivors)

    def _drawn(self, share: float) -> list[str]:
        """Draw mutants that were not tried yet, so that the share is complete; the same ones each time."""
        fates = self.fates()
        left = sorted(name for name, fate in fates.items() if fate == "not checked")
        wanted = math.ceil(share * len(fates)) - (len(fates) - len(left))
        return random.Random(0).sample(left, wanted) if wanted > 0 else []

    def show(self) -> None:
        """Print what the survivors change."""
        for name in self.survivors():
            changes = [line for line in self._mutmut("show", name).splitlines() if re.match(r"[-+](?![-+])", line)]
            print(name, *changes, sep="\n    ")


def told(name: str, fates: Sequence[str]) -> str:
    """Return a line of the table."""
    counts = Counter(fates)
    tried = sum(counts.values()) - counts["not checked"] - counts["no tests"]
    killed = sum(counts[fate] for fate in KILLED)
    rest = ", ".join(f"{count} {fate}" for fate, count in counts.items() if fate not in (*KILLED, "survived"))
    return f"{name:26} {killed:5} of {tried:5} mutants killed, {killed / max(tried, 1):4.0%}{rest and f' ({rest})'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="stop a kernel after this time, and report what was tried so far")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutants that are tried")
    parser.add_argument("--folder", type=Path, help="where copies of the project are kept, with all results")
    parser.add_argument("--table", action="store_true", help="run nothing, print what is known")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        place = given.folder or Path(temporary)
        every = [Mutants(kernel, place / kernel.replace("/", "-")) for kernel in given.kernels]
        for one in () if given.table else every:
            one.run(given.processes, given.minutes, given.share)
            one.show()
        fates = {one.kernel: list(one.fates().values()) for one in every}
    for kernel, own in fates.items():
        print(told(kernel, own))
    print(told("all", [fate for own in fates.values() for fate in own]))


if __name__ == "__main__":
    main()
