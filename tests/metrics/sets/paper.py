"""Mark-Evaluate as the paper writes it, slow and literal, with the two corrections that its theorems need.

Equation 1 takes the minimum instead of the printed maximum; the second term of R_T and of C_total counts once
for each sample, not once for each pair.
"""

from __future__ import annotations

import math

import numpy as np


def distance(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.sqrt(np.square(first.astype(np.float64) - second.astype(np.float64)).sum()))


def neighbourhood(place: int, samples: np.ndarray, k: int) -> list[int]:
    """NN_k: the sample itself and its k nearest others, in order of distance."""
    others = sorted((distance(samples[place], samples[i]), i) for i in range(len(samples)) if i != place)
    return [place, *(i for _, i in others[:k])]


def radius(place: int, samples: np.ndarray, k: int) -> float:
    return distance(samples[place], samples[neighbourhood(place, samples, k)[-1]])


def inside(sample: np.ndarray, place: int, samples: np.ndarray, k: int) -> bool:
    """Does the sample lie in the sphere of one sample of a set?"""
    return distance(sample, samples[place]) <= radius(place, samples, k)


def f(sample: np.ndarray, samples: np.ndarray, k: int) -> bool:
    """Equation 2."""
    return any(inside(sample, place, samples, k) for place in range(len(samples)))


def accuracy(population: int, estimate: float) -> float:
    """Equation 8 with equation 1 mended."""
    return 1 - min(abs((estimate - population) / population), 1)


def petersen(s: np.ndarray, t: np.ndarray, k: int) -> float:
    """Equation 3."""
    marked = len(s) + sum(f(sample, s, k) for sample in t)
    captured = len(t) + sum(f(sample, t, k) for sample in s)
    recaptured = sum(f(sample, s, k) for sample in t) + sum(f(sample, t, k) for sample in s)
    return accuracy(len(s) + len(t), captured * marked / recaptured if recaptured else math.inf)


def schnabel(s: np.ndarray, t: np.ndarray, k: int) -> float:
    """Equations 4 and 5: recapture the samples of t one by one, marking their neighbours on the way."""
    marked = {place for place, sample in enumerate(t) if f(sample, s, k)}  # all of s is marked, too
    captures = recaptures = 0
    for place in range(len(t)):
        near = set(neighbourhood(place, t, k))
        strangers = sum(inside(sample, place, t, k) for sample in s)
        captures += (k + 1) + strangers
        recaptures += strangers + len(marked & near)
        marked |= near
    assert marked == set(range(len(t)))
    population = len(s) + len(t)
    return accuracy(population, captures * population / recaptures)


def capture_likelihoods(s: np.ndarray, t: np.ndarray, k: int, upto: int) -> list[float]:
    """Equation 6 for every population size from the least possible one."""
    total = sum(k + 1 + sum(inside(sample, place, s, k) for sample in t) for place in range(len(s)))
    total += sum(k + 1 + sum(inside(sample, place, t, k) for sample in s) for place in range(len(t)))
    occasions = marked = len(s) + len(t)
    return [likelihood(size, marked, occasions, total) for size in range(marked, upto)]


def likelihood(size: int, marked: int, occasions: int, total: int) -> float:
    def term(value: int) -> float:
        return value * math.log(value) if value else 0.0

    if occasions * size < total:
        return -math.inf
    ways = sum(math.log(i) for i in range(size - marked + 1, size + 1))  # ln (size! / (size - marked)!)
    return ways + term(total) + term(occasions * size - total) - term(occasions * size)


def capture(s: np.ndarray, t: np.ndarray, k: int) -> float:
    """Equation 7: the arg-max by trying every size."""
    population = len(s) + len(t)
    found = capture_likelihoods(s, t, k, 3 * population)
    return accuracy(population, population + int(np.argmax(found)))
