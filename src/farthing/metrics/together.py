"""Several metrics over several systems, stretch by stretch, in memory that does not grow with the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.protocols import Aggregates, Finishes, Prepares, PreparesSystems, ScoresTogether
from farthing.core.signature import Signature
from farthing.core.types import Pairs, Part, Scores

Stretches = Callable[[], Iterable[list[Pairs]]]


def score_together(
    metrics: Sequence[Any],
    stretches: Stretches,
    *,
    keep_statistics: bool = True,
    progress: Callable[[int], None] = lambda rows: None,
) -> list[list[Scores]]:
    """Score every system with every metric: result[metric][system].

    :param stretches: gives the input from its start each time it is called, a list of one `Pairs`
        a system at a time, as :meth:`farthing.files.inputs.Inputs.stretches` does
    :param keep_statistics: keep one row of statistics a pair, for resampling; else only their sum
    :param progress: is told how many rows have been scored since the last call
    """
    for metric in metrics:
        if metric.info.level != "segment":
            raise UsageError(f"{metric.info.name} judges a set, not pairs: it cannot be asked for a score a pair")
    ready = [_prepared(metric, stretches) for metric in metrics]
    gathered: list[list[_Gathered]] | None = None
    for systems in stretches():
        gathered = gathered or [[_Gathered(metric, keep_statistics) for _ in systems] for metric in ready]
        for row, found in zip(gathered, _score_metrics(ready, systems), strict=True):
            for place, scores in zip(row, found, strict=True):
                place.add(scores)
        progress(len(systems[0]))
    if gathered is None:
        raise UsageError("there is nothing to score")
    return [[place.scores() for place in row] for row in gathered]


def _prepared(metric: Any, stretches: Stretches) -> Any:
    if isinstance(metric, PreparesSystems):
        return metric.prepared_systems(stretches())
    if not isinstance(metric, Prepares):
        return metric
    # All systems share their references, so the first system's pairs show the whole corpus.
    return metric.prepared(systems[0] for systems in stretches())


def _score_metrics(metrics: Sequence[Any], systems: list[Pairs]) -> list[list[Scores]]:
    """One stretch by every metric; those over one encoder share its pass."""
    groups: dict[Any, list[int]] = {}
    for place, metric in enumerate(metrics):
        groups.setdefault(_sharing_key(metric) or place, []).append(place)
    found: dict[int, list[Scores]] = {}
    for places in groups.values():
        if len(places) == 1:
            found[places[0]] = list(_score_systems(metrics[places[0]], systems))
        else:
            from farthing.metrics.encoded import score_encoded

            shared = score_encoded([metrics[place] for place in places], systems)
            found.update(zip(places, shared, strict=True))
    return [found[place] for place in range(len(metrics))]


def _sharing_key(metric: Any) -> Any:
    if not hasattr(metric, "engine"):  # spares the import of the encoders where nothing is encoded
        return None
    from farthing.metrics.encoded import sharing_key

    return sharing_key(metric)


def _score_systems(metric: Any, systems: list[Pairs]) -> Iterator[Scores]:
    if isinstance(metric, ScoresTogether):
        return iter(metric.score_together(systems))
    return (metric.score(pairs) for pairs in systems)


class _Gathered:
    """The scores of one metric on one system, as they come in stretch by stretch."""

    def __init__(self, metric: Any, keep_statistics: bool) -> None:
        self.metric, self.keep = metric, keep_statistics
        self.rows = 0
        self.found: list[Scores] = []
        self.total: np.ndarray | None = None

    def add(self, scores: Scores) -> None:
        if scores.statistics is not None:
            total = scores.statistics.sum(axis=0)
            self.total = total if self.total is None else self.total + total
        slim = Scores(
            corpus=scores.corpus,
            segments=scores.segments,
            signature=scores.signature,
            parts=scores.parts,
            statistics=scores.statistics if self.keep else None,
            notes=tuple(note.shifted(self.rows) for note in scores.notes),
            system=scores.system,
        )
        self.rows += 0 if scores.segments is None else len(scores.segments)
        self.found.append(slim)

    def scores(self) -> Scores:
        """One result for the whole input."""
        first = self.found[0]
        if len(self.found) == 1:
            return first
        segments = np.concatenate([_segments(scores) for scores in self.found])
        whole = Scores(
            corpus=self._corpus(segments),
            segments=segments,
            signature=Signature.merged([scores.signature for scores in self.found]),
            parts=self._parts(),
            statistics=self._statistics(),
            notes=self._notes(),
            system=first.system,
        )
        return self.metric.finished(whole) if isinstance(self.metric, Finishes) else whole

    def _corpus(self, segments: np.ndarray) -> float:
        if isinstance(self.metric, Aggregates) and self.total is not None:
            return self.metric.aggregate(self.total)
        return float(segments.mean())

    def _parts(self) -> dict[str, Part]:
        """Parts that have one value a pair are joined; single numbers are averaged by the number of pairs."""
        joined: dict[str, Part] = {}
        weights = [len(_segments(scores)) for scores in self.found]
        for name, part in self.found[0].parts.items():
            values = [scores.parts[name] for scores in self.found]
            if isinstance(part, np.ndarray):
                joined[name] = np.concatenate([np.asarray(value) for value in values], axis=-1)
            else:
                joined[name] = float(np.average(np.array(values, dtype=float), weights=weights))
        return joined

    def _statistics(self) -> np.ndarray | None:
        kept = [scores.statistics for scores in self.found if scores.statistics is not None]
        return np.concatenate(kept) if kept else None

    def _notes(self) -> tuple[Any, ...]:
        """Notes of one kind and wording become one, with all their rows."""
        merged: dict[tuple[str, str], Any] = {}
        for scores in self.found:
            for note in scores.notes:
                key = (note.kind, note.message)
                known = merged.get(key)
                rows = (*known.rows, *note.rows) if known else note.rows
                merged[key] = type(note)(note.kind, note.message, rows)
        return tuple(merged.values())


def _segments(scores: Scores) -> np.ndarray:
    if scores.segments is None:
        raise UsageError(f"{scores.metric} gives no score a pair")
    return scores.segments
