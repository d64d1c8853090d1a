"""Farthing: cheap, light and fast evaluation of generated text.

>>> import farthing
>>> result = farthing.score(["the cat sat"], ["the cat sat down"], metric="chrf")
>>> round(result.corpus, 2)
66.02
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from farthing.core.version import __version__

if TYPE_CHECKING:
    from farthing.core.registry import load as load
    from farthing.core.registry import register as register
    from farthing.core.types import Pairs as Pairs
    from farthing.core.types import Scores as Scores
    from farthing.core.types import Sets as Sets
    from farthing.files.run import Run as Run
    from farthing.files.run import read_run as read_run
    from farthing.front import compare as compare
    from farthing.front import read as read
    from farthing.front import score_texts as score

# Names are fetched on first use, so that `import farthing` costs next to nothing.
_HOMES = {
    "Pairs": "farthing.core.types",
    "Scores": "farthing.core.types",
    "Sets": "farthing.core.types",
    "Run": "farthing.files.run",
    "compare": "farthing.front",
    "load": "farthing.core.registry",
    "read": "farthing.front",
    "read_run": "farthing.files.run",
    "register": "farthing.core.registry",
    "score": "farthing.front:score_texts",
}

__all__ = [
    "Pairs", "Run", "Scores", "Sets", "__version__", "compare", "load", "read", "read_run", "register", "score",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module, _, attribute = _HOMES[name].partition(":")
        return getattr(importlib.import_module(module), attribute or name)
    if name in ("core", "files", "meta", "metrics", "learn"):
        return importlib.import_module(f"farthing.{name}")
    raise AttributeError(f"module 'farthing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
