"""What leaving an encoder early has saved: the layers of every row, and the note that sums them up.

The note is derived from the rows' values alone, so it is the same for the same texts, whether they are scored in one
go, in stretches, or by a run that was interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from farthing.core.types import Note, Scores
from farthing.encoders.backends.early_exit import EarlyExitEncoder
from farthing.encoders.protocol import EncodedText

PART = "layers"
KIND = "early exit"


def mean_layers(encoder: EarlyExitEncoder, texts: Sequence[EncodedText]) -> float:
    """Return how many layers some texts were given on average; 0 if unknown (read from a cache, or in windows)."""
    used = [layers for text in texts if (layers := encoder.used(text.ids))]
    return float(np.mean(used)) if used else 0.0


def with_exit_note(scores: Scores, depth: int) -> Scores:
    """Return scores with one note about early exit, made from the part `layers`; notes of stretches are replaced."""
    rows = np.asarray(scores.parts[PART])
    known = rows[rows > 0]
    notes = [note for note in scores.notes if note.kind != KIND]
    if len(known):
        notes.append(Note(KIND, exit_message(float(known.mean()), depth)))
    return replace(scores, notes=tuple(notes))


def exit_message(mean: float, depth: int) -> str:
    """Say how deep texts went.

    >>> exit_message(4.5, 6)
    'texts left after 4.5 of 6 layers on average; 25% of the layers were not run'
    """
    return (
        f"texts left after {mean:.1f} of {depth} layers on average; {1 - mean / depth:.0%} of the layers were not run"
    )
