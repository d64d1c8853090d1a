"""Measure whether set metrics rank translation systems as people do: Pearson's r over WMT18's to-English systems.

    python benchmarks/sets_wmt18.py systems.jsonl.gz human.tsv --model MODEL --sentences 1000 --words 100

Sentence vectors use evenly spaced segments of every test set. Contextual words (five samples per token, one for each of
the last layers) use fewer segments, since the number of samples grows with the words. All metrics use the same encoder.
--keep FOLDER keeps the results of finished language pairs, so that they are not computed again; --pairs selects some.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.registry import load
from farthing.core.specs import Spec
from farthing.core.types import Pairs, Sets
from farthing.metrics.sets.base import score_set_systems

# The metric and the part that measures quality, as the paper reports it.
COLUMNS = {
    "Schnabel": ("markevaluate", "schnabel_quality"),
    "Petersen": ("markevaluate", "petersen"),
    "CAPTURE": ("markevaluate", "capture"),
    "IMPAR": ("impar", "precision"),
    "PRD": ("prd", "precision"),
}


def test_sets(path: Path) -> Iterator[dict[str, Any]]:
    """Return one record per language pair, each system with its texts."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            record["systems"] = {name: found["output"] for name, found in record["systems"].items()}
            yield record


def human_scores(path: Path) -> dict[tuple[str, str], float]:
    with path.open(encoding="utf-8") as lines:
        return {(row["lp"], row["system"]): float(row["score"]) for row in csv.DictReader(lines, delimiter="\t")}


def some(texts: list[str], count: int) -> list[str]:
    """Return evenly spaced texts, the same segments for every system."""
    return [texts[place] for place in np.linspace(0, len(texts) - 1, min(count, len(texts))).astype(int)]


def set_scores(record: dict[str, Any], model: str, kind: str, count: int) -> dict[str, list[float]]:
    """Return the scores of one language pair's systems, by metric."""
    corpus = some(record["reference"], count)
    systems = [Sets(some(texts, count), corpus, name) for name, texts in record["systems"].items()]
    names = ("markevaluate", "impar", "prd")
    found = score_set_systems([load(Spec(name, {"model": model, "samples": kind})) for name in names], systems)
    by_name = dict(zip(names, found, strict=True))
    return {column: [float(scores.parts[part]) for scores in by_name[name]] for column, (name, part) in COLUMNS.items()}


def bert_scores(record: dict[str, Any], model: str, count: int) -> list[float]:
    metric = load(Spec("bertscore", {"model": model}))
    references = some(record["reference"], count)
    return [metric.score(Pairs.of(some(texts, count), references)).corpus for texts in record["systems"].values()]


def correlations(record: dict[str, Any], human: dict[tuple[str, str], float], options: Any) -> dict[str, float]:
    gold = [human[record["lp"], name] for name in record["systems"]]
    columns = {}
    for kind, count in (("word", options.words), ("sentence", options.sentences)):
        found = set_scores(record, options.model, kind, count)
        columns |= {f"{name} {kind}": scores for name, scores in found.items()}
    columns["BERTScore"] = bert_scores(record, options.model, options.sentences)
    # The correlation is undefined if all systems have the same score.
    return {
        name: float(np.corrcoef(scores, gold)[0, 1]) if np.std(scores) > 0 else math.nan
        for name, scores in columns.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", type=Path, help="one JSON object per language pair: lp, reference, systems")
    parser.add_argument("human", type=Path, help="tab-separated: lp, system, score")
    parser.add_argument("--model", required=True)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--pairs", help="language pairs, separated by commas; all by default")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the results of finished language pairs")
    options = parser.parse_args()
    human = human_scores(options.human)
    table: dict[str, dict[str, float]] = {}
    for record in test_sets(options.systems):
        if not options.pairs or record["lp"] in options.pairs.split(","):
            table[record["lp"]] = kept(record, human, options)
            print("#", record["lp"], len(record["systems"]), "systems done", flush=True)
    report(table)


def kept(record: dict[str, Any], human: dict[tuple[str, str], float], options: Any) -> dict[str, float]:
    """Return the correlations of one language pair, from the folder of finished ones if they are there."""
    if not options.keep:
        return correlations(record, human, options)
    settings = f"{Path(options.model).name}-{options.sentences}-{options.words}"
    path: Path = options.keep / f"{record['lp']}-{settings}.json"
    if not path.exists():
        path.write_text(json.dumps(correlations(record, human, options)))
    found: dict[str, float] = json.loads(path.read_text())
    return found


def report(table: dict[str, dict[str, float]]) -> None:
    """Print a Markdown table with the mean of each row; a dash means that all systems of a pair have the same score."""
    print(f"| | {' | '.join(table)} | mean |")
    print("|---|" + "---|" * (len(table) + 1))
    for name in next(iter(table.values())):
        row = [found[name] for found in table.values()]
        mean = float(np.mean(row)) if not any(map(math.isnan, row)) else math.nan
        cells = ["–" if math.isnan(value) else f"{value:.3f}" for value in [*row, mean]]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
