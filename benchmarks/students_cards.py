"""Write the cards of the embedded students from measured numbers, with ten pairs that it gets wrong.

    python benchmarks/students_quality.py SHARED "frugalscore(size=small)" … --json quality.json
    python benchmarks/students_cards.py quality.json recipes

Every number of a card comes from the JSON file or is measured here. What `students_speed.py` and `farthing meta
robustness` print, and what was seen before the student was finished, may be added to the JSON under "speed",
"robustness" and "clean".
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import farthing
from farthing.encoders.folder.locate import EMBEDDED

# What people would mark low (or high) and why; the sentences are our own.
HARD = [
    ("The bank did not approve the loan.", "The bank approved the loan.", "a negation", False),
    ("The flight to Oslo leaves at 6:45.", "The flight to Oslo leaves at 6:15.", "another time", False),
    ("The dog chased the cat across the yard.", "The cat chased the dog across the yard.", "roles exchanged", False),
    ("House prices rose sharply in March.", "House prices fell sharply in March.", "an opposite", False),
    ("Maria lent Anna the money.", "Anna lent Maria the money.", "names exchanged", False),
    ("He may have stolen the painting.", "He stole the painting.", "a suspicion is no fact", False),
    ("The old man kicked the bucket last winter.", "The old man died last winter.", "an idiom", True),
    ("The repair cost an arm and a leg.", "The repair was very expensive.", "an idiom", True),
    ("The UN convened on Monday.", "The United Nations met on Monday.", "a short form and a synonym", True),
    ("The village is five thousand metres away.", "The village is 5 km away.", "another unit", True),
    ("Her boss gave her a promotion.", "She was promoted by her boss.", "another construction", True),
    ("Nobody failed the exam.", "Everyone passed the exam.", "two negations", True),
]
ABOVE = "above the equal text"
LIMITS = """English only. A text is read up to {limit} tokens, and a note says where it was cut. The score
says how close a text is to its reference: an equally good text in other words gets less, and single facts (numbers,
names, negation) weigh too little, as the failures show. An empty text scores 0 against one that is not empty."""
LICENCES = {
    "nano": "none of its own; it learned from Farthing's `small`, which began at e5-small (intfloat), MIT",
    "tiny": "e5-small (intfloat), MIT. It learned from Farthing's `small`",
    "small": "e5-small (intfloat), MIT",
}


def failures(size: str) -> list[str]:
    """Ten pairs that the student judges worst, with its scores."""
    metric = farthing.load(f"frugalscore(size={size})")
    scores = metric.score(farthing.Pairs.of([row[0] for row in HARD], [row[1] for row in HARD])).segments
    wrong = [(100 - score if row[3] else score, score, row) for score, row in zip(scores, HARD, strict=True)]
    worst = sorted(wrong, key=lambda one: -one[0])[:10]
    return [
        f"| {candidate} | {reference} | {why}; should be {'high' if same else 'low'} | {score:.0f} |"
        for _, score, (candidate, reference, why, same) in worst
    ]


def table(title: str, values: dict[str, dict[str, float]]) -> list[str]:
    """A Markdown table, one row a metric."""
    columns = list(next(iter(values.values())))
    lines = [f"### {title}", "", f"| metric | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for name, row in values.items():
        lines.append(
            f"| {name} | " + " | ".join(f"{row[column]:.3f}".replace("0.", ".", 1) for column in columns) + " |"
        )
    return [*lines, ""]


def short(spec: str) -> str:
    """A spec without the place of its model."""
    if "/" not in spec:
        return spec
    return spec.partition("(")[0] + " over " + spec.rpartition("/")[2].partition(",")[0].rstrip(")")


def measured(own: str, found: dict[str, Any]) -> list[str]:
    """The tables: WMT16, other tasks, PAWS, damage."""
    others = [spec for spec in found if spec == own or not spec.startswith("frugalscore")]
    damage = {key: f"{value:.0f}" if key == ABOVE else f"{value:.3f}" for key, value in found[own]["damage"].items()}
    return [
        *table("WMT16 to-English, segment Pearson (never trained on)", _part("wmt16", others, found)),
        *table("Other tasks, segment Pearson", _part("tasks", others, found)),
        *table("PAWS, English", {short(spec): {"area under the curve": found[spec]["paws"]} for spec in others}),
        "### Damage to WMT16 references: share of texts that score below the equal text by 0.7 points or more",
        "",
        f"| {' | '.join(damage)} |",
        "|---" * len(damage) + "|",
        f"| {' | '.join(damage.values())} |",
        "",
        *_agreement(own, found[own].get("agreement")),
        *_told("How clean these figures are", found[own].get("clean")),
        *_told("Speed, precision, seeds", found[own].get("speed")),
        *_told("`farthing meta robustness`", found[own].get("robustness")),
    ]


def _agreement(own: str, found: dict[str, float] | None) -> list[str]:
    if not found or "small" in own:
        return []
    text = f"Its scores of WMT16's outputs have a Pearson correlation of {found['small']:.3f} with those of `small`."
    return _told("Agreement with the teacher", text)


def _told(title: str, text: str | None) -> list[str]:
    return [f"### {title}", "", text, ""] if text else []


def _part(question: str, specs: list[str], found: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {short(spec): found[spec][question] for spec in specs}


def card(size: str, found: dict[str, Any], recipe: dict[str, Any]) -> str:
    """The whole card."""
    own = f"frugalscore(size={size})"
    megabytes = sum(path.stat().st_size for path in (EMBEDDED / size).iterdir() if path.suffix != ".md") / 1e6
    mean, low, high = found[own]["typical"]
    limit = json.loads((EMBEDDED / size / "config.json").read_text())["max_position_embeddings"]
    lines = [
        f"# Farthing {size}",
        "",
        f"A student of the kind `{recipe['kind']}`, {megabytes:.1f} MB, for English from a sentence to a paragraph.",
        f"Made by `farthing learn student recipes/{size}.toml`.",
        "",
        "## Measured",
        "",
        *measured(own, found),
        "## Scale",
        "",
        "Equal texts score 100 and no others do; unrelated texts score about 0, or a little below.",
        f"The outputs of WMT16's systems have a mean of {mean:.0f}; a quarter of them is below {low:.0f},",
        f"a quarter above {high:.0f}.",
        "The corpus score is the mean of the segments.",
        "",
        "## Failures",
        "",
        "| candidate | reference | what people see | score |",
        "|---|---|---|---|",
        *failures(size),
        "",
        "## Limits",
        "",
        LIMITS.format(limit=limit),
        "",
        "## Licence and origin",
        "",
        f"Starting weights: {LICENCES[size]}. The student is under Farthing's own licence, Apache-2.0.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    found = json.loads(Path(sys.argv[1]).read_text())
    for spec in [spec for spec in found if spec.startswith("frugalscore(size=")]:
        size = spec.split("=")[1].rstrip(")")
        recipe = tomllib.loads((Path(sys.argv[2]) / f"{size}.toml").read_text())
        (EMBEDDED / size / "card.md").write_text(card(size, found, recipe), encoding="utf-8")
        print(f"wrote the card of {size}")


if __name__ == "__main__":
    main()
