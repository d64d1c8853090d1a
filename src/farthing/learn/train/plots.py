"""Pictures of a training run and of an ablation; without matplotlib they are left out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from farthing.files.write import replacing
from farthing.learn.train.history import History

BLUE, ORANGE, GREY = "#3465a4", "#c4620b", "#777777"
_NO_CORRELATION = ("step", "epoch", "loss", "spearman")


def plot_history(history: History, path: Path) -> bool:
    """Draw the loss and the correlation with the targets over the steps; return False without matplotlib."""
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
        if "loss" in history.last:
            axes.plot(steps, [one["loss"] for one in history.checks], "o-", color=ORANGE, ms=3, label="held-out loss")
        other = axes.twinx()
        for name in [name for name in history.last if name not in _NO_CORRELATION]:
            label = "held-out Pearson" if name == "pearson" else name
            color = BLUE if name == "pearson" else None
            other.plot(steps, [one[name] for one in history.checks], "s-", color=color, ms=3, label=label)
        other.set_ylabel("Pearson with the target", color=BLUE)
        other.spines["top"].set_visible(False)
    axes.spines["top"].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    with replacing(path) as stream:
        figure.savefig(stream, format="png", dpi=130)
    return True


def plot_ablation(changes: Mapping[str, float], path: Path) -> bool:
    """Draw one bar per source that was left out, the change of the correlation; return False without matplotlib."""
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
