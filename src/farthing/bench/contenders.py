"""Who is measured: metrics, each over every encoder if it names none, on every data set, and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from farthing.bench.data import BenchData
from farthing.bench.peers import Peer
from farthing.core.errors import UsageError
from farthing.core.metric import SetMetric
from farthing.core.options import checked_options
from farthing.core.registry import METRICS, metric_options
from farthing.core.specs import Spec, parse_specs
from farthing.encoders.load import name_of


@dataclass(frozen=True, slots=True)
class Contender:
    """A metric or a command on one data set.

    :param label: what tables and pictures call it: its spec, with the last part of a path for a model
    """

    label: str
    what: Spec | Peer
    data: BenchData


def expanded(text: str, encoders: Sequence[str] = ()) -> list[Spec]:
    """Read metrics and give every one over an encoder that names none each of the encoders."""
    specs = parse_specs(text)
    takes = [METRICS.get(spec.name).takes_encoder and "model" not in spec.options for spec in specs]
    if encoders and not any(takes):
        raise UsageError(
            f"--encoders {','.join(encoders)} has nothing to do: every metric names its model, or needs none"
        )
    for spec in specs:
        _check(spec)
    return [
        one
        for spec, takes_one in zip(specs, takes, strict=True)
        for one in ([spec.with_options({"model": name}) for name in encoders] if takes_one and encoders else [spec])
    ]


def _check(spec: Spec) -> None:
    """Refuse a metric that cannot be measured before anything else is."""
    if issubclass(METRICS.get(spec.name), SetMetric):
        raise UsageError(f"{spec.name} judges a set, not pairs: it has no time per segment")
    checked_options(spec.name, spec.options, metric_options(spec.name))


def contenders(specs: Sequence[Spec], peers: Sequence[Peer], data: Sequence[BenchData]) -> list[Contender]:
    """Return every metric and every command on every data set; no two may have the same label."""
    whats: list[tuple[str, Spec | Peer]] = [(short_label(spec), spec) for spec in specs]
    whats += [(peer.name, peer) for peer in peers]
    if not whats:
        raise UsageError("there is nothing to measure: name metrics with -m, or a program with --command")
    several = len(data) > 1
    found = [
        Contender(f"{label} on {texts.name}" if several else label, what, texts)
        for texts in data
        for label, what in whats
    ]
    labels = [one.label for one in found]
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise UsageError(f"{twice} is asked for twice")
    return found


def short_label(spec: Spec) -> str:
    """Return a spec in which a model is named by the last part of its path.

    >>> short_label(Spec("bertscore", {"layer": 5}))
    'bertscore(layer=5)'
    """
    model = spec.options.get("model")
    return str(spec if model is None else Spec(spec.name, {**spec.options, "model": name_of(str(model))}))
