"""Does a metric prefer a true paraphrase to the reference with one thing wrong? Ten kinds of damage, 50 cases of each.

    python benchmarks/students_hard_pairs.py SHARED "frugalscore(size=small)" chrf --json FILE

SHARED is the folder with the developers' data. Prints, per kind and over all, the share of cases in which the damaged
text scores below the paraphrase; chrF is always there. `--show N` prints N cases of each kind first. Then it prints how
many damaged texts, paraphrases and outputs of WMT16 have a feature of edits (farthing.students.edit_gap).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from farthing.core.registry import load_pairs_metric
from farthing.files.read import records
from farthing.learn.study.hard_pairs import ALL, EACH, hard_cases, preferences, true_paraphrases
from farthing.students.edit_gap import edit_gaps
from farthing.text.damage import DAMAGES

BESIDE = "chrf"


def edited(candidates: Sequence[str], references: Sequence[str]) -> float:
    """The share of pairs that have a feature of edits."""
    return float(edit_gaps(candidates, references).any(axis=1).mean())


def translations(shared: Path) -> tuple[list[str], list[str]]:
    """The outputs of WMT16 into English, and their references."""
    rows = [row for _, row in records(str(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz"))]
    pairs = [(str(row["candidate"]), str(row["reference"])) for row in rows if str(row["lp"]).endswith("-en")]
    return [one for one, _ in pairs], [other for _, other in pairs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("metrics", nargs="+")
    parser.add_argument("--each", type=int, default=EACH, help="cases of every kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print so many cases of every kind")
    parser.add_argument("--json", type=Path, help="keep the numbers in this file")
    given = parser.parse_args()
    pairs = true_paraphrases(given.shared / "data")
    cases = hard_cases(pairs, given.each, given.seed)
    print(f"{len(cases)} cases of {len({case.reference for case in cases})} references; {len(pairs)} paraphrases")
    for kind in DAMAGES:
        for case in [case for case in cases if case.kind == kind][: given.show]:
            print(
                f"{kind}\n  reference:  {case.reference}\n  paraphrase: {case.paraphrase}\n  damaged:    {case.damaged}"
            )
    references = [case.reference for case in cases]
    for name, share in {
        "damaged texts": edited([case.damaged for case in cases], references),
        "paraphrases": edited([case.paraphrase for case in cases], references),
        "outputs of WMT16 into English": edited(*translations(given.shared)),
    }.items():
        print(f"{name} with an edit: {share:.1%}")
    metrics = dict.fromkeys([*given.metrics, BESIDE])
    found = {spec: preferences(load_pairs_metric(spec), cases) for spec in metrics}
    width = max(map(len, found))
    for kind in (*DAMAGES, ALL):
        print(f"{kind:10}", "  ".join(f"{shares[kind]:{width}.3f}" for shares in found.values()))
    print(" " * 10, "  ".join(f"{spec:>{width}}" for spec in found))
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
