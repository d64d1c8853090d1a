"""Which languages a folder says that its model reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import SpecError
from farthing.encoders.folder.languages import card_languages, check_multilingual, known_languages
from farthing.encoders.folder.locate import EMBEDDED


@pytest.mark.parametrize(
    ("head", "languages"),
    [
        ("language: en", {"en"}),
        ("license: x\nlanguage:\n- en\n- fr\ntags:\n- y", {"en", "fr"}),
        ("language: [en, zh-Hans]", {"en", "zh-Hans"}),
        ("language:\n  - multilingual\n", {"multilingual"}),
        ("tags:\n- language", set()),
        ("language:", set()),
    ],
)
def test_the_card_of_a_model(head: str, languages: set[str]) -> None:
    assert card_languages(f"---\n{head}\n---\n\nlanguage: de\n") == languages


def test_a_card_without_facts() -> None:
    assert card_languages("# A model\nlanguage: en\n") == frozenset()


def folder_with(place: Path, config: dict[str, object], card: str = "") -> Path:
    (place / "config.json").write_text(json.dumps(config))
    (place / "model.safetensors").write_bytes(b"")
    if card:
        (place / "README.md").write_text(card)
    return place


def test_what_a_student_says_counts_before_its_card(tmp_path: Path) -> None:
    facts = {"farthing": {"kind": "match", "languages": ["de", "en"]}}
    assert known_languages(folder_with(tmp_path, facts, "---\nlanguage: en\n---\n")) == {"de", "en"}
    facts = {"farthing": {"kind": "match", "measured": ["de", "zh"]}}
    assert known_languages(folder_with(tmp_path, facts)) == {"de", "zh"}
    check_multilingual("sentsim", str(tmp_path))


@pytest.mark.parametrize("name", ["small", "tiny", "nano"])
def test_farthing_s_own_students_read_english(name: str) -> None:
    assert known_languages(EMBEDDED / name) == {"en"}
    with pytest.raises(SpecError, match=f"sentsim compares two languages, but {name} reads only English: name a"):
        check_multilingual("sentsim", name)


def test_a_model_of_which_nothing_is_known_passes(tmp_path: Path) -> None:
    check_multilingual("sentsim", str(folder_with(tmp_path, {})))
    folder_with(tmp_path, {}, "---\nlanguage: multilingual\n---\n")
    check_multilingual("sentsim", str(tmp_path))
    folder_with(tmp_path, {}, "---\nlanguage: de\n---\n")
    with pytest.raises(SpecError, match="reads only de"):
        check_multilingual("sentsim", str(tmp_path))
