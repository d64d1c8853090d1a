"""The journal of a run: which run a folder holds, so that only the same one is resumed in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from farthing.core.errors import UsageError
from farthing.files.inputs import Source, fingerprint
from farthing.files.journal import Journal
from farthing.scoring.engine import Ready
from farthing.scoring.identity import identity

SHARD = 1024  # rows of each system in one shard


def open_journal(folder: Path, metrics: Sequence[Ready], inputs: Source, overwrite: bool = False) -> Journal:
    """Start a run in a folder, or resume it there."""
    if not metrics:
        raise UsageError("a run keeps scores of pairs: ask for at least one metric that judges pairs")
    about = {
        "systems": inputs.names,
        "metrics": {ready.spec: identity(ready.spec) for ready in metrics},
        "higher_is_better": {ready.spec: ready.metric.info.higher_is_better for ready in metrics},
        "input": fingerprint(inputs),
        "shard": SHARD,
    }
    return Journal.open(folder, about, overwrite=overwrite)
