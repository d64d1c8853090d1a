"""How well metrics agree with people: WMT16 to-English, other tasks, PAWS, and four kinds of damage.

    python benchmarks/students_quality.py SHARED "frugalscore(size=small)" chrf "bertscore(model=…/minilm-l6)"

SHARED is the folder with the developers' data. Prints one table a question; `--json FILE` keeps the numbers.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np

import farthing
from farthing.learn.pairs.sentences import replace_words
from farthing.students.head import BEND
from farthing.text.perturb import drop_words, repeat_words, swap_neighbours

BENT = BEND * np.log(2)  # points by which a student's scale puts every other text below the equal one, however good
TASKS = {
    "STS-B": ("stsb_en", None, {"split": "test"}),
    "newsroom": ("sum_newsroom", "relevance", {}),
    "dialsummeval": ("sum_dialsummeval", "relevance", {}),
    "sfhot": ("d2t_sfhot", "informativeness", {}),
    "sfres": ("d2t_sfres", "informativeness", {}),
}


def read(shared: Path, name: str, **wanted: str) -> list[dict[str, Any]]:
    with gzip.open(shared / "data" / "human" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def scored(metric: Any, rows: list[dict[str, Any]]) -> np.ndarray:
    pairs = farthing.Pairs.of([row["candidate"] for row in rows], [row["reference"] for row in rows])
    found: np.ndarray = metric.score(pairs).segments
    return found


def pearson(a: np.ndarray, b: list[float]) -> float:
    return float(np.corrcoef(a, np.array(b, dtype=float))[0, 1])


def wmt16(shared: Path, metric: Any) -> dict[str, float]:
    rows = [row for row in read(shared, "wmt16_da_seg") if row["lp"].endswith("-en")]
    scores, found = scored(metric, rows), {}
    for pair in sorted({row["lp"] for row in rows}):
        places = [place for place, row in enumerate(rows) if row["lp"] == pair]
        found[pair] = pearson(scores[places], [rows[place]["score"] for place in places])
    return {**found, "mean": float(np.mean(list(found.values())))}


def typical(shared: Path, metric: Any) -> list[float]:
    """Mean and quartiles of the scores of WMT16's systems."""
    scores = scored(metric, [row for row in read(shared, "wmt16_da_seg") if row["lp"].endswith("-en")])
    return [float(scores.mean()), *map(float, np.quantile(scores, [0.25, 0.75]))]


def tasks(shared: Path, metric: Any) -> dict[str, float]:
    found = {}
    for task, (name, dimension, wanted) in TASKS.items():
        rows = read(shared, name, **wanted)
        people = [row["scores"][dimension] if dimension else row["score"] for row in rows]
        found[task] = pearson(scored(metric, rows), people)
    return {**found, "mean": float(np.mean(list(found.values())))}


def agreement(shared: Path, metric: Any) -> dict[str, float]:
    """With `small`, the teacher of the other two, on WMT16 to-English."""
    rows = [row for row in read(shared, "wmt16_da_seg") if row["lp"].endswith("-en")]
    teacher = farthing.load("frugalscore(size=small)")
    return {"small": pearson(scored(metric, rows), scored(teacher, rows).tolist())}


def paws(shared: Path, metric: Any) -> float:
    """The share of paraphrase and non-paraphrase pairs in the right order."""
    from scipy.stats import rankdata

    rows = read(shared, "pawsx", lang="en")
    labels = np.array([row["score"] for row in rows])
    ranks = rankdata(scored(metric, rows))
    yes, no = int(labels.sum()), int((1 - labels).sum())
    return float((ranks[labels == 1].sum() - yes * (yes + 1) / 2) / (yes * no))


def damage(shared: Path, metric: Any, count: int = 2000) -> dict[str, float]:
    """The share of damaged texts that score below the equal text (by more than the scale's bend); how many above."""
    rows = [row for row in read(shared, "wmt16_da_seg") if row["lp"].endswith("-en")]
    texts = list(dict.fromkeys(row["reference"] for row in rows))[:count]
    pool, random = [word for text in texts for word in text.split()], np.random.default_rng(1)
    changes = {
        "drop": drop_words,
        "swap": swap_neighbours,
        "repeat": repeat_words,
        "replace": lambda text, random: replace_words(text, random, pool),
    }
    found, above = {}, 0
    for name, change in changes.items():
        pairs = [(changed, text) for text in texts if (changed := change(text, random)) not in (None, text)]
        scores = scored(metric, [{"candidate": a, "reference": b} for a, b in pairs])
        equal = scored(metric, [{"candidate": b, "reference": b} for _, b in pairs])
        found[name], above = float((scores < equal - BENT).mean()), above + int((scores > equal).sum())
    return {**found, "above the equal text": above}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="+", default=["wmt16", "typical", "tasks", "paws", "damage", "agreement"])
    arguments = parser.parse_args()
    questions = {
        "wmt16": wmt16, "typical": typical, "tasks": tasks, "paws": paws, "damage": damage, "agreement": agreement
    }  # fmt: skip
    found: dict[str, Any] = {}
    for spec in arguments.metrics:
        metric = farthing.load(spec)
        found[spec] = {name: questions[name](arguments.shared, metric) for name in arguments.only}
        print(spec)
        for name, value in found[spec].items():
            parts = (
                value.items()
                if isinstance(value, dict)
                else enumerate(value)
                if isinstance(value, list)
                else [("AUC", value)]
            )
            print(f"  {name:8}", ", ".join(f"{key} {number:.4g}" for key, number in parts), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
