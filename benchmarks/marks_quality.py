"""Do the words that a metric marks as wrong lie where experts marked an error? The area under the ROC curve, per word.

    python benchmarks/marks_quality.py SHARED "frugalscore(size=small)" --lp zh-en --split test

SHARED is the folder with the developers' data; its errors are those that experts marked in translations (MQM). A word
is wrong if it shares a character with a marked part. For major errors, words in minor ones count as right. The words
of all outputs are taken together; the interval is DeLong's. `--limit N` reads only N outputs, evenly spaced.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.explanation import Explanation
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.meta.roc import area_under_curve

QUESTIONS = {"all errors": ("minor", "major"), "major errors": ("major",)}


def read_rows(path: Path, pair: str, split: str, limit: int | None) -> list[dict[str, Any]]:
    """Return the outputs of one language pair and split."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["lp"] == pair and row["split"] == split]
    if not rows:
        raise SystemExit(f"{path} has no rows of {pair} in the split {split}")
    places = np.linspace(0, len(rows) - 1, min(limit or len(rows), len(rows))).round().astype(int)
    return [rows[place] for place in places]


def explained(spec: str, rows: Sequence[dict[str, Any]]) -> list[Explanation]:
    """Let a metric mark the words of every output."""
    metric = load_pairs_metric(spec)
    columns = ([row[name] for row in rows] for name in ("candidate", "reference", "source"))
    return metric.explain_pairs(metric.normalised_pairs(Pairs.of(*columns)))


def labels(found: Explanation, spans: Sequence[dict[str, Any]], severities: Sequence[str]) -> list[bool]:
    """Tell for each marked word whether it shares a character with an error of these severities."""
    wrong = [span for span in spans if span["severity"] in severities]
    return [any(span["start"] < mark["end"] and mark["start"] < span["end"] for span in wrong) for mark in found.errors]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--lp", default="zh-en")
    parser.add_argument("--split", default="test")
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    rows = read_rows(given.shared / "data" / "human" / "mqm_spans.jsonl.gz", given.lp, given.split, given.limit)
    print(f"{given.lp}, {given.split}: {len(rows)} outputs")
    for spec in given.metrics:
        found = explained(spec, rows)
        probabilities = [mark["probability"] for one in found for mark in one.errors]
        print(f"{spec}{'' if found[0].learned else ' (not learned)'}")
        for name, severities in QUESTIONS.items():
            marks = zip(found, rows, strict=True)
            wanted = [label for one, row in marks for label in labels(one, row["spans"], severities)]
            area = area_under_curve(wanted, probabilities)
            interval = f"[{area.low:.4f}, {area.high:.4f}]"
            print(f"  {name:12}  AUC {area.value:.4f} {interval}, {area.positives} of {len(wanted)} words are wrong")


if __name__ == "__main__":
    main()
