"""Which metrics and options a request may name: never a path, a command, an address, a judge or a download.

A metric that is not in the table cannot be asked for, nor can an option that is not in its entry, nor a value that the
entry does not list. Options that bind a metric to this machine (threads, device, cache, backend) are in no entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from farthing.core.errors import FarthingError, UnknownName, UsageError
from farthing.core.registry import DEFAULT, METRICS
from farthing.core.specs import Spec, Value, format_value, parse_spec

ListedValues: TypeAlias = tuple[Value, ...]
OptionValues: TypeAlias = "ListedValues | Between"
SHORT = 2_000  #: characters of a text for metrics whose cost grows with the product of two lengths


class NotAllowed(UsageError):
    """A metric or an option that requests may not name."""


@dataclass(frozen=True, slots=True)
class Between:
    """Numbers from `low` to `high`; whole ones if both are."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        return (isinstance(value, int) or not whole) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class AllowedOptions:
    """What requests may ask of one metric.

    :param options: the values that each option may have
    :param fixed: options that are set if a request does not set them, so that nothing is looked for elsewhere
    :param characters: the longest text that the metric gets from a request, if it is less than others get
    """

    options: Mapping[str, OptionValues] = field(default_factory=dict)
    fixed: Mapping[str, Value] = field(default_factory=dict)
    characters: int | None = None


_SWITCH: ListedValues = (False, True)
_OWN: ListedValues = ("small", "tiny", "nano")  # encoders that come with the package
_LONG: ListedValues = ("truncate", "window", "error")
_WORDS: ListedValues = ("ascii", "unicode")
_ANSWERS: Mapping[str, OptionValues] = {"rules": ("squad", "unicode", "space"), "drop_articles": (None, False, True)}
_SMALL: Mapping[str, Value] = {"model": "small"}
_SETS = {"model": _OWN, "pooling": ("mean", "max", "cls"), "unit": _SWITCH}
_ENCODED: Mapping[str, OptionValues] = {"model": _OWN, "long": _LONG, "idf": _SWITCH}
_DROPS = {"drop_punctuation": _SWITCH, "drop_subwords": _SWITCH}
NORMALISE: ListedValues = (None, "nfc", "nfd", "nfkc", "nfkd", "quotes", "lower", "nfc+quotes", "nfkc+quotes+lower")

ALLOWED: Mapping[str, AllowedOptions] = {
    "frugalscore": AllowedOptions(
        {
            "size": (None, "small", "tiny", "nano", "multi", "source", "base"),
            "focus": ("balanced", "recall", "precision"),
            "long": (None, *_LONG),
        }
    ),
    "bleu": AllowedOptions(
        {
            "tokenize": ("13a", "intl", "zh", "char", None),
            "lowercase": _SWITCH,
            "smooth_method": ("exp", "floor", "add-k", None),
            "max_ngram_order": Between(1, 6),
            "effective_order": _SWITCH,
        }
    ),
    "chrf": AllowedOptions(
        {
            "char_order": Between(1, 8),
            "word_order": Between(0, 4),
            "beta": Between(1, 5),
            "lowercase": _SWITCH,
            "whitespace": _SWITCH,
            "eps_smoothing": _SWITCH,
        }
    ),
    "ter": AllowedOptions(
        {"normalized": _SWITCH, "no_punct": _SWITCH, "asian_support": _SWITCH, "case_sensitive": _SWITCH},
        characters=SHORT,
    ),
    "rouge": AllowedOptions(
        {
            "type": (None, "rouge1", "rouge2", "rougeL", "rougeLsum"),
            "stemmer": _SWITCH,
            "tokenizer": _WORDS,
        },
        characters=SHORT,
    ),
    "exact_match": AllowedOptions(_ANSWERS),
    "token_f1": AllowedOptions(_ANSWERS),
    "bertscore": AllowedOptions({**_ENCODED, **_DROPS}, _SMALL),
    "moverscore": AllowedOptions(
        {**_ENCODED, **_DROPS, "variant": (None, "v2", "effeval"), "distance": ("wmd", "rwmd", "wcd")}, _SMALL, SHORT
    ),
    "markevaluate": AllowedOptions({**_SETS, "k": Between(1, 10)}, _SMALL),
    "impar": AllowedOptions({**_SETS, "k": Between(1, 10)}, _SMALL),
    "prd": AllowedOptions(
        {**_SETS, "clusters": Between(2, 50), "runs": Between(1, 10), "seed": Between(0, 2**31)}, _SMALL
    ),
    "fid": AllowedOptions({**_SETS, "shrink": _SWITCH}, _SMALL),
    "distinct": AllowedOptions(
        {"n": Between(1, 6), "within": _SWITCH, "tokenizer": (*_WORDS, "13a", "space"), "lowercase": _SWITCH}
    ),
}


class AllowedMetrics:
    """The part of the table that a service offers.

    :param names: the metrics that it offers; all of the table by default
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        for name in names:
            if name not in ALLOWED:
                raise UnknownName("metric that can be served", name, ALLOWED)
        self.entries = {name: ALLOWED[name] for name in names or ALLOWED}
        self.default = DEFAULT if DEFAULT in self.entries else next(iter(self.entries))

    def spec(self, text: str) -> Spec:
        """Return the spec that a request names, completed; raise a sentence if it names what is not allowed.

        >>> str(AllowedMetrics().spec("BERTScore")), str(AllowedMetrics().spec("chrF++"))
        ('bertscore(model=small)', 'chrf(word_order=2)')
        """
        try:
            given = parse_spec(text)
        except FarthingError as error:
            raise NotAllowed(f"{error}; metrics here: {', '.join(self.entries)}") from error
        if given.name not in self.entries:
            raise NotAllowed(
                f"the metric {given.name[:40]!r} is not offered here; there are: {', '.join(self.entries)}"
            )
        for name, value in given.options.items():
            self._check(given.name, name, value)
        return Spec(given.name, {**self.entries[given.name].fixed, **given.options})

    def _check(self, metric: str, option: str, value: Value) -> None:
        known: Mapping[str, OptionValues] = {**self.entries[metric].options, "normalise": NORMALISE}
        if option not in known:
            raise NotAllowed(
                f"the option {option[:40]!r} of {metric} is not offered here; there are: {', '.join(known)}"
            )
        values = known[option]
        if value not in values or (isinstance(values, tuple) and not _listed(value, values)):
            said = values if isinstance(values, Between) else ", ".join(map(format_value, values))
            raise NotAllowed(f"{metric}: {option}={format_value(value)[:40]} is not offered here; there is: {said}")

    def specs(self, texts: Sequence[str]) -> list[Spec]:
        """Return the specs of a request; a metric that is named twice counts once."""
        return list(dict.fromkeys(map(self.spec, texts or [self.default])))

    def characters(self, specs: Sequence[Spec]) -> int | None:
        """Return the longest text that all of these metrics take; None if the service's own limit holds."""
        lengths = [most for spec in specs if (most := self.entries[spec.name].characters)]
        return min(lengths, default=None)

    def is_set(self, spec: Spec) -> bool:
        """Tell whether a metric judges whole sets."""
        return METRICS.get(spec.name).about.level == "set"


def _listed(value: Value, values: ListedValues) -> bool:
    """Tell whether a value is one of several, for which 1 is not true and 0 is not false."""
    return any(type(value) is type(one) and value == one for one in values)
