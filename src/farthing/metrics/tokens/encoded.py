"""Rows of encoded texts: each distinct text of all systems is encoded once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from farthing.core.types import Need, Pairs
from farthing.encoders.batching import unique
from farthing.encoders.chunks import chunks
from farthing.encoders.engine import Engine
from farthing.encoders.protocol import EncodedText

STRETCH = 4096  # rows whose texts are tokenised and deduplicated together
Needs: TypeAlias = frozenset[Need]


@dataclass(frozen=True, slots=True)
class EncodedRow:
    """The encoded texts of one row.

    :param references: empty if the metric does not need them
    :param source: None if the metric does not need it
    """

    candidate: EncodedText
    references: tuple[EncodedText, ...] = ()
    source: EncodedText | None = None

    @property
    def texts(self) -> tuple[EncodedText, ...]:
        """All texts of the row: candidate, references, source."""
        return (self.candidate, *self.references, *([self.source] if self.source else []))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: the number of its system, and its own within the system."""

    system: int
    row: int


def encoded_rows(
    engine: Engine, systems: Sequence[Pairs], layers: tuple[int, ...], needs: Needs
) -> Iterator[tuple[Place, EncodedRow]]:
    """Encode what is needed of every row of every system, some thousand rows at a time, in any order."""
    for start in range(0, max(map(len, systems)), STRETCH):
        stretch = [pairs.part(start, start + STRETCH) for pairs in systems]
        for place, row in _encoded_stretch(engine, stretch, layers, needs):
            yield Place(place.system, start + place.row), row


def _encoded_stretch(
    engine: Engine, systems: Sequence[Pairs], layers: tuple[int, ...], needs: Needs
) -> Iterator[tuple[Place, EncodedRow]]:
    """Encode rows chunk by chunk; the vectors of a text are forgotten after the last row that has it."""
    sizes = [len(pairs) for pairs in systems]
    places = [Place(system, row) for row in range(max(sizes)) for system, size in enumerate(sizes) if row < size]
    texts = [_texts(systems[place.system], place.row, needs) for place in places]
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
            yield places[number], _row([encoded[text] for text in rows[number]], needs)
        for text in chunk.done:
            del encoded[text]


def _texts(pairs: Pairs, row: int, needs: Needs) -> list[str]:
    """List the texts of a row that are needed: the candidate, its references, its source."""
    references = pairs.references[row] if "reference" in needs else ()
    sources = [pairs.sources[row]] if "source" in needs and pairs.sources is not None else ()
    return [pairs.candidates[row], *references, *sources]


def _row(texts: list[EncodedText], needs: Needs) -> EncodedRow:
    """Give the texts of a row, in the order of :func:`_texts`, their roles."""
    candidate, *others = texts
    source = others.pop() if "source" in needs else None
    return EncodedRow(candidate, tuple(others), source)
