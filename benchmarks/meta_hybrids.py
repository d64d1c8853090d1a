"""Measure the time of hybrid super-sampling and of the model selection study.

    python benchmarks/meta_hybrids.py [--systems 15] [--segments 3000] [--metrics 3]

10,000 hybrids, 100,000 draws of 100. Set OMP_NUM_THREADS=1 for one core.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from farthing.meta.correlation import correlate
from farthing.meta.hybrids import HYBRIDS, Picks, hybrid_scores
from farthing.meta.selection import DRAWN, DRAWS, select


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in (("systems", 15), ("segments", 3000), ("metrics", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    sizes = parser.parse_args()
    random = np.random.default_rng(0)
    quality = random.normal(size=(sizes.systems, 1))
    human = quality + 2 * random.normal(size=(sizes.systems, sizes.segments))
    metrics = [human + (3 + n) * random.normal(size=human.shape) for n in range(sizes.metrics)]
    begin = time.perf_counter()
    picks = Picks(np.ones(human.shape, dtype=bool))
    table = hybrid_scores(np.stack([human, *metrics], axis=2), picks)
    made = time.perf_counter()
    by_name = {f"metric {n}": table[:, n + 1] for n in range(sizes.metrics)}
    found = select(table[:, 0], by_name)
    end = time.perf_counter()
    print(f"{HYBRIDS} hybrids of {sizes.systems} systems x {sizes.segments} segments: {made - begin:.1f} s")
    print(f"{DRAWS} draws of {DRAWN}, {sizes.metrics} metrics: {end - made:.1f} s; together {end - begin:.1f} s")
    for name, result in found.items():
        r = correlate(table[:, 0], by_name[name]).value
        print(f"  {name}: Pearson {r:.3f}, Hits@1 {result.hits.value:.3f} ± {result.hits.margin:.3f}")


if __name__ == "__main__":
    main()
