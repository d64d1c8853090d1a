"""Whether the metric of a signature is here: the same settings, versions and weights, or what differs.

The options are read from the signature's fields, the metric is loaded with them and scores two small inputs. A field in
which the two differ depends on the texts and cannot be checked without them; all others must be those of the signature.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from farthing.core.errors import FarthingError, UnknownName, UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.options import Option, checked_options
from farthing.core.registry import METRICS, load, metric_options
from farthing.core.signature import Signature
from farthing.core.specs import Spec, Value, format_value, parse_spec
from farthing.core.types import Pairs, Sets

VERSION = "farthing"  #: the last field of every signature
ABSENT = "absent"
_DIGEST = re.compile(r"[0-9a-f]{12}")
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[|\[\]]|[^|"\[\]]+|"')  # quoted texts and lists may contain the separator
_WORDS = ("cat", "dog", "bird", "horse", "river", "house", "garden", "letter")


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field of a signature that is not the same here."""

    field: str
    told: str
    here: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found about a signature.

    :param spec: the metric as it was loaded here
    :param differences: what is not the same; nothing if the scores here are comparable
    :param unchecked: the fields that depend on the texts
    :param problem: why the metric cannot be loaded here
    """

    spec: str
    differences: tuple[FieldDifference, ...] = ()
    unchecked: tuple[str, ...] = ()
    problem: str = ""

    @property
    def same(self) -> bool:
        """Whether the same metric, version and weights are here."""
        return not self.differences and not self.problem


def verify_signature(text: str, spec: str | None = None) -> Verification:
    """Compare a signature with the metric that is here.

    :param spec: how the metric is loaded here; by default as the signature's fields say
    """
    metric, told = read_signature(text)
    try:
        chosen = parse_spec(spec) if spec else told_spec(metric, told)
        metric = metric if spec is None else chosen.name
        loaded = load(chosen)
        first, second = (_here(loaded, probe) for probe in (0, 1))
    except UnknownName as error:
        return Verification(metric, problem=str(error))
    except FarthingError as error:
        return Verification(str(spec or metric), problem=f"{metric} cannot be loaded here: {error}")
    unchecked = tuple(name for name in first if first[name] != second.get(name))
    names = [name for name in dict.fromkeys(["metric", *told, *first]) if name not in unchecked]
    told = {"metric": metric, **told}
    differences = [
        FieldDifference(name, told.get(name, ABSENT), first.get(name, ABSENT))
        for name in names
        if told.get(name, ABSENT) != first.get(name, ABSENT)
    ]
    return Verification(str(chosen), tuple(differences), unchecked)


def read_signature(text: str) -> tuple[str, dict[str, str]]:
    """Take a printed signature apart: the metric, and its fields as they are printed.

    >>> read_signature("chrf|nrefs:1|nc:6|farthing:0.1.0")
    ('chrf', {'nrefs': '1', 'nc': '6', 'farthing': '0.1.0'})
    """
    parts, depth = [""], 0
    for piece in _PIECE.findall(text.strip()):
        depth += (piece == "[") - (piece == "]")
        if piece == "|" and depth < 1:
            parts.append("")
        else:
            parts[-1] += piece
    metric, *fields = parts
    if not metric or ":" in metric or not fields or not all(":" in field for field in fields):
        raise UsageError(f"{text!r} is not a signature: give the whole line that stands below a table of scores")
    told = dict(field.split(":", 1) for field in fields)
    if VERSION not in told:
        raise UsageError(f"{text!r} is not a signature of Farthing: it does not end in {VERSION}:VERSION")
    return metric, told


def told_spec(metric: str, told: Mapping[str, str]) -> Spec:
    """Return the spec that a signature's fields stand for: the options in which they differ from the defaults."""
    known = metric_options(metric)
    named = METRICS.get(metric).options_told(told)
    options = {name: value for name, value in named.items() if value != known[name].default}
    for name, option in known.items():
        if name in told and name not in named and (value := _value(option, told[name])) is not None:
            options[name] = value
    return Spec(metric, options)


def _value(option: Option, text: str) -> Value:
    """The value of an option, given what the signature says; None for the default and for what is no value of it."""
    read: Value = parse_spec(f"x(y={_quoted(text)})").options["y"]
    if _DIGEST.fullmatch(text):
        read = True  # the digest of what was counted or read; the option was switched on
    if option.default is not ... and format_value(option.default) == format_value(read):
        return None
    try:
        return checked_options("x", {option.name: read}, {option.name: option})[option.name]
    except FarthingError:
        return None


def _quoted(text: str) -> str:
    bare = re.fullmatch(r"[^\s,()\[\]\"'=]+", text) or text.startswith(('"', "["))
    return text if bare else format_value(text)


def _here(metric: Metric | SetMetric, probe: int) -> dict[str, str]:
    """The metric's own fields on one of two small inputs."""
    texts = [f"The {word} that we saw on day {day} was near the old {_WORDS[day + probe]}."
             for day in range(7) for word in _WORDS]  # fmt: skip
    if isinstance(metric, SetMetric):
        signature = metric.score_sets(Sets(texts, texts[::-1])).signature
    else:
        rows = texts[: 2 + probe]
        signature = metric.score(Pairs(rows, [[text] * (1 + probe) for text in rows], rows)).signature
    return _printed(signature)


def _printed(signature: Signature) -> dict[str, str]:
    metric, fields = read_signature(str(signature))
    return {"metric": metric, **fields}
