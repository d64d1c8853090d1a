"""Twelve hexadecimal digits that name a content: one rule for texts, files, arrays and JSON values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

DIGITS = 12
_BLOCK = 1 << 20


def digest(*parts: str | bytes) -> str:
    """Name some texts or bytes, taken one after the other.

    >>> digest("ab"), digest("a", b"b")
    ('fb8e20fc2e4c', 'fb8e20fc2e4c')
    """
    found = hashlib.sha256()
    for part in parts:
        found.update(part.encode() if isinstance(part, str) else part)
    return found.hexdigest()[:DIGITS]


def digest_files(paths: Iterable[Path]) -> str:
    """Name the content of some files, read block by block."""
    found = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                found.update(block)
    return found.hexdigest()[:DIGITS]


def digest_json(value: object) -> str:
    """Name a value that JSON can hold; the order of an object's keys does not matter.

    >>> digest_json({"a": 1, "b": [2]}) == digest_json({"b": [2], "a": 1})
    True
    """
    return digest(json.dumps(value, sort_keys=True, ensure_ascii=True))
