"""Rows with scores that a little estimator can learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.learn.data.humans import Judged
from farthing.learn.data.store import PairTable


@pytest.fixture(scope="session")
def rows(scored_table: PairTable) -> Judged:
    """Candidates with references, sources (the reference in another order) and scores, in two groups."""
    candidates, references = scored_table.candidates[:160], scored_table.references[:160]
    sources = [" ".join(reversed(text.split())) for text in references]
    groups = ["a-b" if row % 2 else "c-d" for row in range(len(candidates))]
    scores = np.asarray(scored_table.scores[:160])
    return Judged("rows", candidates, [[text] for text in references], scores, groups, sources=sources)


@pytest.fixture(scope="session")
def wide_encoder(make_bert: Callable[..., Path]) -> Path:
    """A random little BERT of the least width that every adapter takes."""
    return make_bert(hidden_size=128, intermediate_size=128)


@pytest.fixture
def losses() -> Callable[[Any], list[float]]:
    """The training losses of a result, step by step."""
    return lambda result: [one["loss"] for one in result.history.steps]
