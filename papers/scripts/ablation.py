"""Compare greedy matching (F) with transport of unigrams and bigrams (WMD1, WMD2), switch by switch.

    python papers/scripts/ablation.py wmt16_da_seg.jsonl.gz --model MODEL --layer 6 --rows 560

IDF-S counts the references of a language pair, IDF-L those of all pairs, SEP counts candidates separately, RM leaves
out punctuation and all but the first token of a word, PMEANS joins the last layers. The numbers are Pearson
correlations of segments, averaged over the pairs into English.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

import farthing
from farthing.meta import Judgements
from measured import agreement, loaded, rows_into_english, timed

SWITCHES: dict[str, dict[str, object]] = {
    "vanilla": {},
    "IDF-S": {"idf": True},
    "IDF-L": {"idf": "large"},
    "IDF-L + SEP": {"idf": "large", "candidate_idf": True},
    "IDF-L + SEP + RM": {"idf": "large", "candidate_idf": True, "drop_punctuation": True, "drop_subwords": True},
    "IDF-L + SEP + PMEANS": {"idf": "large", "candidate_idf": True, "power_means": 2},
}
PLAIN: dict[str, object] = {
    "idf": False, "candidate_idf": False, "power_means": 1, "drop_punctuation": False, "drop_subwords": False,
}  # fmt: skip
METRICS: dict[str, tuple[str, dict[str, object]]] = {
    "WMD1": ("moverscore", {"variant": "effeval"}),
    "WMD2": ("moverscore", {"variant": "effeval", "ngram": 2}),
    "F": ("bertscore", {}),
}


def agreement_of(data: Judgements, metric: farthing.Metric) -> float:
    """Score every language pair by itself, since idf counts its texts, and return the mean over them."""
    scores = np.zeros(len(data))
    for grid in data.grids():
        rows = grid.rows[grid.rows >= 0].tolist()
        scores[rows] = timed(metric, data.taking(rows).texts)[0]
    return agreement(data, scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data")
    parser.add_argument("--model", required=True)
    parser.add_argument("--layer", type=int, required=True)
    parser.add_argument("--rows", type=int, default=560)
    options = parser.parse_args()
    data = rows_into_english(options.data, options.rows)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["switches", *METRICS])
    with tempfile.TemporaryDirectory() as place:
        corpus = Path(place) / "references.txt"
        corpus.write_text("\n".join(text for row in data.texts.references for text in row), encoding="utf-8")
        for name, switches in SWITCHES.items():
            given = {**PLAIN, **switches, "layer": options.layer, "cache": f"{place}/vectors"}
            given["idf"] = str(corpus) if given["idf"] == "large" else given["idf"]
            metrics = [loaded(metric, options.model, "cpu", **given, **own) for metric, own in METRICS.values()]
            table.writerow([name, *(agreement_of(data, one) for one in metrics)])


if __name__ == "__main__":
    main()
