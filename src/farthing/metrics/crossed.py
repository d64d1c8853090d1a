"""What metrics share that compare all candidates of a list with all references at a time."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.metric import empty_notes
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.types import Note


def crossed_empty_notes(lists: Sequence[NBest]) -> tuple[Note, ...]:
    """Return notes on the pairs with a text that is empty, by their places in the crossed pairs."""
    texts = (text for one in lists for side in (one.candidates, one.references) for text in side)
    return empty_notes(crossed_pairs(lists)) if any(not text.strip() for text in texts) else ()
