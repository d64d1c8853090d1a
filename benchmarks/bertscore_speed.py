"""Compare the speed of BERTScore with the package bert_score: same encoder, same pairs, one core each, in one run.

    python benchmarks/bertscore_speed.py MODEL [--shared ../shared] [--rounds 3] [--pairs 2000]

MODEL is a Hugging Face folder such as minilm-l6; the script exports it to ONNX. The pairs come from WMT16 and WMT20
into English, with five candidates per reference: those of the data, completed by seeded perturbations. Contenders run
in turns. The cost on one core is measured in CPU seconds, which other work on the machine does not change; the gain
from a second core is measured in wall-clock time and valid only on an idle machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import bert_score
import numpy as np
import torch

from farthing.core.types import Pairs
from farthing.encoders.folder.export import export_onnx
from farthing.meta.read.formats import read_judgements
from farthing.metrics.bertscore.bertscore import BertScore

LAYER = 5


def five_a_reference(shared: Path, count: int, seed: int = 12345) -> Pairs:
    """Return pairs of WMT16 and WMT20 into English, half each, with five candidates per reference."""
    rng = random.Random(seed)
    candidates, references = [], []
    for name in ("wmt16_da_seg", "wmt20_mqm_seg"):
        texts = read_judgements(str(shared / "data" / "human" / f"{name}.jsonl.gz"))
        by_reference: dict[str, list[str]] = {}
        for candidate, row, group in zip(texts.texts.candidates, texts.texts.references, texts.groups, strict=True):
            if group.endswith("-en"):
                by_reference.setdefault(row[0], []).append(candidate)
        for reference in list(by_reference)[: count // 10]:
            found = by_reference[reference][:5]
            while len(found) < 5:
                found.append(perturbed(rng, found[0]))
            candidates += found
            references += [reference] * 5
    order = rng.sample(range(len(candidates)), len(candidates))
    return Pairs.of([candidates[place] for place in order], [references[place] for place in order])


def perturbed(rng: random.Random, text: str) -> str:
    """Drop a word and swap two neighbours."""
    words = text.split()
    if len(words) > 3:
        del words[rng.randrange(len(words))]
        place = rng.randrange(len(words) - 1)
        words[place : place + 2] = words[place : place + 2][::-1]
    return " ".join(words) + rng.choice(["", ".", " indeed", " too"])


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def wall_seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=2000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    pairs = five_a_reference(options.shared, options.pairs)
    texts = [*pairs.candidates, *(row[0] for row in pairs.references)]
    print(f"{len(pairs)} pairs, {len(set(texts))} distinct texts")
    scorer = bert_score.BERTScorer(options.model, num_layers=LAYER, device="cpu")
    flat = [row[0] for row in pairs.references]
    with tempfile.TemporaryDirectory() as scratch:
        models = {"torch fp32": options.model}
        for precision in ("fp32", "int8", "int8-dynamic"):
            models[f"onnx {precision}"] = f"{scratch}/{precision}"
            export_onnx(Path(options.model), Path(scratch) / precision, name=precision, precision=precision)  # type: ignore[arg-type]
        metrics = {name: BertScore(model=model, layer=LAYER, threads=1) for name, model in models.items()}
        exact = BertScore(model=options.model, layer=LAYER, threads=1, compat="bert_score")
        contenders: dict[str, Callable[[], object]] = {"bert_score": lambda: scorer.score(list(pairs.candidates), flat)}
        contenders |= {name: lambda m=metric: m.score(pairs) for name, metric in metrics.items()}
        contenders["torch fp32, compat"] = lambda: exact.score(pairs)
        seconds: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(options.rounds):
            for name, work in contenders.items():
                seconds[name].append(cpu_seconds(work))
        best = {name: statistics.median(values) for name, values in seconds.items()}
        segments = {name: metric.score(pairs).segments for name, metric in metrics.items()}
        for name, value in best.items():
            agreement = ""
            if name in segments:
                agreement = f"  Pearson to torch fp32 {np.corrcoef(segments[name], segments['torch fp32'])[0, 1]:.5f}"
            print(f"{name:<20} {value:7.2f} s  {best['bert_score'] / value:5.2f} times bert_score{agreement}")
        report_cores(metrics, models, pairs, options.rounds)


def report_cores(metrics: dict[str, BertScore], models: dict[str, str], pairs: Pairs, rounds: int) -> None:
    """Print the gain from a second core, measuring one core and two in turns."""
    for name in ("torch fp32", "onnx fp32", "onnx int8"):
        double = BertScore(model=models[name], layer=LAYER, threads=2)
        times = [
            (wall_seconds(lambda m=metrics[name]: m.score(pairs)), wall_seconds(lambda m=double: m.score(pairs)))
            for _ in range(rounds)
        ]
        ratios = sorted(one / two for one, two in times)
        print(f"{name:<20} two cores {statistics.median(ratios):.2f} times one (best {ratios[-1]:.2f})")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
