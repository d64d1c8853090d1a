"""Make the table of what differences have meant: src/farthing/scoring/agreement.json.

    python benchmarks/agreement_table.py ../shared/data/human --keep FOLDER

For every pair of systems of a test set: by how much do their scores differ, and did people prefer the same system?
People's scores are the direct assessments of WMT18 (into English) and the means of the experts' MQM scores of WMT20 and
WMT21. Each test set has one reference. Students that read English only are judged on test sets into English. Slow
metrics (the students and TER) score at most 500 evenly spaced segments of each test set.
Systems that people gave the same score are left out; a metric that gives both the same score does not agree.
--keep FOLDER keeps the scores of each metric and test set, so that they are not computed again; --metrics selects some
and leaves the others in the table as they are.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

import farthing
from farthing.core.types import Pairs

ENGLISH = ("frugalscore(size=small)", "frugalscore(size=tiny)", "frugalscore(size=nano)")
EVERYWHERE = ("bleu", "chrf", "chrf(word_order=2)", "ter")
TABLE = Path(__file__).resolve().parents[1] / "src" / "farthing" / "scoring" / "agreement.json"
BINS = 8
SLOW = ("ter", *ENGLISH)
SEGMENTS = 500  # of a test set that a slow metric scores


@dataclass(frozen=True)
class TestSet:
    """The outputs of the systems of one test set, and people's scores of them."""

    name: str
    target: str
    references: list[str]
    outputs: dict[str, list[str]]
    human: dict[str, float]


def direct_assessments(path: Path) -> Iterator[TestSet]:
    """Read WMT18: people scored whole systems."""
    for record in _records(path):
        systems = record["systems"]
        yield TestSet(
            f"wmt18 {record['lp']}",
            record["lp"].partition("-")[2],
            record["reference"],
            {name: system["output"] for name, system in systems.items()},
            {name: system["score"] for name, system in systems.items()},
        )


def expert_errors(path: Path) -> Iterator[TestSet]:
    """Read WMT20 and WMT21: experts scored segments; human translations among the systems are left out."""
    rows = defaultdict(list)
    for record in _records(path):
        if not record["system"].startswith("ref"):
            rows[record["dataset"], record["lp"]].append(record)
    for (name, pair), records in rows.items():
        by_system = defaultdict(dict)
        for record in records:
            by_system[record["system"]][record.get("doc"), record["segment_id"]] = record
        shared = sorted(set.intersection(*map(set, by_system.values())), key=str)
        first = next(iter(by_system.values()))
        yield TestSet(
            f"{name} {pair}",
            pair.partition("-")[2],
            [first[place]["reference"] for place in shared],
            {system: [found[place]["candidate"] for place in shared] for system, found in by_system.items()},
            {system: float(np.mean([found[p]["score"] for p in shared])) for system, found in by_system.items()},
        )


def _records(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def corpus_scores(spec: str, test_set: TestSet, keep: Path | None) -> dict[str, float]:
    """Return the score of every system."""
    kept = keep / f"{spec} {test_set.name}.json" if keep else None
    if kept and kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    metric = farthing.load(spec)
    count = len(test_set.references)
    most = min(count, SEGMENTS) if spec in SLOW else count
    rows = np.linspace(0, count - 1, most).astype(int)
    references = [test_set.references[row] for row in rows]
    systems = [
        Pairs.of([texts[row] for row in rows], references, system=name) for name, texts in test_set.outputs.items()
    ]
    scores = {found.system: found.corpus for found in metric.score_systems(systems)}
    if kept:
        kept.write_text(json.dumps(scores), encoding="utf-8")
    print(spec, test_set.name, flush=True)
    return scores


def decisions(scores: dict[str, float], human: dict[str, float], higher: bool) -> Iterator[tuple[float, bool]]:
    """Yield for every pair of systems that people tell apart: the metric's difference, and whether it agrees."""
    sign = 1 if higher else -1
    for first, second in combinations(sorted(scores), 2):
        by_people = human[first] - human[second]
        by_metric = sign * (scores[first] - scores[second])
        if by_people:
            yield abs(by_metric), by_people * by_metric > 0


def table_of(found: Sequence[tuple[float, bool]]) -> dict[str, list]:
    """Count agreements by the size of the difference, in classes of about the same number of pairs."""
    sizes, agreed = np.array([size for size, _ in found]), np.array([right for _, right in found])
    edges = sorted({float(f"{np.quantile(sizes, share / BINS):.2g}") for share in range(1, BINS)})
    place = np.searchsorted(edges, sizes, side="right")
    counts = range(len(edges) + 1)
    return {
        "edges": edges,
        "pairs": [int(np.sum(place == number)) for number in counts],
        "agreed": [int(np.sum(agreed[place == number])) for number in counts],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("human", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--metrics", nargs="*", default=[*EVERYWHERE, *ENGLISH])
    parser.add_argument("--output", type=Path, default=TABLE)
    options = parser.parse_args()
    sets = [
        *direct_assessments(options.human / "wmt18_toen_systems.jsonl.gz"),
        *expert_errors(options.human / "wmt20_mqm_seg.jsonl.gz"),
        *expert_errors(options.human / "wmt21_mqm_seg.jsonl.gz"),
    ]
    table = json.loads(options.output.read_text(encoding="utf-8")) if options.output.is_file() else {}
    for spec in options.metrics:
        higher = farthing.load(spec).info.higher_is_better
        chosen = [one for one in sets if one.target == "en" or spec in EVERYWHERE]
        scored = [(corpus_scores(spec, one, options.keep), one.human) for one in chosen]
        table[spec] = table_of([pair for scores, human in scored for pair in decisions(scores, human, higher)])
        print(spec, table[spec])
    options.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
