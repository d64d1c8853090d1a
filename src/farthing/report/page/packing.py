"""Rows of texts and columns of scores, small enough for a page: gzip in base64, which browsers unpack themselves."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats

BLOCK = 4000  #: rows of one block; larger ones are hardly smaller in sum, and are read later
NONE = 65535  #: stands for a score that is missing


def packed(data: bytes) -> str:
    """Compress bytes in the same way at any time: gzip without a time stamp, in base64."""
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def packed_rows(rows: Sequence[Sequence[object]]) -> list[str]:
    """Compress rows block by block; the texts of one segment are neighbours, since they are alike."""
    return [packed(_json(rows[start : start + BLOCK])) for start in range(0, len(rows), BLOCK)]


def _json(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Scale:
    """How whole numbers stand for scores: `low + number / 10**digits`."""

    low: int  # in units of the last digit
    digits: int

    @classmethod
    def of(cls, columns: Iterable[Floats], digits: int) -> Scale:
        """Keep as many digits as are shown, or fewer if the scores of a wide range would need more than 16 bits."""
        values = np.concatenate([np.asarray(one)[np.isfinite(one)] for one in columns])
        if not values.size:
            return cls(0, digits)
        while True:
            low, high = (int(np.rint(end * 10.0**digits)) for end in (values.min(), values.max()))
            if high - low < NONE:
                return cls(low, digits)
            digits -= 1

    def numbers(self, scores: Floats) -> np.ndarray:
        """Return 16-bit numbers; NONE for what is not finite."""
        units = np.rint(np.where(np.isfinite(scores), scores, 0) * 10.0**self.digits) - self.low
        return np.where(np.isfinite(scores), units, NONE).astype("<u2")


def packed_numbers(columns: Sequence[np.ndarray]) -> str:
    """Compress columns of 16-bit numbers: of each column all high bytes, then all low ones, which packs better."""
    planes = [plane for one in columns for plane in ((one >> 8).astype("u1"), (one & 255).astype("u1"))]
    return packed(b"".join(plane.tobytes() for plane in planes))
