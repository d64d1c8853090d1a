"""Measure what early exit saves and costs: layers used, CPU time saved, correlation with people.

python benchmarks/transport_early_exit.py --model minilm-l6 --rows 150
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from farthing.core.registry import load
from farthing.encoders.backends.early_exit import EarlyExitEncoder
from transport_data import dev_model, judged, pearson


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="minilm-l6")
    parser.add_argument("--pair", default="de-en")
    parser.add_argument("--rows", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--thresholds", type=float, nargs="+", default=[0.0, 0.05, 0.1, 0.15, 0.2, 0.3])
    options = parser.parse_args()
    pairs, human = judged("wmt16_da_seg", most=options.rows)[options.pair]
    metrics = [load(f"bertscore(model={dev_model(options.model)}, early_exit={t})") for t in options.thresholds]
    seconds: list[list[float]] = [[] for _ in metrics]
    scores = [metric.score(pairs) for metric in metrics]
    for _ in range(options.rounds):
        for metric, found in zip(metrics, seconds, strict=True):
            start = time.process_time()
            metric.score(pairs)
            found.append(time.process_time() - start)
    heads = ["threshold", "layers per text, fewest to most", "saved, as reported", "saved, measured", "Pearson"]
    print(f"| {' | '.join(heads)} |\n" + "|---" * len(heads) + "|")
    whole = float(np.median(seconds[0]))
    for threshold, metric, one, found in zip(options.thresholds, metrics, scores, seconds, strict=True):
        encoder = metric.engine.encoder
        assert isinstance(encoder, EarlyExitEncoder)
        report = encoder.report()
        used = f"{report.layers.mean():.2f} of {report.depth}, {report.layers.min()} to {report.layers.max()}"
        saved = 1 - float(np.median(found)) / whole
        print(f"| {threshold:g} | {used} | {report.share:.0%} | {saved:.0%} | {pearson(one.segments, human):.3f} |")


if __name__ == "__main__":
    main()
