"""Pairs a second of the embedded students against their rivals, one core, the same pairs, interleaved.

    RAYON_NUM_THREADS=1 OMP_NUM_THREADS=1 python benchmarks/students_speed.py SHARED MODELS [SIZE …]

`nano` meets sacrebleu's sentence-chrF and sentence-BLEU, `tiny` BERTScore over minilm-l6 in our own engine, `small` the
package bert_score over e5-small at layer 8. MODELS is the folder with `minilm-l6` and `e5-small`. CPU time, so that a
busy machine does not move the ratios much; the best of three rounds.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import farthing

ROUNDS = 3
COUNTS = {"nano": 2000, "tiny": 400, "small": 200}
Run = Callable[[list[str], list[str]], object]


def read(shared: Path, count: int) -> tuple[list[str], list[str]]:
    with gzip.open(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["lp"].endswith("-en")]
    rows = rows[:: max(1, len(rows) // count)][:count]
    return [row["candidate"] for row in rows], [row["reference"] for row in rows]


def ours(spec: str) -> Run:
    metric = farthing.load(spec)
    return lambda candidates, references: metric.score(farthing.Pairs.of(candidates, references))


def sentences(metric: object) -> Run:
    score = metric.sentence_score  # type: ignore[attr-defined]
    return lambda candidates, references: [score(one, [two]) for one, two in zip(candidates, references, strict=True)]


def bert_score(folder: Path, layer: int) -> Run:
    from bert_score import BERTScorer

    return BERTScorer(model_type=str(folder), num_layers=layer, batch_size=64).score


def rivals(size: str, models: Path) -> dict[str, Run]:
    if size == "nano":
        from sacrebleu.metrics import BLEU, CHRF

        return {"sentence-chrF": sentences(CHRF()), "sentence-BLEU": sentences(BLEU(effective_order=True))}
    if size == "tiny":
        folder = models / "minilm-l6"
        return {
            f"our BERTScore, layer {layer}": ours(f"bertscore(model={folder}, layer={layer}, threads=1)")
            for layer in (5, 4)
        }
    return {"bert_score": bert_score(models / "e5-small", 8)}


def pairs_a_second(run: Run, data: tuple[list[str], list[str]]) -> float:
    began = time.process_time()
    run(*data)
    return len(data[0]) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("sizes", nargs="*", default=list(COUNTS))
    arguments = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    for size in arguments.sizes:
        runs = {size: ours(f"frugalscore(size={size}, threads=1)"), **rivals(size, arguments.models)}
        data, best = read(arguments.shared, COUNTS[size]), dict.fromkeys(runs, 0.0)
        for _ in range(ROUNDS):
            for name, run in runs.items():
                best[name] = max(best[name], pairs_a_second(run, data))
        print(f"{size}: {best[size]:.0f} pairs per second")
        for name in list(runs)[1:]:
            print(f"  {name} {best[name]:.0f}, ratio {best[size] / best[name]:.2f}", flush=True)


if __name__ == "__main__":
    main()
