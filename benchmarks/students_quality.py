"""How well metrics agree with people: WMT16 to-English, other tasks, summaries, PAWS, and four kinds of damage.

    python benchmarks/students_quality.py SHARED "frugalscore(size=small)" chrf "bertscore(model=…/minilm-l6)"

SHARED is the folder with the developers' data. Prints one line per metric and question; `--json FILE` keeps the
numbers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from farthing.core.registry import load_pairs_metric
from farthing.learn.study.measure import measure_quality
from farthing.students.card import Quality

QUESTIONS = ("wmt16", "typical", "tasks", "summaries", "paws", "damage", "agreement")
TEACHER = "small"  # it taught the other two students


def numbers(value: object) -> Iterable[tuple[object, float]]:
    """The parts of an answer with their names."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else [("AUC", float(str(value)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="+", default=QUESTIONS, choices=QUESTIONS)
    given = parser.parse_args()
    teachers = {TEACHER: load_pairs_metric(f"frugalscore(size={TEACHER})")}
    measured: dict[str, Quality] = {}
    for spec in given.metrics:
        measured[spec] = measure_quality(given.shared / "data" / "human", load_pairs_metric(spec), teachers, given.only)
        print(spec)
        for name, value in measured[spec].items():
            print(f"  {name:8}", ", ".join(f"{key} {number:.4g}" for key, number in numbers(value)), flush=True)
    if given.json:
        given.json.write_text(json.dumps(measured, indent=2) + "\n")


if __name__ == "__main__":
    main()
