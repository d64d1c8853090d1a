"""Compare neighbours and hyperspheres with scikit-learn and prdc: CPU time and extra memory, in one run.

    python benchmarks/neighbours_speed.py --rows 10000 --dimensions 768 --repeats 3

The contenders run in turns, each in its own process, on the same vectors. All compute improved precision and recall at
k = 3; `farthing all` also computes the three Mark-Evaluate metrics and IMPAR for five values of k.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np


def vectors(rows: int, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw two sets in float32 whose variance lies in a few directions, as that of sentence vectors."""
    generator = np.random.default_rng(0)
    shape = np.linspace(3, 0.1, dimensions, dtype=np.float32) ** 2
    corpus, generated = (generator.standard_normal((rows, dimensions), dtype=np.float32) for _ in range(2))
    corpus *= shape  # in place: nothing but the two sets is ever in memory before the measurement
    generated *= shape * np.float32(0.95)
    generated += np.float32(0.1)
    return corpus, generated


def farthing_one(corpus: np.ndarray, generated: np.ndarray, ks: tuple[int, ...] = (3,)) -> tuple[float, float]:
    from farthing.neighbours.hyperspheres import Spheres, cross

    real, fake = cross(Spheres.of(corpus, ks), Spheres.of(generated, ks))
    return float(fake.covered[:, ks.index(3)].mean()), float(real.covered[:, ks.index(3)].mean())


def farthing_all(corpus: np.ndarray, generated: np.ndarray) -> tuple[float, float]:
    from farthing.metrics.sets.base import score_set_systems
    from farthing.metrics.sets.impar import Impar
    from farthing.metrics.sets.markevaluate import MarkEvaluate

    metrics = [MarkEvaluate(k=[1, 2, 3, 4, 5]), Impar()]
    from farthing.core.types import Sets

    parts = score_set_systems(metrics, [Sets(generated, corpus)])[1][0].parts
    return float(parts["precision"]), float(parts["recall"])


def scikit_learn(corpus: np.ndarray, generated: np.ndarray) -> tuple[float, float]:
    from sklearn.metrics import pairwise_distances_chunked
    from sklearn.neighbors import NearestNeighbors

    def radius(rows: np.ndarray) -> np.ndarray:
        return NearestNeighbors(n_neighbors=4, algorithm="brute").fit(rows).kneighbors(rows)[0][:, -1]

    real, fake = radius(corpus), radius(generated)
    precision = np.zeros(len(generated), dtype=bool)
    recall = []

    def reduce(block: np.ndarray, start: int) -> np.ndarray:
        precision[:] |= (block <= real[start : start + len(block), None]).any(axis=0)
        recall.append((block <= fake).any(axis=1))
        return np.zeros(len(block))

    for _ in pairwise_distances_chunked(corpus, generated, reduce_func=reduce, working_memory=64):
        pass
    return float(precision.mean()), float(np.concatenate(recall).mean())


def prdc(corpus: np.ndarray, generated: np.ndarray) -> tuple[float, float]:
    import contextlib
    import io

    from prdc import compute_prdc

    with contextlib.redirect_stdout(io.StringIO()):
        found = compute_prdc(real_features=corpus, fake_features=generated, nearest_k=3)
    return float(found["precision"]), float(found["recall"])


CONTENDERS: dict[str, Callable[[np.ndarray, np.ndarray], tuple[float, float]]] = {
    "farthing": farthing_one,
    "farthing all": farthing_all,
    "scikit-learn": scikit_learn,
    "prdc": prdc,
}


def measure(name: str, rows: int, dimensions: int) -> None:
    """Run one contender and print its costs as JSON."""
    corpus, generated = vectors(rows, dimensions)
    CONTENDERS[name](corpus[:64], generated[:64])  # imports and thread pools are not what is measured
    memory, cpu, wall = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time(), time.perf_counter()
    precision, recall = CONTENDERS[name](corpus, generated)
    took = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    took["megabytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    print(json.dumps({**took, "precision": precision, "recall": recall}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--dimensions", type=int, default=768)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=CONTENDERS)
    options = parser.parse_args()
    if options.only:
        measure(options.only, options.rows, options.dimensions)
        return
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in CONTENDERS}
    shared = ["--rows", str(options.rows), "--dimensions", str(options.dimensions)]
    for _ in range(options.repeats):
        for name, found in runs.items():
            command = [sys.executable, __file__, *shared, "--only", name]
            found.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    report(runs)


def report(runs: dict[str, list[dict[str, float]]]) -> None:
    """Print the best run of each contender and its ratio to Farthing's."""
    best = {name: min(found, key=lambda run: run["cpu"]) for name, found in runs.items()}
    own = best["farthing"]
    for name, run in best.items():
        print(
            f"{name:<14} cpu {run['cpu']:7.2f} s ({run['cpu'] / own['cpu']:5.2f} x)  wall {run['wall']:7.2f} s  "
            f"extra memory {run['megabytes']:7.0f} MB ({run['megabytes'] / own['megabytes']:5.1f} x)  "
            f"precision {run['precision']:.4f}  recall {run['recall']:.4f}"
        )


if __name__ == "__main__":
    main()
