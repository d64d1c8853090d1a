"""Compare FrugalScore's speed with the usual loop: transformers, padded batches of 32, fp32, same weights.

    python benchmarks/frugalscore_speed.py STUDENT DATA.jsonl[.gz] [--pairs scored.parquet] [--rounds 5]

STUDENT is a folder with a trained head (written by `farthing learn distil`) or a shape such as 2x128, which gets random
weights. Both sides run on one core and are measured in turns, in CPU seconds; the best round of each counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from farthing.core.types import Pairs
from farthing.learn.cross.export.export import export
from farthing.learn.cross.start import Start, make_student
from farthing.learn.data.judgements import read_judged
from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.train.processes import quiet_transformers
from farthing.metrics.frugalscore import FrugalScore

STARTS = {
    "farthing": "import farthing; m = farthing.load('frugalscore(model=\"{exported}\")'); "
    "m.score(farthing.Pairs.of(['a cat'], ['the cat']))",
    "torch + transformers": "import torch; from transformers import AutoModelForSequenceClassification as M, "
    "AutoTokenizer as T; t = T.from_pretrained('{student}'); m = M.from_pretrained('{student}'); "
    "m(**t('a cat', 'the cat', return_tensors='pt'))",
}


def usual_loop(folder: Path, candidates: list[str], references: list[str]) -> Callable[[], np.ndarray]:
    """Return the loop that most programs contain."""
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)

    def run() -> np.ndarray:
        found = []
        with torch.inference_mode():
            for at in range(0, len(candidates), 32):
                texts = (candidates[at : at + 32], references[at : at + 32])
                batch = tokenizer(*texts, padding=True, truncation=True, max_length=512, return_tensors="pt")
                found.append(model(**batch).logits[:, 0])
        return torch.cat(found).numpy()

    return run


def best_times(runs: dict[str, Callable[[], np.ndarray]], rounds: int) -> dict[str, float]:
    """Return the CPU seconds of each contender's best round; the contenders run in turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.process_time()
            run()
            times[name].append(time.process_time() - began)
    return {name: min(values) for name, values in times.items()}


def start_up(student: Path, exported: Path, rounds: int) -> dict[str, float]:
    """Return the CPU seconds that a new process takes to its first score."""
    found = {}
    for name, program in STARTS.items():
        code = program.format(student=student, exported=exported)
        values = []
        for _ in range(rounds):
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            after = os.times()
            values.append(after.children_user + after.children_system - before.children_user - before.children_system)
        found[name] = min(values)
    return found


def prepared(student: str, place: Path, texts: list[str]) -> Path:
    """Return the student's folder; make one with random weights if a shape is given."""
    if not Start(student).is_fresh:
        return Path(student)
    model, tokenizer = make_student(Start(student), texts, 1)
    model.save_pretrained(place)
    tokenizer.save_pretrained(place)
    return place


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("student")
    parser.add_argument("data")
    parser.add_argument("--pairs", default=None, help="pairs on which the ranges of int8 are measured")
    parser.add_argument("--groups", default="*-en", help="which groups (language pairs) of the data")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(1)
    quiet_transformers()
    judged = read_judged(given.data, groups=[given.groups])
    rows = np.random.default_rng(0).permutation(len(judged))[: given.count]
    candidates = [judged.candidates[row] for row in rows]
    references = [judged.references[row][0] for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        student = prepared(given.student, place / "random", candidates + references)
        ranges = given.pairs or _some_pairs(place, judged.candidates, [texts[0] for texts in judged.references])
        report(student, place, candidates, references, ranges, given.rounds)


def _some_pairs(place: Path, candidates: list[str], references: list[str]) -> str:
    path = place / "pairs.parquet"
    write_pairs(path, PairTable({"candidate": candidates[-500:], "reference": references[-500:]}))
    return str(path)


def report(student: Path, place: Path, candidates: list[str], references: list[str], ranges: str, rounds: int) -> None:
    """Measure all contenders and print the comparison."""
    pairs = Pairs.of(candidates, references)
    loop = usual_loop(student, candidates, references)
    wanted = loop().astype(np.float64)
    runs: dict[str, Callable[[], np.ndarray]] = {"usual loop": loop}
    is_random = student.parent == place  # int8 needs trained weights: random scores hardly differ
    for precision in ("fp32", "fp16") if is_random else ("fp32", "fp16", "int8"):
        export(str(student), place / precision, precision=precision, pairs=ranges)  # type: ignore[arg-type]
        metric = FrugalScore(model=str(place / precision), threads=1)
        runs[precision] = lambda metric=metric: np.asarray(metric.score(pairs).segments)  # type: ignore[misc]
    times = best_times(runs, rounds)
    print(f"{student.name}: {len(candidates)} pairs, one core, best of {rounds} rounds in turn")
    print(f"{'usual loop':<12} {len(candidates) / times['usual loop']:8.0f} pairs/s")
    for name in list(runs)[1:]:
        found = runs[name]()
        print(
            f"{name:<12} {len(candidates) / times[name]:8.0f} pairs/s   {times['usual loop'] / times[name]:5.2f}x   "
            f"largest difference {np.abs(found - wanted).max():.1e}   Pearson {np.corrcoef(found, wanted)[0, 1]:.5f}"
        )
    starts = start_up(student, place / "fp32", 3)
    ratio = starts["torch + transformers"] / starts["farthing"]
    print(
        f"start-up to first score, CPU seconds: {starts['farthing']:.2f} against "
        f"{starts['torch + transformers']:.2f} of torch + transformers: 1/{ratio:.1f}"
    )


if __name__ == "__main__":
    main()
