"""Measure how often each test between metrics rejects: under the null hypothesis (5 % is right), and with a difference.

python benchmarks/meta_rejection.py [--simulations 2000]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from farthing.meta.significance import Difference, bootstrap, permutation, williams_test

Data = tuple[np.ndarray, np.ndarray, np.ndarray]

# name: (test of human, first, second and a seed; systems; items)
TESTS: dict[str, tuple[Callable[..., Difference], int, int]] = {
    "williams, pearson": (lambda *d: williams_test(*d[:3]), 1, 80),
    "permutation, pearson": (lambda *d: permutation(*d[:3], resamples=200, seed=d[3]), 1, 80),
    "permutation, accuracy by item": (
        lambda *d: permutation(*d[:3], "accuracy", "item", resamples=200, seed=d[3]), 5, 60,
    ),
    "bootstrap, pearson": (lambda *d: bootstrap(*d[:3], resamples=300, seed=d[3]), 1, 120),
    "bootstrap, kendall_b by item": (
        lambda *d: bootstrap(*d[:3], "kendall_b", "item", resamples=300, seed=d[3]), 5, 60,
    ),
}  # fmt: skip


def draw(random: np.random.Generator, systems: int, items: int, edge: float = 0.0) -> Data:
    """Draw human scores and those of two metrics, the first of which has `edge` less noise."""
    human = random.normal(size=(systems, items))
    first = human + (1 - edge) * random.normal(size=human.shape)
    return human, first, human + random.normal(size=human.shape)


def rate(name: str, items: int, edge: float, count: int) -> float:
    """Return the share of simulations in which the test rejects at 5 %."""
    test, systems, _ = TESTS[name]
    random = np.random.default_rng(7)
    found = [test(*draw(random, systems, items, edge), seed).p_value < 0.05 for seed in range(count)]
    return float(np.mean(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--simulations", type=int, default=2000)
    count = parser.parse_args().simulations
    print(f"{'test':<31} {'items':>5} {'null':>7}   power at half, once, four times the items")
    for name, (_, _, items) in TESTS.items():
        power = [rate(name, size, 0.3, max(1, count // 10)) for size in (items // 2, items, 4 * items)]
        shown = "  ".join(f"{value:.3f}" for value in power)
        print(f"{name:<31} {items:>5} {rate(name, items, 0.0, count):>7.4f}   {shown}")


if __name__ == "__main__":
    main()
