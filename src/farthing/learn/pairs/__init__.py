"""One file a source of training pairs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from farthing.core.errors import UnknownName
from farthing.core.options import checked_options, options_of
from farthing.learn.pairs.base import PairSource

# One line a source; nothing is imported before it is asked for.
SOURCES: dict[str, str] = {
    "summaries": "farthing.learn.pairs.summaries:Summaries",
    "backtranslation": "farthing.learn.pairs.backtranslation:Backtranslation",
    "denoising": "farthing.learn.pairs.denoising:Denoising",
    "perturbation": "farthing.learn.pairs.perturbation:PerturbedPairs",
    "outputs": "farthing.learn.pairs.outputs:Outputs",
    "random": "farthing.learn.pairs.random_pairs:RandomPairs",
}


def source_class(name: str) -> Any:
    """The class of a source, imported now."""
    if name not in SOURCES:
        raise UnknownName("source of pairs", name, SOURCES)
    module, _, attribute = SOURCES[name].partition(":")
    return getattr(importlib.import_module(module), attribute)


def make_source(name: str, options: Mapping[str, Any]) -> PairSource:
    """A source from what a recipe says about it, checked."""
    build = source_class(name)
    source: PairSource = build(**checked_options(name, options, options_of(build)))
    return source
