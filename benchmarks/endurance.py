"""Runs that are killed, starved of disk and damaged end with the bytes of a run to which nothing happened.

    python benchmarks/endurance.py [--pairs 50000] [--kills 20] [--seed 0]

Every trial prints a line; the last line is the number of trials and of failures. `tests/test_endurance.py` runs a small
version of it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "green", "far", "five", "apples", "never", "Zürich", "雪"]
CALL = ["score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "-q"]
# A disk that misbehaves: the process runs this first, which changes what its writers use.
FAULTY = """
import os, random, sys, errno
from pathlib import Path
chance = random.Random(int(sys.argv.pop(1)))
kind = sys.argv.pop(1)
fsync, replace = os.fsync, Path.replace
def failing(descriptor):
    if chance.random() < 0.3:
        if kind == "short":
            os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)  # a short write that nobody reports
        elif kind == "full":
            raise OSError(errno.ENOSPC, "No space left on device")
    fsync(descriptor)
def lost(self, target):
    if kind == "rename" and chance.random() < 0.3:
        self.unlink()  # the name never reached the disk
        return Path(target)
    return replace(self, target)
os.fsync, Path.replace = failing, lost
"""
MAIN = "from farthing.app.cli.main import main; main()"


class Trial:
    """A folder with an input, a run to which nothing happens, and one to which everything does."""

    def __init__(self, folder: Path, pairs: int, seed: int) -> None:
        self.folder, self.random = folder, np.random.default_rng(seed)
        for name in ("hyp.txt", "ref.txt"):
            lines = (" ".join(self.random.choice(WORDS, self.random.integers(1, 9))) for _ in range(pairs))
            (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.finished("whole/")
        self.expected = content(folder / "whole")

    def started(
        self,
        run: str,
        *,
        before: str = "",
        arguments: tuple[str, ...] = (),
        workers: int = 2,
        limit: int = 0,
    ) -> subprocess.Popen[bytes]:
        """Start the command in the folder of the trial."""
        command = [sys.executable, "-c", before + MAIN, *arguments, *CALL, "--workers", str(workers), "-o", run]
        starve = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self.folder, preexec_fn=starve, **quiet)

    def finished(self, run: str) -> None:
        """Run the command to its end."""
        process = self.started(run)
        errors = process.communicate()[1]
        if process.returncode:
            raise RuntimeError(errors.decode())

    def same(self, run: str) -> bool:
        """Run the command to its end and compare all files with those of the whole run."""
        self.finished(run)
        return content(self.folder / run) == self.expected


def content(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, also those whose names begin with a dot."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def shards(folder: Path) -> dict[str, int]:
    """Return the shards of a run with their times, which change if one is written again."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("shards/0*.parquet")}


def kills(trial: Trial, count: int) -> list[bool]:
    """Kill the run at random moments, spread over its shards; what was complete is never written again."""
    kept: dict[str, int] = {}
    again, run = 0, trial.folder / "killed"
    whole = len(shards(trial.folder / "whole"))
    for number in range(count):
        process = trial.started("killed/")
        goal = len(kept) + int(trial.random.integers(2 * (whole - len(kept)) // (count - number) + 1))
        while process.poll() is None and len(shards(run)) < goal:
            time.sleep(0.01)
        time.sleep(float(trial.random.uniform(0, 0.5)))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        settled(run)
        now = shards(run)
        again += sum(now.get(name) != written for name, written in kept.items())
        kept = now
        print(f"killed {number + 1}: {len(now)} shards are complete")
    return [trial.same("killed/"), again == 0]


def settled(run: Path) -> None:
    """Wait until the processes of a killed run have noticed its end: they finish the shard that they are at."""
    before = None
    while (now := content(run) if run.exists() else {}) != before:
        before = now
        time.sleep(0.5)


def faults(trial: Trial, kind: str, attempts: int) -> list[bool]:
    """Write to a disk that fails now and then, again and again, and at last to one that does not."""
    run, told = f"{kind}/", 0
    for number in range(attempts):
        process = trial.started(run, before=FAULTY, arguments=(str(number), kind), workers=1)
        errors = process.communicate()[1].decode()
        told += process.returncode == 2 and "Traceback" not in errors
    print(f"disk ({kind}): {told} of {attempts} runs ended with a sentence")
    return [trial.same(run)]


def starved(trial: Trial) -> list[bool]:
    """Let no file grow over a limit that a shard exceeds: the run ends with a sentence, and is resumed without it."""
    size = max(path.stat().st_size for path in trial.folder.glob("whole/shards/*"))
    process = trial.started("starved/", limit=size // 2)
    errors = process.communicate()[1].decode()
    print(f"limit of {size // 2} bytes: {errors.strip()[:100]}")
    return [process.returncode == 2 and errors.count("\n") == 1, trial.same("starved/")]


def damages(trial: Trial) -> list[bool]:
    """Truncate a shard, flip a bit in one, remove one: of a complete run, and of a partial one."""
    found = []
    for partial in (False, True):
        for damage in ("truncated", "flipped", "removed"):
            run = trial.folder / f"{damage}{partial}"
            trial.finished(f"{run.name}/")
            if partial:
                manifest = json.loads((run / "manifest.json").read_text())
                (run / "manifest.json").write_text(json.dumps({**manifest, "complete": False, "shards": []}))
            path = trial.random.choice(sorted(run.glob("shards/*")))
            whole = path.read_bytes()
            place = int(trial.random.integers(len(whole)))
            if damage == "truncated":
                path.write_bytes(whole[:place])
            elif damage == "flipped":
                path.write_bytes(
                    whole[:place] + bytes([whole[place] ^ 1 << int(trial.random.integers(8))]) + whole[place + 1 :]
                )
            else:
                path.unlink()
            before = shards(run)
            found += [
                trial.same(run.name),
                sum(before.get(name) == now for name, now in shards(run).items())
                == len(before) - (damage != "removed"),
            ]
            kind = "partial" if partial else "complete"
            print(f"{damage} shard of a {kind} run: {'same bytes' if found[-2] else 'FAILED'}")
    return found


def changed(trial: Trial) -> list[bool]:
    """Insert, delete and change a line: the run is refused with a sentence, and left as it is."""
    path = trial.folder / "hyp.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    found = []
    for name, other in {
        "inserted": [*lines[:5], "new\n", *lines[5:]],
        "deleted": lines[:-1],
        "changed": [*lines[:-1], "other\n"],
    }.items():
        path.write_text("".join(other), encoding="utf-8")
        references = trial.folder / "ref.txt"
        kept = references.read_text(encoding="utf-8")
        rows = kept.splitlines(keepends=True)
        references.write_text("".join((rows * 2)[: len(other)]), encoding="utf-8")
        process = trial.started("whole/")
        errors = process.communicate()[1].decode()
        found.append(
            "holds another run (its input differ)" in errors and content(trial.folder / "whole") == trial.expected
        )
        print(f"a line {name}: {'refused' if found[-1] else 'FAILED'}")
        references.write_text(kept, encoding="utf-8")
    path.write_text("".join(lines), encoding="utf-8")
    return found


def endure(pairs: int, kill: int, attempts: int, seed: int) -> list[bool]:
    """Run all trials and return which were passed."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), pairs, seed)
        found = kills(trial, kill)
        for kind in ("full", "short", "rename"):
            found += faults(trial, kind, attempts)
        return [*found, *starved(trial), *damages(trial), *changed(trial)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--attempts", type=int, default=5, help="runs on a disk that fails, of each kind")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = endure(given.pairs, given.kills, given.attempts, given.seed)
    told = f"{given.pairs} pairs, {given.kills} kills, seed {given.seed}"
    print(f"{len(found)} checks ({told}), {found.count(False)} failures")
    sys.exit(not all(found))


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
