"""Twelve hexadecimal digits that identify a content: one rule for texts, files, arrays and JSON values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

DIGITS = 12
_BLOCK = 1 << 20


def digest(*parts: str | bytes) -> str:
    """Identify texts or bytes, taken one after the other.

    >>> digest("ab"), digest("a", b"b")
    ('fb8e20fc2e4c', 'fb8e20fc2e4c')
    """
    return digest_stream(parts)


def digest_stream(parts: Iterable[str | bytes]) -> str:
    """Identify texts or bytes as :func:`digest` does, without holding all of them in memory."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part)
    return hasher.hexdigest()[:DIGITS]


def digest_files(paths: Iterable[Path]) -> str:
    """Identify the content of files, read block by block."""
    return digest_stream(block for path in paths for block in _blocks(path))


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            yield block


def digest_json(value: object) -> str:
    """Identify a value that JSON can hold; the order of an object's keys does not matter.

    >>> digest_json({"a": 1, "b": [2]}) == digest_json({"b": [2], "a": 1})
    True
    """
    return digest(json.dumps(value, sort_keys=True, ensure_ascii=True))
