"""Draw three cases that Mark-Evaluate's scores cannot tell apart: docs/images/markevaluate-defects.png.

    python benchmarks/markevaluate_defects.py docs/images/markevaluate-defects.png

Left: a generated set that collapses onto a single point of the corpus. Middle: CAPTURE of identical sets, by their
size. Right: the scores of two disjoint sets, by k.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from farthing.core.types import Sets
from farthing.metrics.sets.base import score_set_systems
from farthing.metrics.sets.impar import Impar
from farthing.metrics.sets.markevaluate import SCORES, MarkEvaluate
from farthing.metrics.sets.populations import Census
from farthing.report.figure import new_figure, save_figure

STYLES = dict(zip([*SCORES, "impar recall"], "os^Dv", strict=True))


def collapsed(axis: Any) -> None:
    random = np.random.default_rng(0)
    corpus, fresh = random.standard_normal((2, 1000, 16))
    widths = [1, 0.8, 0.6, 0.4, 0.2, 0.1, 0.01]
    systems = [Sets(corpus[0] + width * (fresh - corpus[0]), corpus) for width in widths]
    marks, impar = score_set_systems([MarkEvaluate(), Impar()], systems)
    found = [{**one.parts, "impar recall": two.parts["recall"]} for one, two in zip(marks, impar, strict=True)]
    print("collapse onto one point:", "width", *STYLES)
    for width, parts in zip(widths, found, strict=True):
        print(f"  {width:<5}", *(f"{parts[name]:.3f}" for name in STYLES))
    for name, style in STYLES.items():
        axis.plot(range(len(widths)), [parts[name] for parts in found], marker=style, label=name)
    axis.set_xticks(range(len(widths)), widths)
    axis.set(title="collapse onto one point", xlabel="width of the generated set", ylim=(-0.03, 1.03))


def identical(axis: Any) -> None:
    sizes = [10, 20, 50, 100, 200, 500, 1000, 5000, 20000]
    print("CAPTURE of identical sets by size:", *sizes)
    for k in (1, 2, 3):
        scores = [Census(k, n, n, n, n, (k + 1) * n, (k + 1) * n).capture for n in sizes if n > k]
        print(f"  k = {k}:", *(f"{score:.4f}" for score in scores))
        axis.plot(sizes, scores, marker="o", label=f"k = {k}")
    axis.set(title="CAPTURE of identical sets", xlabel="samples in each set", xscale="log", ylim=(0.97, 1.001))


def disjoint(axis: Any) -> None:
    ks = list(range(1, 11))
    found = [Census(k, 1000, 1000, 0, 0, 0, 0) for k in ks]
    names = ["petersen", "schnabel_quality", "capture", "schnabel_quality_normalised"]
    print("disjoint sets by k:", *ks)
    for name, style in zip(names, "os^D", strict=True):
        scores = [getattr(census, name) for census in found]
        print(f"  {name}:", *(f"{score:.3f}" for score in scores))
        axis.plot(ks, scores, marker=style, label=name)
    axis.set(title="two sets with nothing in common", xlabel="k", ylim=(-0.03, 1.03))


def main() -> None:
    figure, axes = new_figure(1, 3, (12.5, 3.9))
    for axis, draw in zip(axes, (collapsed, identical, disjoint), strict=True):
        draw(axis)
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small")
    save_figure(figure, sys.argv[1])


if __name__ == "__main__":
    main()
