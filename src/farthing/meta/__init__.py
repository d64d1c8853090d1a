"""How well do metrics agree with people?

The functions that are used most can be imported from here, such as `farthing.meta.correlate` and
`farthing.meta.williams`; their modules are imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from farthing.meta.correlation import Correlation as Correlation
    from farthing.meta.correlation import Undefined as Undefined
    from farthing.meta.correlation import correlate as correlate
    from farthing.meta.hybrids import hybrid_scores as hybrid_scores
    from farthing.meta.judgements import Judgements as Judgements
    from farthing.meta.read.formats import read_judgements as read_judgements
    from farthing.meta.selection import select as select
    from farthing.meta.significance import bootstrap as bootstrap
    from farthing.meta.significance import permutation as permutation
    from farthing.meta.significance import williams as williams

_HOMES = {
    "Correlation": "correlation",
    "Undefined": "correlation",
    "correlate": "correlation",
    "Judgements": "judgements",
    "read_judgements": "read.formats",
    "hybrid_scores": "hybrids",
    "select": "selection",
    "bootstrap": "significance",
    "permutation": "significance",
    "williams": "significance",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"farthing.meta.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'farthing.meta' has no attribute {name!r}")
