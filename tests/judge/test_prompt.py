"""Prompts: what ships, what is filled in, and what is refused before anybody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import FarthingError
from farthing.judge.prompt import prompt_path, read_prompt, shipped_prompts

FIELDS = dict.fromkeys(("candidate", "reference", "references", "source", "first", "second"), "TEXT")


@pytest.mark.parametrize("name", shipped_prompts())
def test_shipped_prompts_can_be_filled(name: str) -> None:
    prompt = read_prompt(name)
    [message] = prompt.filled(FIELDS)
    assert message["role"] == "user"
    assert "TEXT" in message["content"]
    assert len(prompt.digest) == 12


def test_the_usual_prompts_ship() -> None:
    wanted = {"direct", "stars", "errors", "coherence", "consistency", "fluency", "relevance"}
    assert wanted <= {*shipped_prompts()}
    assert read_prompt("direct").needs == {"reference", "source"}
    assert read_prompt("fluency").needs == set()
    assert read_prompt("preference").compares


def write(folder: Path, text: str) -> str:
    path = folder / "mine.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_prompt_of_the_users_own(tmp_path: Path) -> None:
    name = write(
        tmp_path, '+++\nrule = "json"\nfield = "grade"\nhigh = 10\nsystem = "Be fair."\n+++\nRate {candidate} {{}}\n'
    )
    prompt = read_prompt(name)
    assert prompt.filled({"candidate": "x {y}"}) == [
        {"role": "system", "content": "Be fair."},
        {"role": "user", "content": "Rate x {y} {}"},
    ]
    assert (prompt.rule.rule, prompt.rule.field, prompt.rule.high) == ("json", "grade", 10)
    assert prompt_path(name) == Path(name)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Rate {candidate}", "begins with a header"),
        ("+++\nhigh = 5\n+++\nRate {candidate}", "no rule for reading the answer"),
        ('+++\nrule = "guess"\n+++\nRate {candidate}', "rule = 'guess' is not"),
        ('+++\nrule = "number"\nlow = 5\nhigh = 5\n+++\nRate {candidate}', "must be below"),
        ('+++\nrule = "number"\ncolour = 1\n+++\nRate {candidate}', "colour"),
        ('+++\nrule = "number"\n+++\nRate {translation}', "unknown field"),
        ('+++\nrule = "number"\n+++\nRate {source}', "shows no output"),
        ('+++\nrule = "number"\n+++\nRate {first}', "shows no output"),
        ('+++\nrule = "number"\n+++\nRate {candidate} {', "neither a field nor doubled"),
        ('+++\nrule = "number"\n+++\nRate {candidate.__class__}', "unknown field"),
        ('+++\nrule = "json"\n+++\nRate {candidate} as {"score": 7}', "write it twice"),
        ("+++\nrule = \n+++\nRate {candidate}", "broken header"),
        ('x\n+++\nrule = "number"\n+++\nRate {candidate}', "text before"),
    ],
)
def test_bad_prompts_are_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(FarthingError, match=sentence):
        read_prompt(write(tmp_path, text))


def test_an_unknown_prompt_lists_those_that_there_are() -> None:
    with pytest.raises(FarthingError, match="did you mean 'direct'"):
        read_prompt("dirct")
    with pytest.raises(FarthingError, match="no such file"):
        read_prompt("nowhere/mine.md")
