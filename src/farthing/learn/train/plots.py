"""Pictures of a training run and of an ablation; they need matplotlib, and are left out where it is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.files.write import replacing

if TYPE_CHECKING:
    from farthing.learn.train.training import History

BLUE, ORANGE, GREY = "#3465a4", "#c4620b", "#777777"


def plot_history(history: History, path: Path) -> bool:
    """Loss and agreement with the teacher over the steps; False where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(
        [one["step"] for one in history.steps],
        [one["loss"] for one in history.steps],
        color=GREY,
        lw=1,
        label="training loss",
    )
    axes.set(xlabel="step", ylabel="mean squared error", yscale="log")
    if history.checks:
        steps = [one["step"] for one in history.checks]
        axes.plot(steps, [one["loss"] for one in history.checks], "o-", color=ORANGE, ms=3, label="held-out loss")
        other = axes.twinx()
        other.plot(steps, [one["pearson"] for one in history.checks], "s-", color=BLUE, ms=3, label="held-out Pearson")
        other.set_ylabel("Pearson with the target", color=BLUE)
        other.spines["top"].set_visible(False)
    axes.spines["top"].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    with replacing(path) as stream:
        figure.savefig(stream, format="png", dpi=130)
    return True


def plot_ablation(changes: Mapping[str, float], path: Path) -> bool:
    """One bar a left-out source: the change of the correlation in percent; False where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(6, 0.5 * len(changes) + 1.2), layout="constrained")
    axes = figure.subplots()
    names, values = list(changes), list(changes.values())
    bars = axes.barh(names, values, color=[BLUE if value >= 0 else ORANGE for value in values])
    axes.bar_label(bars, labels=[f"{value:+.1f} %" for value in values], padding=3)
    axes.axvline(0, color="black", lw=0.8)
    axes.margins(x=0.18)
    axes.set(xlabel="change of Pearson without this source, in percent")
    axes.spines[["top", "right"]].set_visible(False)
    with replacing(path) as stream:
        figure.savefig(stream, format="png", dpi=130)
    return True
