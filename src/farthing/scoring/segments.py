"""The scores of every segment of several systems, as the columns of one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.types import Scores


def segment_columns(systems: Mapping[str, Sequence[Scores]]) -> dict[str, np.ndarray]:
    """The columns of a table of segments: system, row (from 1), then one column per metric and part.

    :param systems: the scores of each system, one per metric
    """
    blocks = [_block(system, scores) for system, scores in systems.items()]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _block(system: str, scores: Sequence[Scores]) -> dict[str, np.ndarray]:
    values: dict[str, np.ndarray] = {}
    for one in scores:
        columns = one.columns()
        if not columns:
            raise UsageError(f"{one.metric} judges the whole set and gives no score per segment")
        # The same metric with other options gets its signature's hash into the name.
        clash = any(name in values for name in columns)
        mark = one.signature.short.partition("#")[2]
        values |= {f"{name}_{mark}" if clash else name: column for name, column in columns.items()}
    count = len(next(iter(values.values())))
    return {"system": np.array([system] * count), "row": np.arange(1, count + 1), **values}
