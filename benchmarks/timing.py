"""Helpers of the benchmarks: run contenders in turns, so that a busy machine slows all of them alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("FARTHING_SHARED", PROJECT.parent / "shared"))


def interleaved(contenders: Mapping[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Return the median seconds of each contender over rounds in which each runs once."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def command(arguments: Sequence[str], **environment: str) -> Callable[[], object]:
    """Return a contender that runs a command; it fails if the command fails."""

    def run() -> object:
        return subprocess.run(
            arguments, check=True, capture_output=True, cwd=PROJECT, env={**os.environ, **environment}
        )

    return run


def ratio(what: str, ours: float, theirs: float, bar: str) -> None:
    """Print one line: our cost as a multiple of the peer's."""
    print(f"{what}: {ours / theirs:.2f} times the peer's time ({ours:.3f} s, peer {theirs:.3f} s); bar: {bar}")


def faster(what: str, ours: float, theirs: float, bar: str) -> None:
    """Print one line: our speed as a multiple of the peer's."""
    print(f"{what}: {theirs / ours:.2f} times as fast as the peer ({ours:.3f} s, peer {theirs:.3f} s); bar: {bar}")
