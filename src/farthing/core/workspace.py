"""Memory that is written again and again: new memory takes several times as long to write as memory that was used."""

from __future__ import annotations

from math import prod
from threading import local

import numpy as np
import numpy.typing as npt

MOST_KEPT = 1 << 22  # bytes of one array; larger ones are for rare long texts


class Workspace:
    """Keeps one piece of memory per name and type, as large as the largest array that was asked for.

    Only one piece of work at a time may use a workspace.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, np.dtype[np.generic]], np.ndarray] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: npt.DTypeLike = np.float32) -> np.ndarray:
        """Return an array with any content; it is valid until the same name is asked for again."""
        size, key = prod(shape), (name, np.dtype(dtype))
        if size * key[1].itemsize > MOST_KEPT:
            return np.empty(shape, dtype)
        kept = self._kept.get(key)
        if kept is None or len(kept) < size:
            kept = self._kept[key] = np.empty(size, dtype)
        return kept[:size].reshape(shape)


_local = local()


def workspace(work: str) -> Workspace:
    """Return this thread's workspace for a piece of work; two calls for the same work must not overlap."""
    spaces: dict[str, Workspace] = _local.__dict__.setdefault("spaces", {})
    return spaces.setdefault(work, Workspace())
