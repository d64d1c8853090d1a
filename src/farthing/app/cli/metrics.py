"""`farthing metrics`: which metrics are there, and which options do they have?"""

from __future__ import annotations

from typing import Annotated

from farthing.app.cli import typed
from farthing.core.errors import MissingExtra
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import format_value, spelled


def metrics(
    name: Annotated[str | None, typed.Argument(help="The name of a metric.", completes="metric")] = None,
) -> str:
    """List the metrics, or show one with its options.

    Examples:
      farthing metrics
      farthing metrics bertscore
    """
    return _describe(name) if name else _listing()


def _listing() -> str:
    lines = []
    for name in METRICS.names():
        try:
            info = METRICS.get(name).about
            lines.append(f"{name:<14} {info.arrow} {info.summary}")
        except MissingExtra as error:
            lines.append(f"{name:<14}   {error}")
    return "\n".join([*lines, "", "farthing metrics NAME shows a metric's options."])


def _describe(name: str) -> str:
    info = METRICS.get(spelled(name).name).about
    low, high = ("−∞" if info.range[0] is None else info.range[0], "∞" if info.range[1] is None else info.range[1])
    lines = [
        f"{info.name}: {info.summary}",
        f"  range   {low} to {high}, {'higher' if info.higher_is_better else 'lower'} is better",
        f"  needs   {', '.join(['candidate', *sorted(info.needs)])}{' or source' if info.or_source else ''}",
        f"  paper   {info.paper}",
        "  options",
    ]
    for option in metric_options(name).values():
        default = "required" if option.default is ... else f"default {format_value(option.default)}"
        lines.append(f"    {option.name:<18} {option.type_name}; {default}. {option.help}")
    return "\n".join(lines)
