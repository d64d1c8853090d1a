"""A small study, and pictures that are looked at instead of written."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from farthing.core.types import Alignment
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import Scored

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PEOPLE = {"de-en": (1, 2, 3, 4, 5, 7), "cs-en": (20, 50, 30, 90, 60, 80)}
NEAR = {"de-en": (1, 2, 3, 4, 6, 7), "cs-en": (2, 5, 3, 9, 7, 8)}
FAR = {"de-en": (4, 1, 2, 6, 3, 5), "cs-en": (6, 2, 5, 4, 3, 7)}


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType], list[Figure]]:
    """Returns a list to which a module's figures go from then on, instead of into files."""

    def watch(module: ModuleType) -> list[Figure]:
        kept: list[Figure] = []
        monkeypatch.setattr(module, "save_figure", lambda figure, path: kept.append(figure))
        return kept

    return watch


@pytest.fixture
def people() -> Judgements:
    """Two language pairs with three outputs of two systems each, all judged."""
    rows = [
        {
            "lp": lp,
            "system": "AB"[place // 3],
            "segment_id": place % 3,
            "candidate": f"{lp} {place}",
            "reference": f"{place % 3}",
            "score": score,
        }
        for lp, scores in PEOPLE.items()
        for place, score in enumerate(scores)
    ]
    return judgements_of(enumerate(rows, start=1))


@pytest.fixture
def near() -> Scored:
    """A metric that agrees well with people."""
    return Scored("near", np.array([*NEAR["de-en"], *NEAR["cs-en"]], dtype=float), signature="near|version:1")


@pytest.fixture
def far() -> Scored:
    """A distance that agrees badly with people."""
    return Scored("far", -np.array([*FAR["de-en"], *FAR["cs-en"]], dtype=float), higher_is_better=False)


@pytest.fixture
def alignment() -> Alignment:
    """Two candidate tokens, one of which has no partner, and three reference tokens."""
    return Alignment(
        ("<b>", "cat"),
        ("the", "cat", "&"),
        np.array([[0.25, 0.125, -0.5], [0.5, 1.0, 0.0]], dtype=np.float32),
        np.array([-1, 1]),
        np.array([1, 1, -1]),
        np.array([0.75, 1.5]),
        np.array([1.0, 2.0, 0.5]),
        {"precision": 0.5, "f1": 2 / 3},
    )
