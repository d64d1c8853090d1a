"""What the offered metrics are, and which form asks for their options."""

from __future__ import annotations

from types import EllipsisType
from typing import Literal, TypedDict

from farthing.core.alignment import Aligns
from farthing.core.errors import MissingExtra
from farthing.core.options import Option
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import Value
from farthing.service.allowed import ALLOWED, NORMALISE, AllowedMetrics, Between, OptionValues


class OptionForm(TypedDict):
    """One option: the values that it may have, or the numbers between which it may be."""

    name: str
    help: str
    default: Value
    choices: list[Value] | None
    low: float | None
    high: float | None


class MetricForm(TypedDict):
    """One metric: what it is, what it needs, and its options."""

    name: str
    summary: str
    paper: str
    range: list[float | None]
    higher_is_better: bool
    needs: list[str]
    or_source: bool
    level: Literal["segment", "set"]
    aligns: bool
    options: list[OptionForm]


def metric_forms(allowed: AllowedMetrics) -> list[MetricForm]:
    """Describe every offered metric that this installation can run, by the metric's own words."""
    return [form for name in allowed.entries if (form := _form(name, allowed))]


def _form(name: str, allowed: AllowedMetrics) -> MetricForm | None:
    try:
        kind = METRICS.get(name)
    except MissingExtra:
        return None
    about, entry, known = kind.about, allowed.entries[name], metric_options(name)
    options: dict[str, OptionValues] = {**entry.options, "normalise": NORMALISE, **_sizes(name)}
    return {
        "name": name,
        "summary": about.summary,
        "paper": about.paper,
        "range": list(about.range),
        "higher_is_better": about.higher_is_better,
        "needs": sorted(about.needs),
        "or_source": about.or_source,
        "level": about.level,
        "aligns": issubclass(kind, Aligns),
        "options": [
            _option(known[option], values, entry.fixed.get(option, known[option].default))
            for option, values in options.items()
        ],
    }


def _sizes(name: str) -> dict[str, OptionValues]:
    """Return the students of this installation, if a metric has any."""
    if name != "frugalscore":
        return {}
    from farthing.metrics.frugalscore import own_folder

    sizes = ALLOWED[name].options["size"]
    return (
        {"size": tuple(one for one in sizes if one is None or own_folder(str(one)))} if isinstance(sizes, tuple) else {}
    )


def _option(option: Option, values: OptionValues, default: Value | EllipsisType) -> OptionForm:
    bounds = values if isinstance(values, Between) else None
    return {
        "name": option.name,
        "help": option.help,
        "default": None if default is ... else default,
        "choices": None if isinstance(values, Between) else list(values),
        "low": None if bounds is None else bounds.low,
        "high": None if bounds is None else bounds.high,
    }
