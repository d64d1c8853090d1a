"""Metrics, encoder backends and commands by name, imported when they are first used.

Every builtin is one line in a table. Other packages add their own at run time,

    farthing.register("metric", "mymetric", MyMetric)

or with an entry point, which is read only if a name is unknown:

    [project.entry-points."farthing.metrics"]
    mymetric = "mypackage.mymetric:MyMetric"
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Generic, Literal, TypeAlias, TypeVar, cast, get_args

from farthing.core.errors import MissingExtra, UnknownName, UsageError
from farthing.core.metric import Metric, Origin, SetMetric, State
from farthing.core.normalise import Normaliser
from farthing.core.options import Option, checked_options, options_of
from farthing.core.specs import OWN_NAMES, SPELLINGS, Spec, parse_spec, plain_name, spelled

Kind: TypeAlias = Literal["metric", "backend", "command"]
Thing = TypeVar("Thing")
_Target: TypeAlias = "str | Callable[..., object] | object"  # "module:attribute", or the thing itself

# The extra that installs a library, by the import name of the library.
_EXTRAS = {"torch": "torch", "transformers": "torch", "ot": "ot", "matplotlib": "plots"}
_ADDED: dict[str, dict[str, _Target]] = {kind: {} for kind in get_args(Kind)}


def register(kind: Kind, name: str, target: _Target) -> None:
    """Add a metric, an encoder backend or a command of your own.

    :param target: the class or function itself, or its location as "module:attribute"
    """
    if kind not in _ADDED:
        raise UnknownName("kind of thing to register", kind, _ADDED)
    _ADDED[kind][name] = target
    if kind == "metric":
        OWN_NAMES.add(name)


class Registry(Generic[Thing]):
    """Everything of one kind, by name.

    :param kind: the kind in messages; the group of its entry points is `farthing.<kind>s`
    :param builtin: the location of every builtin as "module:attribute", by name
    """

    def __init__(self, kind: str, builtin: Mapping[str, str]) -> None:
        self.kind, self.builtin = kind, builtin

    def names(self) -> list[str]:
        """Return every known name, those of plug-ins included."""
        return sorted({*self.builtin, *_ADDED.get(self.kind, ()), *self._entry_points})

    def known(self) -> list[str]:
        """The names that need no entry point: those added at run time, then Farthing's own, in their order."""
        return list(dict.fromkeys([*_ADDED.get(self.kind, ()), *self.builtin]))

    def get(self, name: str) -> Thing:
        """Import what a name stands for; the error for an unknown name lists close matches."""
        target = self._target(name)
        if not isinstance(target, str):
            return cast(Thing, target)
        module, _, attribute = target.partition(":")
        try:
            return cast(Thing, getattr(importlib.import_module(module), attribute))
        except ModuleNotFoundError as error:
            if name in self.builtin and error.name and not error.name.startswith("farthing"):
                raise MissingExtra(name, _EXTRAS.get(error.name.partition(".")[0], "all")) from error
            raise UsageError(f"the {self.kind} {name!r} cannot be imported from {module}: {error}") from error

    def _target(self, name: str) -> _Target:
        for known in (_ADDED.get(self.kind, {}), self.builtin):
            if name in known:
                return known[name]
        if name not in self._entry_points:
            raise UnknownName(self.kind, name, self.names())
        return self._entry_points[name]

    @cached_property
    def _entry_points(self) -> dict[str, str]:
        from importlib.metadata import entry_points  # a late import: reading the metadata of all packages takes 20 ms

        targets = dict(self.builtin)
        for point in entry_points(group=f"farthing.{self.kind}s"):
            if targets.setdefault(point.name, point.value) != point.value:
                raise UsageError(
                    f"two {self.kind}s are called {point.name!r}: {targets[point.name]} and {point.value}; "
                    "uninstall one of them"
                )
        return {name: target for name, target in targets.items() if name not in self.builtin}


DEFAULT = "frugalscore"
MetricClass: TypeAlias = "type[Metric] | type[SetMetric]"

METRICS: Registry[MetricClass] = Registry(
    "metric",
    {
        "bleu": "farthing.metrics.lexical:Bleu",
        "chrf": "farthing.metrics.lexical:Chrf",
        "ter": "farthing.metrics.lexical:Ter",
        "rouge": "farthing.metrics.rouge:Rouge",
        "meteor": "farthing.metrics.meteor:Meteor",
        "exact_match": "farthing.metrics.answers:ExactMatch",
        "token_f1": "farthing.metrics.answers:TokenF1",
        "bertscore": "farthing.metrics.bertscore.bertscore:BertScore",
        "moverscore": "farthing.metrics.tokens.moverscore:MoverScore",
        "baryscore": "farthing.metrics.tokens.baryscore:BaryScore",
        "bartscore": "farthing.metrics.bartscore:BartScore",
        "xmoverscore": "farthing.metrics.tokens.xmoverscore:XMoverScore",
        "sentsim": "farthing.metrics.tokens.sentsim:SentSim",
        "frugalscore": "farthing.metrics.frugalscore:FrugalScore",
        "comet": "farthing.metrics.comet:Comet",
        "markevaluate": "farthing.metrics.sets.markevaluate:MarkEvaluate",
        "fid": "farthing.metrics.sets.frechet:Fid",
        "prd": "farthing.metrics.sets.prd:Prd",
        "impar": "farthing.metrics.sets.impar:Impar",
        "row_sets": "farthing.metrics.sets.rows:RowSets",
        "mauve": "farthing.metrics.sets.mauve:Mauve",
        "distinct": "farthing.metrics.sets.distinct:DistinctN",
        "self_bleu": "farthing.metrics.sets.self_bleu:SelfBleu",
        "perplexity": "farthing.metrics.perplexity:Perplexity",
        "judge": "farthing.judge.metric:JudgeMetric",
    },
)
SPELLINGS.update({plain_name(name): (name, {}) for name in METRICS.builtin})


# The options that every metric has, unless it has one of that name itself.
SHARED = {
    option.name: option
    for option in [
        Option(
            "normalise", str | None, None,
            "changes to every text first: nfc, nfd, nfkc or nfkd, quotes, lower, joined by +",
        )
    ]
}  # fmt: skip


def metric_names() -> list[str]:
    """List the names of all metrics, those of other packages included."""
    return METRICS.names()


def metric_options(name: str) -> dict[str, Option]:
    """Return the options of a metric, given its name in any usual spelling: its own, then those that all share."""
    own = options_of(METRICS.get(spelled(name).name))
    return {**own, **{key: option for key, option in SHARED.items() if key not in own}}


def load(spec: str | Spec, **options: object) -> Metric | SetMetric:
    """Load a metric by its spec; it keeps its model, so load once and score often.

    :param options: options of the metric, as in the spec: `load("chrf", word_order=2)`

    >>> load("chrf(word_order=2)").info.name, load("chrf", word_order=2).info.name
    ('chrf', 'chrf')
    """
    given = parse_spec(spec) if isinstance(spec, str) else spec
    given = given.with_options(options) if options else given
    build: Callable[..., Metric | SetMetric] = METRICS.get(given.name)
    metric = _built(given, build)
    metric.origin = Origin(str(given), load_again)
    return metric


def _built(spec: Spec, build: Callable[..., Metric | SetMetric]) -> Metric | SetMetric:
    if not spec.options:
        try:
            return build()
        except TypeError:  # a required option is missing: the check below says which
            checked_options(spec.name, {}, options_of(build))
            raise
    own = options_of(build)
    known = {**{key: option for key, option in SHARED.items() if key not in own}, **own}
    normaliser = None if "normalise" in own else Normaliser.of(spec.options.get("normalise"))
    given = {key: value for key, value in spec.options.items() if key in own or key not in SHARED}
    metric = build(**checked_options(spec.name, given, known))
    metric.normaliser = normaliser
    return metric


def load_again(spec: str, location: str, state: State | None) -> Metric | SetMetric:
    """Load a metric that was pickled in another process; a name that is unknown here is imported from its location."""
    name = parse_spec(spec).name
    if name not in METRICS.names():
        register("metric", name, location)
    metric = load(spec)
    return metric.prepared(state) if state is not None and isinstance(metric, Metric) else metric


def load_pairs_metric(spec: str | Spec) -> Metric:
    """Load a metric of pairs; raise an error for a metric of whole sets."""
    metric = load(spec)
    if isinstance(metric, SetMetric):
        raise UsageError(f"{metric.info.name} judges a set, not pairs: it gives no score per pair")
    return metric
