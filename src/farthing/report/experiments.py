"""Experiments on diversity as tables and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from farthing.report.figure import new_figure, save_figure
from farthing.tables.grid import NumberTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from farthing.meta.diversity import Experiment
    from farthing.meta.repeated import RepeatedExperiment

TITLES = {"collapse": "mode collapse", "swap": "word swap", "neighbours": "choice of k"}
_RULE = (
    "A score stays if it moves by less than 0.02, or by less than a quarter of what its partner moves by; "
    "fid's change is relative to its first value, and minus is worse."
)
_PANELS = ("quality", "diversity", "whole")


def experiment_table(found: Experiment) -> NumberTable:
    """Return one row per score and one column per step; the notes say what each score did."""
    return NumberTable(
        f"{TITLES[found.name]}, {found.axis}:",
        [f"{step:g}" for step in found.steps],
        [(curve.name, curve.values) for curve in found.curves],
        notes=[
            "",
            *(curve.verdict for curve in found.curves),
            f"{found.generated} generated and {found.corpus} corpus samples. {_RULE}",
            "",
        ],
    )


def repeated_table(found: RepeatedExperiment) -> NumberTable:
    """Return one row per score: its means, its mean change with an interval, and how often it did as it should."""
    from farthing.meta.diversity import SHOULD

    first, changes = found.runs[0], found.changes()
    columns = [f"{step:g}" for step in first.steps]
    return NumberTable(
        f"{TITLES[first.name]}, {first.axis}:",
        [*columns, "change", "from", "to", f"right in {len(found.runs)}"],
        [
            (f"{one.name}, should {SHOULD[one.expected]}", [*one.values, one.mean, *one.interval, one.right])
            for one in changes
        ],
        notes=[
            "",
            f"Means over {len(found.runs)} seeds, the 95 % interval of the mean change, and how often it was right.",
            f"{first.generated} generated and {first.corpus} corpus samples. {_RULE}",
            "",
        ],
        places=[*[3] * (len(columns) + 3), 0],
    )


def draw_experiment(path: str | Path, found: Experiment) -> None:
    """Draw three panels: quality, diversity, and scores that measure both; FID has a scale of its own."""
    figure, axes = new_figure(1, 3, (12.5, 3.9))
    for axis, role in zip(axes, _PANELS, strict=True):
        _panel(axis, role, found)
    figure.suptitle(TITLES[found.name])
    save_figure(figure, path)


def _panel(axis: Axes, role: str, found: Experiment) -> None:
    places = range(len(found.steps))
    curves = [curve for curve in found.curves if curve.role == role]
    lines = []
    for place, curve in enumerate(curves):
        on = axis.twinx() if curve.name == "fid" else axis
        lines += on.plot(places, curve.values, marker="os^D"[place % 4], color=f"C{place}", label=curve.name)
        if curve.name == "fid":
            on.set_ylabel("fid (lower is better)", color=f"C{place}")
            on.set_ylim(bottom=0)
    expected = {curve.expected for curve in curves}
    axis.set(title=f"{role}: {' / '.join(sorted(expected))} if the metric works", ylim=(-0.03, 1.03))
    axis.set_xticks(list(places), [f"{step:g}" for step in found.steps])
    axis.set_xlabel(found.axis)
    axis.grid(alpha=0.3)
    axis.legend(
        handles=lines, fontsize="small", loc="center left" if role == "whole" else "lower left"
    )  # FID rises below
