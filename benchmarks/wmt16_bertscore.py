"""Measure the segment-level Pearson of BERTScore on WMT16 to-English, each model at its best layer on WMT15.

    python benchmarks/wmt16_bertscore.py --shared ../shared MODEL [MODEL …]

The layer is chosen on WMT15's direct assessments (cs, de, fi, ru to English) and used on WMT16's (cs, de, fi, ro,
ru, tr to English): one row per model, one column per language pair, then the mean. `-o` writes the table as JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from farthing.encoders.load import name_of
from farthing.files.write import write_text
from farthing.meta.coefficients import pearson
from farthing.meta.judgements import Judgements
from farthing.meta.layers import tune_layer
from farthing.meta.read.formats import read_judgements
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.tables.grid import NumberTable, grid_text


def to_english(path: Path) -> Judgements:
    """Return the judgements of translations into English."""
    found = read_judgements(str(path))
    return found.only([group for group in found.group_names if group.endswith("-en")])


def correlations(metric: BertScore, data: Judgements) -> dict[str, float]:
    """Return Pearson's r of each language pair."""
    segments, human, groups = metric.score(data.texts).segments, data.judged(), np.array(data.groups)
    assert segments is not None
    rows = {group: groups == group for group in data.group_names}
    return {group: float(pearson(human[None, row], segments[None, row])[0]) for group, row in rows.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    human = options.shared / "data" / "human"
    wmt15, wmt16 = to_english(human / "wmt15_da_seg.jsonl.gz"), to_english(human / "wmt16_da_seg.jsonl.gz")
    rows = []
    for model in options.models:
        layer = tune_layer(BertScore(model=model, layer="all"), wmt15).best
        found = correlations(BertScore(model=model, layer=layer), wmt16)
        rows.append((f"{name_of(model)} layer {layer}", [*found.values(), float(np.mean(list(found.values())))]))
        print(rows[-1], flush=True)
    table = NumberTable("model", [*wmt16.group_names, "mean"], rows)
    print(grid_text(table))
    if options.output:
        write_text(options.output, json.dumps({"columns": list(table.columns), "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
