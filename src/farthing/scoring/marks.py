"""Which words are wrong, for every segment of a run: the marks that `farthing score --explain` stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from farthing.core.types import Pairs
from farthing.files.marks import MARKS, marks_column
from farthing.scoring.engine import Ready, Stretch

if TYPE_CHECKING:
    import pyarrow

EXPLAINED = "explained"  #: what the manifest of a run calls the metrics whose marks it stores


def mark_columns(
    asked: Sequence[str], metrics: Sequence[Ready], labels: Sequence[str], systems: Stretch
) -> dict[str, pyarrow.Array]:
    """Return the columns with the marks of one stretch.

    :param asked: the specs of the metrics whose marks are stored
    """
    if not asked:
        return {}
    rows = _together(systems)
    return {
        f"{label}:{MARKS}": marks_column(ready.metric.explain_pairs(ready.metric.normalised_pairs(rows)))
        for ready, label in zip(metrics, labels, strict=True)
        if ready.spec in asked
    }


def _together(systems: Stretch) -> Pairs:
    """Return the rows of all systems, one system after the other, so that texts that they share are read once."""
    sources = [source for pairs in systems for source in pairs.sources or ()]
    candidates = [candidate for pairs in systems for candidate in pairs.candidates]
    references = [references for pairs in systems for references in pairs.references]
    return Pairs(candidates, references, sources if len(sources) == len(candidates) else None)
