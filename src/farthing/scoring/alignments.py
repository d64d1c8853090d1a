"""Alignments of the segments that differ most: what `farthing score --align N` stores in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from farthing.core.alignment import Aligns
from farthing.core.arrays import Floats, Indices
from farthing.core.metric import Metric
from farthing.core.progress import counted
from farthing.core.types import Alignment, Pairs, Scores
from farthing.files.alignments import AlignedRow, write_alignments
from farthing.files.run_folder import ALIGNED
from farthing.scoring.engine import Ready

USUAL = 200  #: segments that are aligned if their number is not given


def differing_rows(scores: Sequence[Floats], count: int, *, higher_is_better: bool = True) -> Indices:
    """Return the rows in which systems differ most, in order; of a single system those with the worst scores.

    :param scores: one array per system; a row that has no score in one of them differs least

    >>> differing_rows([np.array([1.0, 2.0, 3.0]), np.array([1.0, 5.0, 9.0])], 2).tolist()
    [1, 2]
    """
    table = np.stack(scores)
    single = -table[0] if higher_is_better else table[0]
    distance = np.ptp(table, axis=0) if len(table) > 1 else single
    distance = np.where(np.isnan(distance), -np.inf, distance)
    order = np.argsort(-distance, kind="stable")
    return np.sort(order[:count])


def keep_alignments(
    folder: Path,
    metrics: Sequence[Ready],
    labels: Sequence[str],
    scores: Sequence[Sequence[Scores]],
    systems: Sequence[Pairs],
    count: int,
) -> None:
    """Align the segments that differ most, by every metric that marks words, and write them into the folder of a run.

    :param metrics: prepared metrics of pairs
    :param scores: `[metric][system]`
    """
    kept: list[AlignedRow] = []
    for ready, label, column in zip(metrics, labels, scores, strict=True):
        if ready.metric.explains and isinstance(ready.metric, Aligns):
            segments = [np.asarray(one.segments) for one in column]
            chosen = differing_rows(segments, count, higher_is_better=ready.metric.info.higher_is_better)
            kept += _aligned_rows(ready.metric, ready.metric.align, label, systems, chosen)
    write_alignments(folder / ALIGNED, kept)


def _aligned_rows(
    metric: Metric, align: Callable[[str, str], Alignment], label: str, systems: Sequence[Pairs], rows: Indices
) -> Iterator[AlignedRow]:
    """Align each candidate with the reference that counted, or with its source."""
    for pairs in systems:
        chosen = metric.normalised_pairs(pairs.chosen(rows.tolist()))
        explained = metric.explain_pairs(chosen) if len(chosen) else []
        for row, one in counted("aligning", list(zip(rows.tolist(), explained, strict=True))):
            if not one.errors or not one.omissions:  # a text without a token has nothing to align
                continue
            yield AlignedRow(label, pairs.system, row + 1, one.counted, align(one.candidate, one.reference))
