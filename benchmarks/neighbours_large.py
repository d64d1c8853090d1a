"""Measure time and extra memory of two large sets on one machine, and extrapolate to a million samples.

    OPENBLAS_NUM_THREADS=1 python benchmarks/neighbours_large.py --rows 100000 --dimensions 384

Computes the three Mark-Evaluate metrics at k = 1 and IMPAR at k = 3. The extrapolation assumes that time grows with the
square of the rows, and memory linearly.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from farthing.core.types import Sets
from farthing.metrics.sets.base import score_set_systems
from farthing.metrics.sets.impar import Impar
from farthing.metrics.sets.markevaluate import MarkEvaluate


def vectors(rows: int, dimensions: int, seed: int) -> np.ndarray:
    """Draw a set in float32 whose variance lies in a few directions, as that of sentence vectors."""
    found = np.random.default_rng(seed).standard_normal((rows, dimensions), dtype=np.float32)
    found *= np.linspace(1, 0.05, dimensions, dtype=np.float32) ** 2
    return found


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--goal", type=int, default=1_000_000, help="rows to extrapolate to")
    options = parser.parse_args()
    sets = Sets(vectors(options.rows, options.dimensions, 0), vectors(options.rows, options.dimensions, 1))
    metrics = [MarkEvaluate(), Impar()]
    score_set_systems(metrics, [Sets(sets.generated[:64], sets.corpus[:64])])
    memory, cpu, wall = peak(), time.process_time(), time.perf_counter()
    marks, impar = score_set_systems(metrics, [sets])
    cpu, wall, memory = time.process_time() - cpu, time.perf_counter() - wall, peak() - memory
    print(f"{options.rows} x {options.rows} x {options.dimensions}: cpu {cpu:.0f} s, wall {wall:.0f} s")
    print(f"extra memory {memory:.0f} MB besides {2 * sets.generated.nbytes / 2**20:.0f} MB of vectors")
    print(f"markevaluate {marks[0].corpus:.4f}, impar {impar[0].corpus:.4f}")
    factor = options.goal / options.rows
    print(
        f"two sets of {options.goal} would take {cpu * factor**2 / 3600:.1f} h on one core "
        f"and {memory * factor / 1024:.1f} GB besides the vectors"
    )


if __name__ == "__main__":
    main()
