"""Millions of pairs: memory, throughput, cores, Ray, and EffEval's scenario.

    python benchmarks/scale.py memory [--pairs 5000000] [--metric "frugalscore(size=nano)"] [--ci] [--table]
    python benchmarks/scale.py cores  [--pairs 300000] [--metrics "frugalscore(size=nano)" chrf bleu]
    python benchmarks/scale.py ray    [--pairs 3000000]
    python benchmarks/scale.py systems [--systems 50] [--segments 30000] [--metric "frugalscore(size=small)"]

`memory` scores an input and a fiftieth of it into runs, and prints the ratio of their peak memory (of all processes
together) and of the throughput of the last and the first fifth of the shards; with `--table` it writes scores.parquet
instead. `cores` compares one process with two, in turns: by the clock, and by the processor's time, which other work on
the machine disturbs less; and it tells how many cores two processes keep busy in their first seconds. `ray` compares
Ray with the local engine. `systems` scores many systems over one set of references.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

MAIN = "from farthing.app.cli.main import main; main()"
WORDS = [
    "the", "a", "cat", "dog", "bird", "house", "garden", "river", "city", "man", "woman",
    "child", "runs", "sees", "takes", "gives", "finds", "loses", "brings", "holds", "turns", "red",
    "green", "old", "young", "small", "large", "quick", "slow", "often", "never", "today", "here",
    "there", "very", "quite", "not", "and", "or", "but", "with", "without",
]  # fmt: skip


def write_texts(path: Path, count: int, seed: int) -> None:
    """Write short texts, most of them different."""
    random = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as stream:
        for start in range(0, count, 10_000):
            size = min(10_000, count - start)
            lengths, drawn = random.integers(4, 10, size=size), random.integers(len(WORDS), size=(size, 9))
            stream.writelines(
                " ".join(WORDS[word] for word in row[:length]) + "\n"
                for row, length in zip(drawn, lengths, strict=True)
            )


EARLY = 4.0  # seconds after the start of a command in which its cores are counted


class Watched:
    """A command of Farthing with the clock, the processor's time and the memory that it took.

    :ivar busy: how many cores it used in its first seconds, the start of Python included
    """

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.busy = 0.0
        self.peak, start, before = 0, time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([sys.executable, "-c", MAIN, *arguments], cwd=folder, stdout=subprocess.PIPE)
        watcher = threading.Thread(target=self._watch, args=(process.pid,), daemon=True)
        self._ended = False
        watcher.start()
        self.output = process.communicate()[0].decode()
        self._ended = True
        watcher.join()
        if process.returncode:
            raise SystemExit(process.returncode)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = time.perf_counter() - start
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def _watch(self, process: int) -> None:
        start = time.perf_counter()
        while not self._ended:
            members = family(process)
            self.peak = max(self.peak, sum(map(_memory, members)))
            passed = time.perf_counter() - start
            if passed < EARLY:
                self.busy = sum(map(_worked, members)) / max(passed, 0.1)
            time.sleep(0.2)


def family(process: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [process]
    for one in found:
        try:
            tasks = Path(f"/proc/{one}/task").iterdir()
            found += [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def _worked(process: int) -> float:
    """Return the seconds of processor that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> int:
    """Return the memory of a process that it does not share with others, in bytes."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def score(folder: Path, metric: str, *options: str, run: str = "") -> Watched:
    """Score the input in a folder."""
    kept = ("-o", run) if run else ()
    return Watched(folder, "score", "hyp.txt", "-r", "ref.txt", "-m", metric, "-q", *kept, *options)


def make(folder: Path, pairs: int) -> Path:
    folder.mkdir()
    write_texts(folder / "hyp.txt", pairs, 0)
    write_texts(folder / "ref.txt", pairs, 1)
    return folder


def memory(root: Path, given: argparse.Namespace) -> None:
    options, output = ("--ci",) if given.ci else (), "scores.parquet" if given.table else "run/"
    little = score(make(root / "little", given.pairs // 50), given.metric, *options, run=output)
    much = score(make(root / "much", given.pairs), given.metric, *options, run=output)
    how = f"{'with' if given.ci else 'without'} --ci, -o {output}"
    print(f"{given.metric}, {how}, {given.pairs // 50} and {given.pairs} pairs, {much.seconds:.0f} s")
    print(f"peak memory {little.peak / 2**20:.0f} and {much.peak / 2**20:.0f} MB: {much.peak / little.peak:.2f} times")
    if given.table:
        return
    times = shard_times(root / "much" / "run")
    fifth = len(times) // 5
    first, last = times[fifth] - times[0], times[-1] - times[-1 - fifth]
    rate = given.pairs / much.seconds
    print(f"throughput of the last fifth: {first / last:.2f} of the first; {rate:.0f} pairs per second")


def cores(root: Path, given: argparse.Namespace) -> None:
    folder = make(root / "texts", given.pairs)
    for place, metric in enumerate(given.metrics):
        rounds = [cores_round(folder, metric, f"run{place}-{number}") for number in range(given.rounds)]
        faster, separate, clock, work, busy = np.median(np.array(rounds), axis=0)
        print(
            f"{metric}, {given.pairs} pairs, {given.rounds} rounds: after their start two processes are {faster:.2f} "
            f"times as fast as one by the clock ({clock:.2f} with it), two separate runs {separate:.2f} times; "
            f"{work:.2f} times by the processor's time, if both cores were free; "
            f"in the first {EARLY:g} seconds they use {busy:.2f} cores"
        )


def cores_round(folder: Path, metric: str, name: str) -> tuple[float, ...]:
    """Score by one process, by two, and twice by one process at the same time, which shows what the machine can do."""
    one = score(folder, metric, "--workers", "1", run=f"{name}-one/")
    two = score(folder, metric, "--workers", "2", run=f"{name}-two/")
    beside = [f"{name}-beside{number}" for number in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda run: score(folder, metric, "--workers", "1", run=f"{run}/"), beside))
    alone, shared, *separate = (pace(folder / run) for run in (f"{name}-one", f"{name}-two", *beside))
    clock, work = one.seconds / two.seconds, 2 * one.processor / two.processor
    return shared / alone, sum(separate) / alone, clock, work, two.busy


def shard_times(run: Path) -> list[float]:
    """Return when the shards of a run were written, in order."""
    return sorted(path.stat().st_mtime for path in (run / "shards").iterdir())


def pace(run: Path) -> float:
    """Return how many shards were written per second, from the first to the last: what a very long run comes to."""
    times = shard_times(run)
    return (len(times) - 1) / (times[-1] - times[0])


def with_ray(root: Path, given: argparse.Namespace) -> None:
    folder = make(root / "texts", given.pairs)
    (folder / "one.txt").write_text("a cat\n")
    empty = Watched(
        folder, "score", "one.txt", "-r", "one.txt", "-m", "chrf", "-o", "one/", "--engine", "ray", "--workers", "2"
    )
    local = score(folder, "chrf", "--workers", "2", run="local/")
    ray = score(folder, "chrf", "--workers", "2", "--engine", "ray", run="ray/")
    same = all(
        (folder / "ray" / path.relative_to(folder / "local")).read_bytes() == path.read_bytes()
        for path in (folder / "local").rglob("*.*")
    )
    start, ratio = empty.seconds, local.seconds / (ray.seconds - empty.seconds)
    print(f"chrf, {given.pairs} pairs, 2 workers: local {local.seconds:.1f} s, Ray {ray.seconds:.1f} s")
    print(f"Ray takes {start:.1f} s to start; without that its throughput is {ratio:.2f} of local; same bytes: {same}")


def systems(root: Path, given: argparse.Namespace) -> None:
    write_texts(root / "ref.txt", given.segments, 0)
    random = np.random.default_rng(1)
    references = (root / "ref.txt").read_text(encoding="utf-8").splitlines()
    names = [f"system{number}.txt" for number in range(given.systems)]
    for name in names:  # systems often agree: every third output is one that another system has, too
        lines = []
        for text in references:
            words = text.split()
            words[int(random.integers(len(words)))] = WORDS[
                int(random.integers(3 if random.random() < 0.33 else len(WORDS)))
            ]
            lines.append(" ".join(words))
        (root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    pairs = given.systems * given.segments
    found = Watched(root, "score", *names, "-r", "ref.txt", "-m", given.metric, "-q", "-o", "run/")
    rate = pairs / found.processor
    print(f"{given.metric}, {given.systems} systems x {given.segments} segments = {pairs} pairs")
    print(
        f"{found.seconds:.0f} s by the clock, {found.processor:.0f} s of processor, {found.peak / 2**20:.0f} MB at most"
    )
    hours = 7.5e6 / rate / 3600
    print(f"{rate:.0f} pairs per second and core; 7.5 million pairs would take {hours:.1f} hours of one core")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("memory", "cores", "ray", "systems"))
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--metric")
    parser.add_argument("--metrics", nargs="+", default=["frugalscore(size=nano)", "chrf", "bleu"])
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--segments", type=int, default=30_000)
    given = parser.parse_args()
    given.pairs = given.pairs or {"memory": 5_000_000, "cores": 300_000, "ray": 3_000_000, "systems": 0}[given.what]
    given.metric = given.metric or ("frugalscore(size=small)" if given.what == "systems" else "frugalscore(size=nano)")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        {"memory": memory, "cores": cores, "ray": with_ray, "systems": systems}[given.what](Path(folder), given)


if __name__ == "__main__":
    main()
