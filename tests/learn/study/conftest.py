"""Metrics that are easy to predict, and files of judgements."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from farthing.core.metric import Metric
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores

Judge: TypeAlias = Callable[[str, str], float]


class Rule(Metric):
    """Scores a candidate and its reference by any function of the two texts."""

    about = MetricInfo("rule", "A function of two texts.", "none", (None, None))

    def __init__(self, rule: Judge) -> None:
        self.rule = rule

    def against(self, pairs: Pairs) -> list[str]:
        """What the candidates are compared with."""
        return [references[0] for references in pairs.references]

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair."""
        both = zip(pairs.candidates, self.against(pairs), strict=True)
        segments = np.array([self.rule(candidate, other) for candidate, other in both])
        return Scores(float(segments.mean()), segments, Signature("rule", {}), system=pairs.system)


class Sourced(Rule):
    """Scores a candidate and its source."""

    about = MetricInfo("sourced", "A function of two texts.", "none", (None, None), needs=frozenset({"source"}))

    def against(self, pairs: Pairs) -> list[str]:
        return list(pairs.sources or ())


class Distance(Rule):
    """A rule of which less is better."""

    about = MetricInfo("distance", "A distance.", "none", (0, None), higher_is_better=False)


class Crowded(Rule):
    """Scores every pair by the number of pairs beside it."""

    def score_pairs(self, pairs: Pairs) -> Scores:
        self.rule = lambda candidate, reference: float(len(pairs))
        return super().score_pairs(pairs)


@pytest.fixture
def rule() -> Callable[[Judge], Metric]:
    return Rule


@pytest.fixture
def sourced() -> Callable[[Judge], Metric]:
    return Sourced


@pytest.fixture
def length() -> Metric:
    return Rule(lambda candidate, reference: float(len(candidate)))


@pytest.fixture
def distance() -> Metric:
    return Distance(lambda candidate, reference: float(len(candidate)))


@pytest.fixture
def crowded() -> Metric:
    return Crowded(lambda candidate, reference: 0.0)


@pytest.fixture
def write() -> Callable[[Path, str, list[dict[str, object]]], None]:
    def written(data: Path, name: str, rows: list[dict[str, object]]) -> None:
        with gzip.open(data / f"{name}.jsonl.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)

    return written
