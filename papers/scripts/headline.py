"""Measure teachers and students on three data sets in one run: agreement, CPU time, parameters, and what is retained.

    python papers/scripts/headline.py HUMAN --teacher 'bertscore(model=MODEL)' --student 'frugalscore(size=tiny)'

The data sets are WMT16 into English, Newsroom and DialSummEval. `retained` is the mean over the sets of the student's
correlation with people divided by the teacher's.
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

SETS = {"wmt16": "wmt16_da_seg", "newsroom": "sum_newsroom", "dialsummeval": "sum_dialsummeval"}


def write_sets(human: Path, place: Path, every: int) -> list[str]:
    """Write the three sets as tables of candidate, reference, score and group; return their files."""
    paths = []
    for name, file in SETS.items():
        with gzip.open(human / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        kept = [one for one in records if str(one.get("lp", "-en")).endswith("-en")][::every]
        path = place / f"{name}.jsonl"
        columns = ("candidate", "reference", "score", "lp")
        path.write_text(
            "".join(json.dumps({key: one[key] for key in columns if key in one}) + "\n" for one in kept),
            encoding="utf-8",
        )
        paths.append(str(path))
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("human", type=Path)
    parser.add_argument("--teacher", action="append", required=True)
    parser.add_argument("--student", action="append", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every third row of every set, if it is 3")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        sets = write_sets(options.human, Path(place), options.every)
        found = Path(place) / "measures.json"
        command = [sys.executable, "-m", "farthing", "learn", "table", *sets, "-o", str(found), "--quiet"]
        for role in ("teacher", "student"):
            command += [part for spec in getattr(options, role) for part in (f"--{role}", spec)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        content = json.loads(found.read_text(encoding="utf-8"))
    for number, one in enumerate([content, *content.get("more", [])]):
        print_tables(one, first=number == 0)


def print_tables(content: dict[str, list[dict[str, object]]], *, first: bool) -> None:
    """Print the measures and the summary of one teacher."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    if not first:
        print()
    names = list(content["rows"][0]["human"])  # type: ignore[call-overload]
    heads = [*(f"people {name}" for name in names), *(f"teacher {name}" for name in names)]
    table.writerow(["metric", *heads, "CPU seconds", "million parameters"])
    for row in content["rows"]:
        human, teacher = row["human"], row["teacher"]
        numbers = [*(human[name] for name in names), *(teacher[name] for name in names)]  # type: ignore[index]
        table.writerow([row["name"], *numbers, row["seconds"], float(str(row["parameters"])) / 1e6])
    print()
    table.writerow(["student", "retained", "times faster", "times fewer parameters"])
    for row in content["summary"]:
        table.writerow([row["name"], row["retained"], row["speed_up"], row["parameter_ratio"]])


if __name__ == "__main__":
    main()
