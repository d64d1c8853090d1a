"""The scores of several stretches of one input, joined into one result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.signature import Signature
from farthing.core.types import Note, Part, Scores


def joined_scores(stretches: Sequence[Scores]) -> Scores:
    """Join the scores of stretches that follow each other; the corpus score is the mean of all segments."""
    if len(stretches) == 1:
        return stretches[0]
    counts = [0 if one.segments is None else len(one.segments) for one in stretches]
    segments = np.concatenate([one.segments for one in stretches if one.segments is not None])
    statistics = [one.statistics for one in stretches if one.statistics is not None]
    names = list(stretches[0].parts)
    return Scores(
        corpus=float(segments.mean()),
        segments=segments,
        signature=Signature.merged([one.signature for one in stretches]),
        parts={name: _joined_part([one.parts[name] for one in stretches], counts) for name in names},
        statistics=np.concatenate(statistics) if statistics else None,
        notes=joined_notes([one.notes for one in stretches], counts),
        system=stretches[0].system,
    )


def _joined_part(values: Sequence[Part], counts: Sequence[int]) -> Part:
    """Join a part that has one value per pair; average a single number by the number of pairs."""
    if isinstance(values[0], np.ndarray):
        return np.concatenate([np.asarray(value) for value in values], axis=-1)
    return float(np.average(np.array(values, dtype=float), weights=counts))


def joined_notes(parts: Sequence[Sequence[Note]], counts: Sequence[int]) -> tuple[Note, ...]:
    """Notes of one kind and wording become one, with all their rows."""
    rows: dict[tuple[str, str], tuple[int, ...]] = {}
    start = 0
    for notes, count in zip(parts, counts, strict=True):
        for note in notes:
            key = (note.kind, note.message)
            rows[key] = (*rows.get(key, ()), *note.shifted(start).rows)
        start += count
    return tuple(Note(kind, message, numbers) for (kind, message), numbers in rows.items())
