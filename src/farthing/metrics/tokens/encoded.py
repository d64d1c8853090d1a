"""Several metrics and several systems over one encoder: each text is encoded once for all of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from farthing.core.metric import Metric, check_pairs, empty_notes, others
from farthing.core.threads import one_core_algebra
from farthing.core.types import MetricInfo, Need, Note, Pairs, Scores
from farthing.encoders.batching import unique
from farthing.encoders.chunks import chunks
from farthing.encoders.engine import Engine
from farthing.encoders.protocol import EncodedText

STRETCH = 4096  # rows whose texts are tokenised and deduplicated together
Row = tuple[int, int, EncodedText, list[EncodedText]]  # system, row, candidate, references


@runtime_checkable
class OverTokens(Protocol):
    """A metric that compares the token vectors of candidate and references.

    `score_row` gives what the metric needs to remember of one row; `gathered` makes the scores of all rows.
    A metric whose info needs the source and no reference is given the source in the references' place. One that
    treats systems differently (idf of their own candidates) has `for_system`, which gives the metric to use.
    """

    engine: Engine
    layers: tuple[int, ...]

    @property
    def info(self) -> MetricInfo: ...

    def score_row(self, candidate: EncodedText, references: Sequence[EncodedText]) -> Any: ...

    def gathered(self, pairs: Pairs, rows: Sequence[Any], notes: tuple[Note, ...]) -> Scores: ...


class TokenMetric(Metric):
    """A metric over token vectors: those over one engine, against the same texts, share one pass."""

    engine: Engine

    def sharing(self) -> Hashable | None:
        """Equal for metrics that can share one pass."""
        engine = self.engine
        return (id(engine.encoder), engine.long, engine.threads, id(engine.cache), against(self.info))

    @staticmethod
    def score_shared(metrics: Sequence[Metric], systems: Sequence[Pairs]) -> list[list[Scores]]:
        """Score the same rows by several metrics, encoding each text once."""
        return score_encoded(cast("Sequence[OverTokens]", metrics), systems)


def against(info: MetricInfo) -> Need:
    """What candidates are compared with."""
    return "source" if info.needs == {"source"} else "reference"


def score_encoded(metrics: Sequence[OverTokens], systems: Sequence[Pairs]) -> list[list[Scores]]:
    """Score every system with every metric, all of which share one engine: result[metric][system]."""
    for metric in metrics:
        for pairs in systems:
            check_pairs(metric.info, pairs)
    kind = against(metrics[0].info)
    views = [[_of_system(metric, pairs) for pairs in systems] for metric in metrics]
    found: list[list[list[Any]]] = [[[None] * len(pairs) for pairs in systems] for _ in metrics]
    cut: list[list[int]] = [[] for _ in systems]
    layers = tuple(sorted({layer for metric in metrics for layer in metric.layers}))
    with one_core_algebra():
        for system, row, candidate, rest in _stretched(metrics[0].engine, systems, layers, kind):
            if candidate.cut or any(other.cut for other in rest):
                cut[system].append(row)
            for values, view in zip(found, views, strict=True):
                values[system][row] = view[system].score_row(candidate, rest)
    room = metrics[0].engine.encoder.tokenizer.room
    notes = [(*empty_notes(pairs, kind), *_cut_note(rows, room)) for pairs, rows in zip(systems, cut, strict=True)]
    return [
        [v.gathered(pairs, rows, note) for v, pairs, rows, note in zip(view, systems, values, notes, strict=True)]
        for view, values in zip(views, found, strict=True)
    ]


def _of_system(metric: Any, pairs: Pairs) -> OverTokens:
    chosen: OverTokens = metric.for_system(pairs.system) if hasattr(metric, "for_system") else metric
    return chosen


def _stretched(engine: Engine, systems: Sequence[Pairs], layers: tuple[int, ...], kind: Need) -> Iterator[Row]:
    """Every row with its encoded texts; of a large input only some thousand rows are looked at at a time."""
    for start in range(0, max(map(len, systems)), STRETCH):
        part = [_slice(pairs, start) for pairs in systems]
        for system, row, candidate, rest in _encoded_rows(engine, part, layers, kind):
            yield system, start + row, candidate, rest


def _slice(pairs: Pairs, start: int) -> Pairs:
    rows = slice(start, start + STRETCH)
    if len(pairs) <= STRETCH and not start:
        return pairs
    sources = None if pairs.sources is None else pairs.sources[rows]
    return Pairs(pairs.candidates[rows], pairs.references[rows], sources, None, pairs.system)


def _encoded_rows(engine: Engine, systems: Sequence[Pairs], layers: tuple[int, ...], kind: Need) -> Iterator[Row]:
    """Every system's every row with its encoded texts, chunk by chunk."""
    sizes = [len(pairs) for pairs in systems]
    places = [(system, row) for row in range(max(sizes)) for system, size in enumerate(sizes) if row < size]
    texts = [[systems[s].candidates[row], *others(systems[s], row, kind)] for s, row in places]
    distinct, inverse = unique(text for row in texts for text in row)
    ends = np.cumsum([len(row) for row in texts])
    rows = [inverse[end - len(row) : end].tolist() for end, row in zip(ends, texts, strict=True)]
    contents = engine.tokenise(distinct)
    size = 4 * engine.encoder.dimension * len(layers)
    encoded: dict[int, EncodedText] = {}
    for chunk in chunks(rows, [size * (len(content) + 2) for content in contents]):
        new = [contents[text] for text in chunk.new]
        encoded.update((chunk.new[place], text) for place, text in engine.encode_contents(new, layers))
        for number in chunk.rows:
            candidate, *rest = (encoded[text] for text in rows[number])
            yield *places[number], candidate, rest
        for text in chunk.done:
            del encoded[text]


def _cut_note(rows: list[int], room: int) -> tuple[Note, ...]:
    if not rows:
        return ()
    message = f"a text is longer than the {room} tokens the model reads and lost its end; long=window reads it whole"
    return (Note("truncated", message, tuple(sorted(rows))),)
