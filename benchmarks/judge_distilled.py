"""Does a student that learned from verdicts predict the judge on segments that it never judged?

    python benchmarks/judge_distilled.py ../shared [--models FOLDER] [--recipe recipes/verdicts.toml] [--work FOLDER]

The student is made by `farthing learn student` from the verdicts on segments whose number is not divisible by four (the
recipe says so), from the model that the recipe names. Then its scores of the other segments are correlated with the
judge's (Pearson, all rows together), beside the embedded student, chrF and GPT-3.5 as a judge. --work keeps finished
steps, so that a second run only measures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import farthing

DIVISOR = 4
JUDGES, CHEAPER = ("gpt4_da", "gpt4_sqm"), "gpt35_da"
RECIPE = Path(__file__).resolve().parents[1] / "recipes" / "verdicts.toml"


def make(given: argparse.Namespace, folder: str) -> str:
    """Make the student, and return its folder."""
    target = f"{folder}/verdicts"
    options = ["--data", str(given.shared / "data"), "-o", target, "--precision", "fp32"]
    options += ["--models", str(given.models)] if given.models else []
    options += ["--work", str(given.work)] if given.work else []
    subprocess.run([sys.executable, "-m", "farthing", "learn", "student", str(given.recipe), *options], check=True)
    return target


def correlation(scores: np.ndarray, verdicts: np.ndarray) -> float:
    """Return Pearson's correlation over the rows that have both."""
    known = np.isfinite(scores) & np.isfinite(verdicts)
    return float(np.corrcoef(scores[known], verdicts[known])[0, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--models", type=Path, help="a folder with models by name")
    parser.add_argument("--work", type=Path, help="the folder that keeps finished steps")
    given = parser.parse_args()
    with gzip.open(given.shared / "data" / "judges" / "gemba_wmt22_zhen.jsonl.gz", "rt", encoding="utf-8") as lines:
        held = [row for row in map(json.loads, lines) if row["segment_id"] % DIVISOR == 0]
    texts = [row["candidate"] for row in held], [row["reference"] for row in held]
    with tempfile.TemporaryDirectory() as folder:
        student = make(given, folder)
        specs = {
            "learned from verdicts": f"frugalscore(model={student})",
            "the same in full precision": f"frugalscore(model={student}, precision=fp32)",
            "small": "frugalscore(size=small)",
            "chrF": "chrf",
        }
        scores = {name: np.asarray(farthing.score(*texts, spec).segments) for name, spec in specs.items()}
    verdicts = {name: np.array([row["judges"][name] for row in held], dtype=float) for name in (*JUDGES, CHEAPER)}
    scores["GPT-3.5"] = verdicts.pop(CHEAPER)
    verdicts["their mean"] = np.mean([verdicts[name] for name in JUDGES], axis=0)
    print(f"{len(held)} rows of segments that the student never saw\n")
    print(f"| metric | r with {' | r with '.join(verdicts)} |\n|---|{'--:|' * len(verdicts)}")
    for name, values in scores.items():
        print(f"| {name} | {' | '.join(f'{correlation(values, judge):.3f}' for judge in verdicts.values())} |")


if __name__ == "__main__":
    main()
