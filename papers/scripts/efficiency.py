"""Measure quality and CPU time of metrics over several encoders, and draw them.

    python papers/scripts/efficiency.py wmt16.jsonl.gz --model MODEL --model OTHER --metric bertscore [--plot plot.png]

Three tables: correlation with people, CPU milliseconds per segment, and each encoder relative to the first one.
"""

from __future__ import annotations

import argparse
import csv
import sys

import numpy as np

from measured import agreement, loaded, rows_into_english, short, timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data")
    parser.add_argument("--model", action="append", required=True)
    parser.add_argument("--metric", action="append", required=True)
    parser.add_argument("--rows", type=int, default=560)
    parser.add_argument("--source", action="store_true", help="the metrics read sources of another language")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--plot")
    options = parser.parse_args()
    data = rows_into_english(options.data, options.rows)
    quality, runtime = (np.zeros((len(options.model), len(options.metric))) for _ in range(2))
    for row, model in enumerate(options.model):
        for column, name in enumerate(options.metric):
            scores, seconds = timed(loaded(name, model, options.device), data.texts)
            quality[row, column] = agreement(data, scores)
            runtime[row, column] = 1000 * seconds / len(data)
    models = [short(model) for model in options.model]
    print_table("correlation", options.metric, models, quality)
    print()
    print_table("ms per segment", options.metric, models, runtime)
    relative = np.stack([(quality / quality[0]).mean(axis=1), (runtime[0] / runtime).mean(axis=1)], axis=1)
    print()
    print_table("relative to the first", ["quality", "times faster"], models, relative)
    if options.plot:
        draw(options.plot, options.metric, models, quality, runtime)


def print_table(corner: str, columns: list[str], names: list[str], values: np.ndarray) -> None:
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow([corner, *columns])
    table.writerows([name, *row] for name, row in zip(names, values.tolist(), strict=True))


def draw(path: str, metrics: list[str], models: list[str], quality: np.ndarray, runtime: np.ndarray) -> None:
    """Draw one point per metric and encoder; each encoder is named above its highest point."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axis = figure.subplots()
    for column, name in enumerate(metrics):
        axis.scatter(runtime[:, column], quality[:, column], label=name)
    for row, model in enumerate(models):
        best = int(quality[row].argmax())
        place = runtime[row, best], quality[row, best]
        axis.annotate(model, place, xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8)
    axis.margins(0.2, 0.12)
    axis.set(xscale="log", xlabel="CPU milliseconds per segment", ylabel="Pearson's r with human scores")
    axis.legend(loc="lower right")
    figure.savefig(path)


if __name__ == "__main__":
    main()
