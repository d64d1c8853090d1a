"""The card for many languages: every given figure is in it, under the right language, and what is not known is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.language_card import (
    ENCODER_LANGUAGES,
    LanguageFacts,
    language_card,
    language_figures,
    language_of,
    measured_languages,
    read_language_facts,
    written_card,
)
from farthing.students.layout import CARD_FACTS, StudentFolder, add_facts

FACTS: LanguageFacts = {
    "spec": "frugalscore(size=many)",
    "recipe": "recipes/many.toml",
    "gpt4": True,
    "quality": {
        "frugalscore(size=many)": {
            "wmt16_to_english": {"cs-en": 0.7, "de-en": 0.8, "mean": 0.75},
            "stsb": {"de": 0.812, "ja": 0.75, "mean": 0.781},
            "mqm21 p": {"en-de": 0.01},
        },
        "bertscore(model=/models/big, layer=8)": {"stsb": {"de": 0.6, "ja": 0.5, "mean": 0.55}},
    },
    "robustness": {
        "unrelated": {"mean": 3.14, "above 60": 2, "above 99": 0, "noted": 1},
        "ordered": {"empty": 1.0, "copied source": 0.9985},
        "languages": {"de": 1.0, "hr": 0.99},
    },
    "sections": {"Speed": "Ten pairs per second."},
    "failures": [
        {"language": "de", "candidate": "a", "reference": "b", "why": "an idiom", "same": True, "score": 12.6}
    ],
    "origin": "some weights, MIT",
}


def test_a_figure_belongs_to_the_language_of_the_outputs() -> None:
    assert language_figures(FACTS, sourced=False) == {
        "en": {"wmt16_to_english": pytest.approx(0.75)},
        "de": {"stsb": 0.812},
        "ja": {"stsb": 0.75},
    }
    assert measured_languages(FACTS, sourced=False) == ["de", "en", "ja"]


def test_without_references_it_belongs_to_the_language_that_is_not_english() -> None:
    pairs: LanguageFacts = {**FACTS, "quality": {FACTS["spec"]: {"mlqe": {"en-de": 0.5, "si-en": 0.6, "mean": 0.55}}}}
    assert language_figures(pairs, sourced=True) == {"de": {"mlqe": 0.5}, "si": {"mlqe": 0.6}}
    assert measured_languages(pairs, sourced=True) == ["de", "en", "si"]
    assert language_of("bn-hi", sourced=True) == "hi"


def test_the_card_tells_everything(student_folder: Path) -> None:
    card = language_card(StudentFolder.read(student_folder), FACTS)
    for line in (
        "that compares a text with its reference in many languages.",
        "Version 1 of its weights, made by `farthing learn student recipes/many.toml`. Its weights learned from "
        "answers of GPT-4 among others.",
        "| English | en | WMT16 .750 |  |",
        "| German | de | STS-B .812 | 100.0 % |",
        "| Croatian | hr | not measured | 99.0 % |",
        "### STS-B, test split, Spearman",
        "| metric | de | ja | mean |",
        "| bertscore over big | .600 | .500 | .550 |",
        "| empty | copied source |",
        "| 100.0 % | 99.9 % |",
        "Ten pairs per second.",
        "| de | a | b | an idiom; should be high | 13 |",
        "Equal texts score 100",
    ):
        assert f"{line}\n" in card or line in card
    assert "mean score of 3.1; 2 of them are above 60\nand 0 above 99." in card
    rest = card.partition("name them: ")[2].partition(".\n")[0].split(", ")
    assert len(rest) == len(ENCODER_LANGUAGES) - 4  # English, German, Japanese and Croatian are told above
    assert "mqm21 p" not in card


def test_a_student_without_references_says_so(student_folder: Path) -> None:
    shutil.copytree(student_folder, student_folder.with_name("many"))
    add_facts(student_folder, against="source", encoder="many")
    quality = {FACTS["spec"]: {"mlqe": {"en-de": 0.5, "mean": 0.5}}}
    facts: LanguageFacts = {**FACTS, "gpt4": False, "quality": quality}
    card = language_card(StudentFolder.read(student_folder), facts)
    assert "MB beside the lowest layers and the vocabulary of `many`, that compares" in card
    (student_folder / "tokens.safetensors").unlink()
    card = language_card(StudentFolder.read(student_folder), facts)
    assert "MB beside the encoder of `many`, that compares a text with its source" in card
    assert "Its weights learned nothing from answers of GPT-4." in card
    assert "| language | candidate | source | what people see | score |" in card
    assert "No output scores 100" in card


def test_the_facts_in_a_folder_choose_the_card(student_folder: Path) -> None:
    (student_folder / CARD_FACTS).write_text(json.dumps(FACTS), encoding="utf-8")
    folder = StudentFolder.read(student_folder)
    assert written_card(folder) == language_card(folder, read_language_facts(folder))


@pytest.mark.parametrize("size", ["multi", "source"])
def test_the_shipped_students_are_measured_as_their_cards_tell(size: str) -> None:
    if not (EMBEDDED / size / CARD_FACTS).is_file():
        pytest.skip(f"{size} is not embedded")
    folder = StudentFolder.read(EMBEDDED / size)
    measured = measured_languages(read_language_facts(folder), folder.against == "source")
    assert folder.facts["measured"] == measured
    assert len(read_language_facts(folder)["failures"]) == 10
