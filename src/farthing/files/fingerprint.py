"""The fingerprint of an input: equal for equal texts, wherever they come from."""

from __future__ import annotations

import json

from farthing.core.digest import digest_stream
from farthing.core.types import Pairs
from farthing.files.inputs import STRETCH, Source


def fingerprint(source: Source) -> str:
    """Identify all texts of a run in their order, the names of the systems included."""
    return digest_stream(_described(pairs) for systems in source.stretches(STRETCH) for pairs in systems)


def _described(pairs: Pairs) -> str:
    sources = None if pairs.sources is None else list(pairs.sources)
    columns = [pairs.system, list(pairs.candidates), [list(row) for row in pairs.references], sources]
    return json.dumps(columns, ensure_ascii=True)
