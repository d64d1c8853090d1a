"""Correlate every metric over an encoder with human judgements, and with the length of the text.

    python benchmarks/transport_wmt.py --data wmt15_da_seg wmt16_da_seg --models minilm-l6 e5-small

Segment Pearson, averaged over the to-English language pairs; the sign of distances is reversed. `length` is the
correlation of the score with the candidate's number of words. All metrics share one encoding pass.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np

from farthing.core.registry import load
from farthing.core.types import Pairs
from farthing.scoring.engine import score_stretches
from transport_data import dev_model, judged, lengths, pearson

ROWS = {
    "BERTScore": "bertscore(model={model})",
    "BERTScore, idf": "bertscore(model={model}, idf=true)",
    "MoverScore v2, WMD": "moverscore(model={model})",
    "MoverScore v2, RWMD": "moverscore(model={model}, distance=rwmd)",
    "MoverScore v2, WCD": "moverscore(model={model}, distance=wcd)",
    "MoverScore v2, WMD, bigrams": "moverscore(model={model}, ngram=2)",
    "MoverScore v2, WMD, no idf": "moverscore(model={model}, idf=false)",
    "MoverScore v1, WMD": "moverscore(model={model}, variant=v1)",
    "MoverScore v1, RWMD": "moverscore(model={model}, variant=v1, distance=rwmd)",
    "MoverScore v1, WCD": "moverscore(model={model}, variant=v1, distance=wcd)",
    "MoverScore v1, WMD, bigrams": "moverscore(model={model}, variant=v1, ngram=2)",
    "EffEval's MoverScore, WMD": "moverscore(model={model}, compat=effeval)",
    "EffEval's MoverScore, RWMD as coded": "moverscore(model={model}, distance=rwmd, compat=effeval)",
    "EffEval's MoverScore, WCD as coded": "moverscore(model={model}, distance=wcd, compat=effeval)",
    "BaryScore, Wasserstein": "baryscore(model={model})",
    "BaryScore, Sinkhorn": "baryscore(model={model}, form=sinkhorn, regularisation=1)",
    "BaryScore, as published": "baryscore(model={model}, compat=baryscore)",
    "XMoverScore, the reference as source": "xmoverscore(model={model}, monolingual=true)",
    "SentSim, the reference as source": "sentsim(model={model}, monolingual=true)",
    "SentSim, WMD, the reference as source": "sentsim(model={model}, words=wmd, monolingual=true)",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=["wmt15_da_seg", "wmt16_da_seg"])
    parser.add_argument("--models", nargs="+", default=["minilm-l6", "e5-small"])
    parser.add_argument("--most", type=int, help="most rows of a language pair")
    options = parser.parse_args()
    runs = [(model, data) for model in options.models for data in options.data]
    found = {run: correlations(*run, options.most) for run in runs}
    heads = [f"{model} {data.split('_')[0]}" for model, data in runs]
    print("| metric |" + "".join(f" {head} | length |" for head in heads))
    print("|---|" + "---|---|" * len(runs))
    for name in ROWS:
        cells = "".join(f" {quality:.3f} | {size:+.2f} |" for quality, size in (found[run][name] for run in runs))
        print(f"| {name} |{cells}")


def correlations(model: str, data: str, most: int | None) -> dict[str, tuple[float, float]]:
    """Return for each metric its correlations with people and with length, averaged over language pairs."""
    metrics = {name: load(spec.format(model=dev_model(model))) for name, spec in ROWS.items()}
    gathered: dict[str, list[tuple[float, float]]] = {name: [] for name in ROWS}
    for pair, (pairs, human) in judged(data, most=most).items():
        start = time.perf_counter()
        mirrored = Pairs(pairs.candidates, pairs.references, [row[0] for row in pairs.references], None, pair)
        scores = score_stretches(list(metrics.values()), lambda mirrored=mirrored: iter([[mirrored]]))
        for name, metric, [one] in zip(ROWS, metrics.values(), scores, strict=True):
            segments = one.segments if metric.info.higher_is_better else -one.segments
            gathered[name].append((pearson(segments, human), pearson(segments, lengths(pairs))))
        print(f"{model} {data} {pair}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return {name: tuple(np.mean(values, axis=0)) for name, values in gathered.items()}


if __name__ == "__main__":
    main()
