"""Write the cards of the embedded students from measured numbers, with ten pairs that each of them gets wrong.

    python benchmarks/students_quality.py SHARED "frugalscore(size=small)" … --json quality.json
    python benchmarks/students_cards.py quality.json

The numbers come from the JSON file; the failures are measured here. The paragraphs on speed, precision, seeds and
robustness stay as they are in the student's `card.json`: edit them there. Without a JSON file the cards are only
formatted anew.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from farthing.core.registry import load_pairs_metric
from farthing.encoders.folder.locate import EMBEDDED
from farthing.learn.study.measure import failures
from farthing.students.card import MatchFacts, Quality, match_card, read_match_facts
from farthing.students.layout import CARD, CARD_FACTS, StudentFolder

SIZES = ("nano", "tiny", "small")


def renewed(facts: MatchFacts, measured: dict[str, Quality]) -> MatchFacts:
    """The facts with newly measured numbers: the student's own and those of metrics that are no students."""
    own = facts["spec"]
    rivals = {spec: quality for spec, quality in measured.items() if not spec.startswith("frugalscore")}
    quality = {own: measured[own], **rivals}
    return {**facts, "quality": quality, "failures": failures(load_pairs_metric(own))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quality", type=Path, nargs="?")
    given = parser.parse_args()
    measured: dict[str, Quality] = json.loads(given.quality.read_text()) if given.quality else {}
    for size in SIZES:
        folder = StudentFolder.read(EMBEDDED / size)
        facts = read_match_facts(folder)
        if facts["spec"] in measured:
            facts = renewed(facts, measured)
            text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
            (folder.path / CARD_FACTS).write_text(text, encoding="utf-8")
        (folder.path / CARD).write_text(match_card(folder, facts), encoding="utf-8")
        print(f"wrote the card of {size}")


if __name__ == "__main__":
    main()
