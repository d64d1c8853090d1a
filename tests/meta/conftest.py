"""Human judgements made up for the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from farthing.meta.judgements import Judgements
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import Scored

Rows = list[tuple[int, dict[str, object]]]


@pytest.fixture
def outputs() -> Rows:
    """Two segments of two systems of two language pairs, with their numbers, not judged yet."""
    rows: list[dict[str, object]] = [
        {
            "lp": lp,
            "system": system,
            "segment_id": segment,
            "reference": f"r{segment}",
            "candidate": f"{system}{segment}",
        }
        for lp in ("de-en", "cs-en")
        for system in "AB"
        for segment in (1, 2)
    ]
    return list(enumerate(rows, start=1))


@pytest.fixture
def six_judged() -> Judgements:
    """Six outputs of two language pairs."""
    places = [
        ("de-en", "A", 1),
        ("de-en", "A", 2),
        ("de-en", "B", 1),
        ("de-en", "B", 2),
        ("cs-en", "C", 1),
        ("cs-en", "D", 2),
    ]
    rows = [
        {"lp": lp, "system": system, "segment_id": n, "candidate": f"{system} says {n}", "reference": f"r {lp} {n}"}
        for lp, system, n in places
    ]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


@pytest.fixture
def judged() -> Callable[..., Judgements]:
    """Makes judged systems, the later ones better, whose language pairs have scales of their own."""

    def make(systems: int = 4, items: int = 60, groups: tuple[str, ...] = ("de-en", "cs-en")) -> Judgements:
        random = np.random.default_rng(5)
        rows = [
            {
                "lp": lp,
                "system": f"S{s}",
                "segment_id": i,
                "candidate": f"{lp} {s} {i}",
                "reference": f"{i}",
                "score": score,
            }
            for place, lp in enumerate(groups)
            for s in range(systems)
            for i, score in enumerate(random.normal(loc=s + 100 * place, size=items))
        ]
        return judgements_of(enumerate(rows, start=1))

    return make


@pytest.fixture
def noisy() -> Callable[..., Scored]:
    """Makes a metric that says what people say, and noise."""

    def make(data: Judgements, name: str, noise: float, seed: int, **more: Any) -> Scored:
        values = data.judged() + noise * np.random.default_rng(seed).normal(size=len(data))
        return Scored(name, values, **more)

    return make
