"""What happened in a training run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict


class HistoryFacts(TypedDict):
    """A history as JSON holds it."""

    steps: list[dict[str, float]]
    checks: list[dict[str, float]]


@dataclass(slots=True)
class History:
    """The training loss by step, and the figures of every check.

    :param seconds: how long the training took, interruptions not counted
    :param is_main: False in all but the first of several processes
    """

    steps: list[dict[str, float]] = field(default_factory=list)
    checks: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    is_main: bool = True

    @property
    def last(self) -> dict[str, float]:
        """The last check."""
        return self.checks[-1] if self.checks else {}

    def facts(self) -> HistoryFacts:
        """What a file tells of it."""
        return {"steps": self.steps, "checks": self.checks}


def check_line(step: int, steps: int, figures: Mapping[str, float], seconds: float) -> str:
    """Say how far a run is, how well it does and how long it will take.

    >>> check_line(10, 40, {"loss": 0.25, "pearson": 0.5, "WMT15": 0.3}, 150)
    'step 10/40: held-out loss 0.25000, Pearson 0.5000, WMT15 0.3000; about 2 min left'
    """
    return f"step {step}/{steps}: {', '.join(_shown(figures))}; about {seconds / 60:.0f} min left"


def loss_line(step: int, steps: int, losses: Sequence[Mapping[str, float]], seconds: float) -> str:
    """The same for a run without held-out data."""
    return f"step {step}/{steps}: training loss {losses[-1]['loss']:.4f}; about {seconds / 60:.0f} min left"


_FORMATS = {"loss": "held-out loss {:.5f}", "pearson": "Pearson {:.4f}", "spearman": "Spearman {:.4f}"}


def _shown(figures: Mapping[str, float]) -> list[str]:
    return [_FORMATS.get(name, f"{name} {{:.4f}}").format(value) for name, value in figures.items()]
