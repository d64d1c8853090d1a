"""The scores of an input of any size in memory of a fixed size: sums instead of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from farthing.core.arrays import Floats, Statistics
from farthing.core.metric import Metric
from farthing.core.signature import Signature
from farthing.core.types import Note, Part, Scores
from farthing.scoring.poisson import SAMPLES, PoissonBootstrap


class Streamed:
    """Takes the scores of one stretch after the other, and keeps nothing that grows with them but notes.

    :param seed: draw the samples of a bootstrap with this seed, for an interval; None draws none
    """

    def __init__(self, metric: Metric, seed: int | None) -> None:
        self.metric, self.seed = metric, seed
        self.rows, self.sum = 0, 0.0
        self.total: Statistics | None = None
        self._parts: dict[str, Floats] = {}
        self._notes: dict[tuple[str, str], list[int]] = {}
        self._bootstrap: PoissonBootstrap | None = None
        self._last: Scores | None = None

    def add(self, scores: Scores) -> None:
        """Take the next stretch."""
        segments = np.asarray(scores.segments, dtype=np.float64)
        if self.seed is not None:
            self._draw(segments[:, None] if scores.statistics is None else scores.statistics, self.seed)
        if scores.statistics is not None:
            total = scores.statistics.sum(axis=0)
            self.total = total if self.total is None else self.total + total
        for name, part in scores.parts.items():
            self._parts[name] = self._parts.get(name, 0.0) + _summed(part, len(segments))
        for note in scores.notes:
            self._notes.setdefault((note.kind, note.message), []).extend(note.shifted(self.rows).rows)
        known = [self._last.signature] if self._last else []
        slim = replace(scores, segments=None, statistics=None, parts={}, notes=())
        self._last = replace(slim, signature=Signature.merged([*known, scores.signature]))
        self.rows, self.sum = self.rows + len(segments), self.sum + float(segments.sum())

    def _draw(self, rows: Floats, seed: int) -> None:
        if self._bootstrap is None:
            self._bootstrap = PoissonBootstrap(rows.shape[1], seed)
        self._bootstrap.add(np.asarray(rows, dtype=np.float64))

    def scores(self) -> Scores:
        """Return the scores of the whole, without those of rows."""
        assert self._last is not None  # there was a stretch
        mean = self.sum / self.rows
        parts: dict[str, Part] = {name: _number(total / self.rows) for name, total in self._parts.items()}
        notes = tuple(Note(kind, message, tuple(rows)) for (kind, message), rows in self._notes.items())
        corpus = mean if self.total is None else self.metric.aggregate(self.total)
        found = replace(self._last, corpus=corpus, parts=parts, notes=notes)
        if self._bootstrap is None:
            return found
        draws = self._draws(self._bootstrap.total())
        ends, cut = np.sort(draws), SAMPLES // 40
        return replace(found, draws=draws, interval=(float(ends[cut]), float(ends[SAMPLES - cut - 1])))

    def _draws(self, sums: Floats) -> Floats:
        """Return the corpus score of every sample."""
        if self.total is None:
            return np.asarray(sums[:, 0] / sums[:, 1])
        return np.array([self.metric.aggregate(total) for total in sums[:, :-1]])


def _summed(part: Part, rows: int) -> Floats:
    """Return the sum of a part over the rows; a single number counts once per row."""
    return np.asarray(part.sum(axis=-1) if isinstance(part, np.ndarray) else part * rows)


def _number(value: Floats) -> Part:
    """Return a number as such; a list of numbers, such as one per layer, as it is."""
    return value if value.ndim else float(value)
