"""Compare greedy matching with transport of unigrams and bigrams, with each of MoverScore's refinements.

    python benchmarks/transport_ablation.py --model minilm-l6 --data wmt16_da_seg

The switches are those of the BERTScore paper's Table 9: IDF-S counts the language pair's references, IDF-L a larger
corpus (here the references of all pairs), SEP counts the candidates separately, RM leaves out punctuation and all but
the first token of a word, PMEANS joins the last five layers. (MNLI, which is another model, is left out.) The numbers
are segment Pearson correlations.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from farthing.core.registry import load
from farthing.scoring.engine import score_stretches
from transport_data import dev_model, judged, pearson

SWITCHES = {
    "vanilla": {},
    "IDF-S": {"idf": "true"},
    "IDF-L": {"idf": "{corpus}"},
    "IDF-L + SEP": {"idf": "{corpus}", "candidate_idf": "true"},
    "IDF-L + SEP + RM": {"idf": "{corpus}", "candidate_idf": "true", "drop": True},
    "IDF-L + SEP + PMEANS": {"idf": "{corpus}", "candidate_idf": "true", "power_means": "5"},
    "IDF-L + SEP + PMEANS + RM": {"idf": "{corpus}", "candidate_idf": "true", "power_means": "5", "drop": True},
}


def specs(model: str, layer: int, corpus: str, switches: dict) -> dict[str, str]:
    """Return the specs of the three metrics with some switches."""
    given = {"idf": "false", "candidate_idf": "false", "power_means": "1", **switches}
    drop = str(bool(given.pop("drop", False))).lower()
    shared = ", ".join(f"{key}={value.format(corpus=corpus)}" for key, value in given.items())
    shared += f", model={model}, layer={layer}, drop_punctuation={drop}, drop_subwords={drop}"
    return {
        "WMD1": f"moverscore(variant=effeval, {shared})",
        "WMD2": f"moverscore(variant=effeval, ngram=2, {shared})",
        "F": f"bertscore({shared})",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="minilm-l6")
    parser.add_argument("--layer", type=int, help="the layer; by default the last")
    parser.add_argument("--data", default="wmt16_da_seg")
    parser.add_argument("--most", type=int, help="most rows of a language pair")
    options = parser.parse_args()
    folder, data = dev_model(options.model), judged(options.data, most=options.most)
    layer = options.layer or load(f"moverscore(model={folder})").layers[-1]
    with tempfile.TemporaryDirectory() as place:
        corpus = Path(place) / "references.txt"
        corpus.write_text("\n".join(row[0] for pairs, _ in data.values() for row in pairs.references), encoding="utf-8")
        rows = {
            (switch, name): load(spec)
            for switch, chosen in SWITCHES.items()
            for name, spec in specs(folder, layer, str(corpus), chosen).items()
        }
        found: dict[tuple[str, str], list[float]] = {row: [] for row in rows}
        for pair, (pairs, human) in data.items():
            for row, [scores] in zip(
                rows, score_stretches(list(rows.values()), lambda p=pairs: iter([[p]])), strict=True
            ):
                found[row].append(pearson(scores.segments, human))
            print(pair, file=sys.stderr)
    print(
        "| switches | metric |" + "".join(f" {pair} |" for pair in data) + " mean |\n" + "|---" * (len(data) + 3) + "|"
    )
    for (switch, name), values in found.items():
        print(f"| {switch} | {name} |" + "".join(f" {value:.3f} |" for value in values) + f" {np.mean(values):.3f} |")


if __name__ == "__main__":
    main()
