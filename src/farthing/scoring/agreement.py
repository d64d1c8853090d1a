"""What a difference of this size has meant: how often people preferred the same system.

The table beside this file counts pairs of translation systems whose scores differ by so much, and on how many of them
people agree. benchmarks/agreement_table.py makes it from the human judgements of WMT18, WMT20 and WMT21.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from farthing.core.registry import METRICS, metric_options
from farthing.core.signature import Signature
from farthing.core.specs import Spec, parse_spec

_NEUTRAL = ("threads",)  # options that change no score


class _Counts(TypedDict):
    """Classes of differences: n edges part n + 1 classes."""

    edges: list[float]
    pairs: list[int]
    agreed: list[int]


@dataclass(frozen=True, slots=True)
class HumanAgreement:
    """Pairs of systems that differ by at least `low` and less than `high` (None: no limit), and people's verdict."""

    low: float
    high: float | None
    pairs: int
    agreed: int

    @property
    def share(self) -> float:
        """The share of pairs in which people preferred the same system."""
        return self.agreed / self.pairs

    def __str__(self) -> str:
        return f"{100 * self.share:.0f} % of {self.pairs} pairs"


def human_agreement(spec: str, difference: float) -> HumanAgreement | None:
    """Look up a difference; None for a metric, or options of it, that were not measured.

    :param spec: a metric that chooses by the texts is looked up as what it chose (:func:`spec_told`)
    """
    if parse_spec(spec).name not in METRICS.builtin or (counts := _table().get(_plain(spec))) is None:
        return None
    place = bisect_right(counts["edges"], abs(difference))
    edges = [0.0, *counts["edges"], None]
    return HumanAgreement(edges[place] or 0.0, edges[place + 1], counts["pairs"][place], counts["agreed"][place])


def spec_told(spec: str, signature: Signature) -> str:
    """Return a spec with what its metric chose by the texts, as the signature of the scores says.

    >>> spec_told("frugalscore", Signature("frugalscore", {"model": "nano"}))
    'frugalscore(size=nano)'
    """
    given = parse_spec(spec)
    if given.name not in METRICS.builtin:
        return spec
    known = metric_options(given.name)
    told = METRICS.get(given.name).options_told({name: str(value) for name, value in signature.fields.items()})
    chosen = {name: value for name, value in told.items() if value is not None and known[name].default is None}
    return str(Spec(given.name, {**chosen, **given.options}))


def _plain(spec: str) -> str:
    """Return a spec without the options that have their default values or change no score."""
    given = parse_spec(spec)
    defaults = {option.name: option.default for option in metric_options(given.name).values()}
    options = {
        name: value
        for name, value in given.options.items()
        if name not in _NEUTRAL and (name not in defaults or defaults[name] != value)
    }
    return str(Spec(given.name, options))


@lru_cache(maxsize=1)
def _table() -> dict[str, _Counts]:
    found: dict[str, _Counts] = json.loads(Path(__file__).with_name("agreement.json").read_text(encoding="utf-8"))
    return found
