"""Farthing: cheap, light and fast evaluation of generated text.

>>> import farthing
>>> result = farthing.score(["the cat sat"], ["the cat sat down"], metric="chrf")
>>> round(result.corpus, 2)
66.02

Everything that programs need is a name of this module (docs/api.md); all other modules may change.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from farthing.core.version import __version__

if TYPE_CHECKING:
    from farthing.choosing import mbr, rerank
    from farthing.core.errors import (
        FarthingError,
        InputError,
        MissingExtra,
        MissingInput,
        ModelError,
        OutputError,
        SpecError,
        UnknownName,
        UsageError,
    )
    from farthing.core.metric import Metric, SetMetric
    from farthing.core.nbest import NBest
    from farthing.core.registry import load, metric_names, register
    from farthing.core.signature import Signature
    from farthing.core.types import Alignment, MetricInfo, Note, Pairs, Scores, Sets
    from farthing.encoders.protocol import EncodedText, Encoder, FolderEncoder
    from farthing.files.run import Run, read_run
    from farthing.front import compare, read
    from farthing.front import score_texts as score
    from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict
    from farthing.metrics.tokens.base import TokenMetric
    from farthing.metrics.tokens.encoded import EncodedRow
    from farthing.scoring.choices import Choices
    from farthing.scoring.comparison import Comparison

# Where each public name lives. It is imported on first use, so that `import farthing` costs next to nothing.
_HOMES = {
    "score": "farthing.front:score_texts",
    "compare": "farthing.front",
    "load": "farthing.core.registry",
    "read": "farthing.front",
    "mbr": "farthing.choosing",
    "rerank": "farthing.choosing",
    "read_run": "farthing.files.run",
    "metric_names": "farthing.core.registry",
    "register": "farthing.core.registry",
    "Pairs": "farthing.core.types",
    "Sets": "farthing.core.types",
    "Scores": "farthing.core.types",
    "Note": "farthing.core.types",
    "MetricInfo": "farthing.core.types",
    "Alignment": "farthing.core.types",
    "Signature": "farthing.core.signature",
    "Comparison": "farthing.scoring.comparison",
    "Run": "farthing.files.run",
    "Choices": "farthing.scoring.choices",
    "NBest": "farthing.core.nbest",
    "Metric": "farthing.core.metric",
    "SetMetric": "farthing.core.metric",
    "TokenMetric": "farthing.metrics.tokens.base",
    "EncodedRow": "farthing.metrics.tokens.encoded",
    "VectorSetMetric": "farthing.metrics.sets.base",
    "MeasuredSets": "farthing.metrics.sets.base",
    "Verdict": "farthing.metrics.sets.base",
    "Encoder": "farthing.encoders.protocol",
    "FolderEncoder": "farthing.encoders.protocol",
    "EncodedText": "farthing.encoders.protocol",
    "FarthingError": "farthing.core.errors",
    "UsageError": "farthing.core.errors",
    "SpecError": "farthing.core.errors",
    "UnknownName": "farthing.core.errors",
    "MissingInput": "farthing.core.errors",
    "MissingExtra": "farthing.core.errors",
    "InputError": "farthing.core.errors",
    "OutputError": "farthing.core.errors",
    "ModelError": "farthing.core.errors",
}
_ROOMS = ("compat", "core", "files", "integrations", "learn", "meta", "metrics")

__all__ = [
    "score", "compare", "mbr", "rerank", "load", "read", "read_run", "metric_names", "register",
    "Pairs", "Sets", "Scores", "Note", "MetricInfo", "Alignment", "Signature", "Comparison", "Run",
    "Choices", "NBest",
    "Metric", "SetMetric", "TokenMetric", "EncodedRow", "VectorSetMetric", "MeasuredSets", "Verdict",
    "Encoder", "FolderEncoder", "EncodedText",
    "FarthingError", "UsageError", "SpecError", "UnknownName", "MissingInput", "MissingExtra", "InputError",
    "OutputError", "ModelError", "__version__",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOMES:
        module, _, attribute = _HOMES[name].partition(":")
        return getattr(importlib.import_module(module), attribute or name)
    if name in _ROOMS:
        return importlib.import_module(f"farthing.{name}")
    raise AttributeError(f"module 'farthing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
