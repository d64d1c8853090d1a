"""The groups of features that a head reads besides the gaps between tokens, all of them 0 for equal texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from farthing.core.arrays import Matrix
from farthing.core.errors import UnknownName
from farthing.students import surface

USUAL_FEATURES = ("surface",)


def _surface(candidates: Sequence[str], references: Sequence[str]) -> Matrix:
    return surface.surface_gaps(candidates, references)


def _languages(candidates: Sequence[str], references: Sequence[str]) -> Matrix:
    from farthing.students.language_gap import language_gaps

    return language_gaps(candidates, references)


GROUPS: dict[str, tuple[int, Callable[[Sequence[str], Sequence[str]], Matrix]]] = {
    "surface": (len(surface.NAMES), _surface),
    "languages": (2, _languages),
}


def feature_count(groups: Sequence[str]) -> int:
    """Count the features of some groups."""
    return sum(_known(group)[0] for group in groups)


def feature_gaps(groups: Sequence[str], candidates: Sequence[str], references: Sequence[str]) -> Matrix:
    """Return the features of every pair, group by group."""
    return np.concatenate([_known(group)[1](candidates, references) for group in groups], axis=1)


def _known(group: str) -> tuple[int, Callable[[Sequence[str], Sequence[str]], Matrix]]:
    if group not in GROUPS:
        raise UnknownName("group of features", group, GROUPS)
    return GROUPS[group]
