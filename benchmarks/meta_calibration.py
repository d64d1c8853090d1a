"""Compare the time of calibrated pairwise accuracy with that of a direct loop over pairs, in the same run.

    python benchmarks/meta_calibration.py [--systems 20] [--segments 1000] [--metrics 10]

The loop follows the definition literally, item by item and pair by pair, with the same sort and running sum at the end.
It runs on a part of the segments, and its time is scaled up. Set OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np

from farthing.meta.correlation import correlate


def direct(human: np.ndarray, metric: np.ndarray) -> tuple[float, float]:
    """Calibrate by the definition, item by item and pair by pair, and return value and threshold."""
    changes: list[tuple[float, float]] = []
    systems, rows = human.shape
    pairs = systems * (systems - 1) // 2
    start = 0.0
    for item in range(rows):
        for a, b in itertools.combinations(range(systems), 2):
            h, m = human[a, item] - human[b, item], metric[a, item] - metric[b, item]
            if h == 0:
                changes.append((abs(m), 1 / pairs))
            elif h * m > 0:
                start += 1 / pairs
                changes.append((abs(m), -1 / pairs))
    best, threshold, value = start, 0.0, start
    for size, same in itertools.groupby(sorted(changes), key=lambda change: change[0]):
        value += sum(gain for _, gain in same)
        if (size == 0 and value >= best) or value > best + 1e-12:
            best, threshold = value, size
    return best / rows, threshold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in (("systems", 20), ("segments", 1000), ("metrics", 10), ("part", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    sizes = parser.parse_args()
    random = np.random.default_rng(0)
    human = np.round(random.normal(size=(sizes.systems, sizes.segments)) * 4)  # whole points, so people tie
    metrics = [human + random.normal(scale=4, size=human.shape) for _ in range(sizes.metrics)]
    ours = loop = 0.0
    for metric in metrics:  # interleaved, and in processor time, since the machine may be busy
        begin = time.process_time()
        correlate(human, metric, "accuracy_calibrated", "item")
        middle = time.process_time()
        value, threshold = direct(human[:, : sizes.part], metric[:, : sizes.part])
        end = time.process_time()
        ours, loop = ours + middle - begin, loop + (end - middle) * sizes.segments / sizes.part
        check = correlate(human[:, : sizes.part], metric[:, : sizes.part], "accuracy_calibrated", "item")
        if not np.allclose((check.value, check.threshold), (value, threshold), atol=1e-9):
            raise SystemExit(f"the two disagree: {check} and {value}, {threshold}")
    shape = f"{sizes.systems} systems x {sizes.segments} segments x {sizes.metrics} metrics"
    print(f"{shape}: {ours:.2f} s of one core, direct loop {loop:.2f} s, {loop / ours:.0f} times as long")


if __name__ == "__main__":
    main()
