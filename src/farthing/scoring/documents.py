"""Which document each segment belongs to: segments of one document are not independent, so they are drawn together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.arrays import Indices
from farthing.files.inputs import Source


def document_numbers(inputs: Source) -> Indices | None:
    """Number the documents of the segments; None if there are no ids, or there is only one document."""
    ids: list[str] = []
    for systems in inputs.stretches():
        if not systems or systems[0].documents is None:
            return None
        ids += systems[0].documents
    return numbered(ids)


def numbered(ids: Sequence[str] | None) -> Indices | None:
    """Number ids from 0; None if all are the same, since one document cannot be resampled.

    >>> numbered(["b", "a", "b"]).tolist()
    [1, 0, 1]
    """
    names, numbers = np.unique(np.asarray(ids or [], dtype=object).astype(str), return_inverse=True)
    return None if len(names) < 2 else np.asarray(numbers)
