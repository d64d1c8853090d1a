"""Pairs a second of the embedded student against bert_score, one core, the same pairs, interleaved.

    RAYON_NUM_THREADS=1 OMP_NUM_THREADS=1 python benchmarks/students_speed.py SHARED MODELS

MODELS is the folder with `e5-small`, which bert_score runs up to layer 8. CPU time, so that a busy machine does not
move the ratio much.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import farthing

ROUNDS = 2


def read(shared: Path, count: int) -> tuple[list[str], list[str]]:
    with gzip.open(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["lp"].endswith("-en")]
    rows = rows[:: max(1, len(rows) // count)][:count]
    return [row["candidate"] for row in rows], [row["reference"] for row in rows]


def ours(spec: str) -> Callable[[list[str], list[str]], None]:
    metric = farthing.load(spec)

    def run(candidates: list[str], references: list[str]) -> None:
        metric.score(farthing.Pairs.of(candidates, references))

    return run


def peer(folder: Path, layer: int) -> Callable[[list[str], list[str]], None]:
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(1)
    scorer = BERTScorer(model_type=str(folder), num_layers=layer, batch_size=64)

    def run(candidates: list[str], references: list[str]) -> None:
        scorer.score(candidates, references)

    return run


def pairs_a_second(run: Callable[[list[str], list[str]], None], data: tuple[list[str], list[str]]) -> float:
    began = time.process_time()
    run(*data)
    return len(data[0]) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("models", type=Path)
    arguments = parser.parse_args()
    runs = {"small": ours("frugalscore(size=small, threads=1)"), "bert_score": peer(arguments.models / "e5-small", 8)}
    data, best = read(arguments.shared, 200), dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            best[name] = max(best[name], pairs_a_second(run, data))
    ratio = best["small"] / best["bert_score"]
    print(f"small {best['small']:.0f}/s, bert_score {best['bert_score']:.0f}/s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
