"""Does a student that learned from verdicts predict the judge on segments that it never judged?

    python benchmarks/judge_distilled.py ../shared MODEL [--judge gpt4_da] [--epochs 3] [--rows N] [--held N]

MODEL is a folder with a small encoder. The student learns by `farthing learn distil` from the verdicts on segments
whose number is not divisible by four, and is exported; then its scores of the other segments are correlated with the
judge, beside the embedded student, chrF and GPT-3.5 as a judge.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import farthing

DIVISOR = 4
CHEAPER = "gpt35_da"


def farthing_command(*arguments: str) -> None:
    """Run a command of Farthing, and stop if it fails."""
    subprocess.run([sys.executable, "-m", "farthing", *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("model", help="the encoder that the student starts from")
    parser.add_argument("--judge", default="gpt4_da")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rows", type=int, help="learn from so many rows only")
    parser.add_argument("--held", type=int, help="measure on so many rows only")
    given = parser.parse_args()
    with gzip.open(given.shared / "data" / "judges" / "gemba_wmt22_zhen.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["judges"][given.judge] is not None]
    learned = [row for row in rows if row["segment_id"] % DIVISOR][: given.rows]
    held = [row for row in rows if row["segment_id"] % DIVISOR == 0][: given.held]
    with tempfile.TemporaryDirectory() as folder:
        table, student, exported = (f"{folder}/{name}" for name in ("verdicts.csv", "student", "exported"))
        with Path(table).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["candidate", "reference", "score"])
            writer.writerows([row["candidate"], row["reference"], row["judges"][given.judge]] for row in learned)
        start = ("--student", given.model, "--epochs", str(given.epochs), "--standardise")
        farthing_command("learn", "distil", table, *start, "-o", student)
        farthing_command("learn", "export", student, "--precision", "int8", "--pairs", table, "-o", exported)
        specs = {"distilled": f"frugalscore(model={exported})", "small": "frugalscore(size=small)", "chrf": "chrf"}
        texts = [row["candidate"] for row in held], [row["reference"] for row in held]
        scores = {name: np.asarray(farthing.score(*texts, spec).segments) for name, spec in specs.items()}
    verdicts = np.array([row["judges"][given.judge] for row in held])
    scores[CHEAPER] = np.array([row["judges"][CHEAPER] for row in held], dtype=float)
    print(f"learned from {len(learned)} verdicts of {given.judge}; Pearson on {len(held)} others:")
    for name, values in scores.items():
        known = np.isfinite(values)
        print(f"{name:<12} {np.corrcoef(values[known], verdicts[known])[0, 1]:.3f}")


if __name__ == "__main__":
    main()
