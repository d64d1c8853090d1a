"""A campaign of labelling: the rows of all systems, the labels so far, and the table of what to label next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.judge.estimates import LEAST, Labels
from farthing.judge.judged import text_columns_of
from farthing.judge.labels import PROBABILITY, ROW, joined_labels, read_labels
from farthing.judge.next_labels import NextLabels, count_for_width, next_labels
from farthing.scoring.comparison import Comparison
from farthing.scoring.output import Column

_SHOWN = 10  # rows that are named on the terminal


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """What is known of the rows, one system after the other.

    :param earlier: how likely each row was to have a label by now
    """

    pairs: Sequence[Pairs]
    scores: Floats
    labels: Labels
    earlier: Floats

    @classmethod
    def of(cls, found: Comparison, pairs: Sequence[Pairs], path: str | None, human: str | None = None) -> Labelling:
        """Join the scores of one metric and the labels of a file, if there is one."""
        columns = [row.cells[0].scores.segments for row in found.rows]
        if len(found.labels) != 1 or any(column is None for column in columns):
            raise UsageError("label-next chooses by one metric that scores rows: -m frugalscore")
        up = 1.0 if found.metrics[0].higher_is_better else -1.0
        scores = up * np.concatenate([np.asarray(column, dtype=float) for column in columns])
        if path is None:
            return cls(pairs, scores, np.full(len(scores), np.nan), np.zeros(len(scores)))
        joined = joined_labels(pairs, list(read_labels(path, human)), path)
        labels = np.concatenate(joined.labels)
        share = float(np.isfinite(labels).mean())
        if joined.probabilities is None:
            return cls(pairs, scores, labels, np.full(len(scores), share))
        return cls(pairs, scores, labels, _everywhere(np.concatenate(joined.probabilities), labels, scores))

    def next(self, count: int, seed: int = 0) -> NextLabels:
        """Choose rows."""
        return next_labels(self.labels, self.scores, self.earlier, count, seed)

    def columns(self, chosen: NextLabels) -> dict[str, Column]:
        """Return the rows that have a label or should get one; the others have an empty score."""
        places = np.union1d(np.flatnonzero(np.isfinite(self.labels)), chosen.rows)
        every: dict[str, Column] = {
            "system": [one.system for one in self.pairs for _ in range(len(one))],
            ROW: [row + 1 for one in self.pairs for row in range(len(one))],
            **text_columns_of(self.pairs),
            "score": [None if np.isnan(label) else float(label) for label in self.labels],
            PROBABILITY: chosen.probabilities,
        }
        return {name: [column[place] for place in places] for name, column in every.items()}

    def told(self, chosen: NextLabels, interval: float | None, output: str | None) -> list[str]:
        """Return what to do, in sentences."""
        more = f" and {len(chosen.rows) - _SHOWN} more" if len(chosen.rows) > _SHOWN else ""
        lines = [f"label next (system and rows): {self._named(chosen.rows[:_SHOWN])}{more}"]
        if chosen.width is not None and chosen.expected is not None:
            known = int(np.isfinite(self.labels).sum())
            lines.append(
                f"the 95 % interval of the mean is about {chosen.width:.3g} wide with {known} labels, "
                f"and about {chosen.expected:.3g} with these {len(chosen.rows)} more"
            )
        if interval is not None:
            lines.append(self._needed(interval))
        return [*lines, f"written to {output}: fill in the column score"] if output else lines

    def _named(self, rows: Indices) -> str:
        """Name rows by their systems and numbers."""
        first, found = 0, []
        for one in self.pairs:
            own = [str(row - first + 1) for row in rows if first <= row < first + len(one)]
            found += [f"{one.system} {', '.join(own)}"] if own else []
            first += len(one)
        return "; ".join(found)

    def _needed(self, interval: float) -> str:
        if int(np.isfinite(self.labels).sum()) < LEAST:
            raise UsageError("--interval needs some labels to tell from: give --judgements with at least three")
        count = count_for_width(self.labels, self.scores, interval)
        if count is None:
            return f"an interval of {interval:g} needs more labels than there are rows"
        return f"an interval of {interval:g} needs about {count} labels that are drawn evenly"


def _everywhere(chances: Floats, labels: Labels, scores: Floats) -> Floats:
    """Return probabilities for all rows: without a label, that of a labelled row with nearly the same score."""
    known = np.flatnonzero(np.isfinite(labels))
    order = known[np.argsort(scores[known], kind="stable")]
    places = np.clip(np.searchsorted(scores[order], scores), 0, len(order) - 1)
    return np.where(np.isfinite(labels), chances, chances[order[places]])
