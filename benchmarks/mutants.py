"""How many small errors in the kernels do the tests find? Mutation testing by mutmut 3.

    python benchmarks/mutants.py [align/greedy neighbours/search …] [--processes 2]

The project is copied to a temporary folder, mutmut changes one thing after another in the kernels there (a bound, a
sign, a constant) and runs the tests of the kernel. What no test notices is listed: write a test for it. The share of
mutants that were killed is printed, a mutant that hangs counted as killed.
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
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = (
    "align/greedy", "align/transport", "neighbours/points", "neighbours/search", "neighbours/hyperspheres",
    "neighbours/clusters", "meta/coefficients", "meta/correlation", "meta/significance", "metrics/sets/populations",
)  # fmt: skip
KILLED = ("killed", "timeout", "segfault", "suspicious")


def test_file(kernel: str) -> str:
    """Return the test file of a kernel."""
    folder, _, name = kernel.rpartition("/")
    return f"tests/{folder}/test_{name}.py"


def settings(kernels: list[str]) -> str:
    """Return the section of pyproject.toml that mutmut reads."""
    changed = [f"src/farthing/{kernel}.py" for kernel in kernels]
    return (
        f"\n[tool.mutmut]\nsource_paths = ['src']\nonly_mutate = {changed}\n"
        f"pytest_add_cli_args_test_selection = {[test_file(kernel) for kernel in kernels]}\n"
        "pytest_add_cli_args = ['-p', 'no:cacheprovider', '-o', 'addopts=--import-mode=importlib', '--no-header']\n"
        "also_copy = ['src', 'tests', 'examples', 'packages', 'README.md']\nuse_git_change_detection = false\n"
    )


def run(kernels: list[str], processes: int, minutes: float | None = None) -> Counter[str]:
    """Run mutmut in a copy of the project; print the survivors and return how many mutants had which fate."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ("src", "tests", "examples", "packages"):
            shutil.copytree(PROJECT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("README.md", "LICENSE", "NOTICE"):
            shutil.copy(PROJECT / name, place / name)
        text = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
        (place / "pyproject.toml").write_text(text + settings(kernels), encoding="utf-8")
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": ""}
        command = [sys.executable, "-m", "mutmut"]
        limit = None if minutes is None else 60 * minutes
        call = [*command, "run", "--max-children", str(processes)]
        with contextlib.suppress(subprocess.TimeoutExpired):  # those that were not reached are not counted
            subprocess.run(call, cwd=place, env=environment, check=False, timeout=limit)
        listed = [*command, "results", "--all", "true"]
        told = subprocess.run(
            listed, cwd=place, env=environment, capture_output=True, encoding="utf-8", check=False
        ).stdout
        fates = re.findall(r"^\s*(\S+): ([\w ]+)$", told, flags=re.MULTILINE)
        for name, fate in fates:
            if fate == "survived":
                shown = subprocess.run(
                    [*command, "show", name],
                    cwd=place,
                    env=environment,
                    capture_output=True,
                    encoding="utf-8",
                    check=False,
                )
                changes = [line for line in shown.stdout.splitlines() if re.match(r"[-+](?![-+])", line)]
                print(name, *changes, sep="\n    ")
        return Counter(fate for _, fate in fates)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, help="stop after this time, and report what was tried so far")
    given = parser.parse_args()
    fates = run(list(given.kernels), given.processes, given.minutes)
    tried = sum(fates.values()) - fates["not checked"] - fates["no tests"]
    killed = sum(fates[fate] for fate in KILLED)
    print(
        f"{', '.join(given.kernels)}: {killed} of {tried} mutants killed, {killed / max(tried, 1):.0%} ({dict(fates)})"
    )


if __name__ == "__main__":
    main()
