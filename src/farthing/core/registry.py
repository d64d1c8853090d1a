"""Every metric by name. Nothing is imported before it is asked for.

A metric of Farthing's own is one line in `BUILTIN`. A package adds its own through the entry point
group `farthing.metrics`:

    [project.entry-points."farthing.metrics"]
    mymetric = "mypackage.mymetric:MyMetric"
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from farthing.core.errors import MissingExtra, UnknownName, UsageError
from farthing.core.options import Option, checked_options, options_of
from farthing.core.specs import Spec, parse_spec

GROUP = "farthing.metrics"
DEFAULT = "frugalscore"

BUILTIN: dict[str, str] = {
    "bleu": "farthing.metrics.lexical:Bleu",
    "chrf": "farthing.metrics.lexical:Chrf",
    "ter": "farthing.metrics.lexical:Ter",
    "rouge": "farthing.metrics.rouge:Rouge",
    "bertscore": "farthing.metrics.bertscore:BertScore",
    "moverscore": "farthing.metrics.moverscore:MoverScore",
    "baryscore": "farthing.metrics.baryscore:BaryScore",
    "bartscore": "farthing.metrics.bartscore:BartScore",
    "xmoverscore": "farthing.metrics.xmoverscore:XMoverScore",
    "sentsim": "farthing.metrics.sentsim:SentSim",
    "frugalscore": "farthing.metrics.frugalscore:FrugalScore",
    "markevaluate": "farthing.metrics.markevaluate:MarkEvaluate",
    "fid": "farthing.metrics.frechet:Fid",
    "prd": "farthing.metrics.prd:Prd",
    "impar": "farthing.metrics.impar:Impar",
}

# Names that have a place but no code yet: asking for one gets a sentence, not "unknown".
PLANNED: frozenset[str] = frozenset(
    [
        "comet",
    ]
)


@lru_cache(maxsize=1)
def targets() -> dict[str, str]:
    """Where each metric lives, as "module:Class": the built-in ones, then the plug-ins."""
    from importlib.metadata import entry_points  # late: reading every package's metadata costs 20 ms

    found = dict(BUILTIN)
    for point in entry_points(group=GROUP):
        if found.setdefault(point.name, point.value) != point.value:
            raise UsageError(
                f"two metrics are called {point.name!r}: {found[point.name]} and {point.value}; uninstall one of them"
            )
    return found


def names() -> list[str]:
    """The names of all metrics that can be loaded."""
    return sorted(targets())


def factory(name: str) -> Callable[..., Any]:
    """The class of a metric, imported now."""
    known = BUILTIN if name in BUILTIN else targets()
    if name in PLANNED and name not in known:
        raise UsageError(f"{name} is planned but not in this version (there are: {', '.join(sorted(known))})")
    if name not in known:
        raise UnknownName("metric", name, known)
    module, _, attribute = known[name].partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        if name in BUILTIN and error.name and not error.name.startswith("farthing"):
            raise MissingExtra(name, _EXTRAS.get(error.name.partition(".")[0], "all")) from error
        raise UsageError(f"the metric {name!r} cannot be imported from {module}: {error}") from error


_EXTRAS = {"rouge_score": "rouge", "torch": "torch", "transformers": "torch", "ot": "ot", "matplotlib": "plots"}


def options(name: str) -> dict[str, Option]:
    """The options of a metric, by name."""
    return options_of(factory(name))


def load(spec: str | Spec) -> Any:
    """Make a metric from its spec.

    >>> load("chrf(word_order=2)").info.name
    'chrf'
    """
    spec = parse_spec(spec) if isinstance(spec, str) else spec
    build = factory(spec.name)
    return build(**checked_options(spec.name, spec.options, options_of(build)))
