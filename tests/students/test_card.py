"""The card writer: the shipped cards come out of it, and every given fact is in the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.card import LIMITS, MatchFacts, cross_card, match_card
from farthing.students.language_card import written_card
from farthing.students.layout import CARD, StudentFolder

FACTS: MatchFacts = {
    "spec": "frugalscore(size=mine)",
    "recipe": "recipes/mine.toml",
    "quality": {
        "frugalscore(size=mine)": {
            "wmt16": {"cs-en": 0.71234, "mean": 1.0},
            "tasks": {"STS-B": -0.05, "mean": 0.5},
            "paws": 0.61,
            "damage": {"drop": 0.75, "above the equal text": 3},
            "typical": [61.4, 47.6, 75.0],
            "agreement": {"small": 0.9, "mine": 1.0},
        },
        "bertscore(model=/models/minilm-l6, layer=5)": {
            "wmt16": {"cs-en": 0.5, "mean": 0.5}, "tasks": {"STS-B": 0.4, "mean": 0.4}, "paws": 0.5,
        },
    },
    "sections": {"Speed": "Ten pairs per second."},
    "failures": [{"candidate": "a", "reference": "b", "why": "an idiom", "same": True, "score": 12.6}],
    "origin": "none of its own",
}  # fmt: skip


@pytest.mark.parametrize("size", sorted(path.name for path in EMBEDDED.iterdir()))
def test_the_shipped_card_comes_out_of_the_writer(size: str) -> None:
    folder = StudentFolder.read(EMBEDDED / size)
    assert written_card(folder) == (folder.path / CARD).read_text(encoding="utf-8")


def test_a_matching_student_is_told_whole(student_folder: Path) -> None:
    card = match_card(StudentFolder.read(student_folder), FACTS)
    for line in (
        "A student of the kind `static`, 0.0 MB, for English from a sentence to a paragraph.",
        "Version 1 of its weights, made by `farthing learn student recipes/mine.toml`.",
        "| metric | cs-en | mean |",
        "| frugalscore(size=mine) | .712 | 1.000 |",
        "| bertscore over minilm-l6 | .500 | .500 |",
        "| frugalscore(size=mine) | -.050 | .500 |",
        "| drop | above the equal text |",
        "| 0.750 | 3 |",
        "### Speed",
        "Ten pairs per second.",
        "| a | b | an idiom; should be high | 13 |",
    ):
        assert f"\n{line}\n" in card
    assert "mean of 61; a quarter of them score below 48,\na quarter above 75." in card
    assert "A text of more than 12 tokens is read in windows" in card
    assert "correlation of 0.900 with those of `small`" in card
    assert "with those of `mine`" not in card  # a student is not its own teacher


def test_a_cross_encoder_is_told_by_its_facts() -> None:
    facts = {
        "teacher": "chrf", "parameters": 4386049, "precision": "int8", "pairs": 20, "licence": "MIT",
        "held_out": {"pearson": 0.912345}, "human_agreement": {"pearson": 0.7, "data": "wmt16"},
        "start": {"name": "/models/bert-tiny/", "depth": 2}, "settings": {"epochs": 3, "limit": None},
        "recipe": {"sources": ["outputs"]},
    }  # fmt: skip
    card = cross_card("mine", facts)
    for line in (
        "| teacher | `chrf` |",
        "| parameters | 4,386,049 |",
        "| Pearson with the teacher, held-out pairs | 0.9123 |",
        "| Pearson with people | 0.7 (wmt16) |",
        "| started from | bert-tiny |",
        "| layers kept | 2 |",
        "| epochs | 3 |",
        "## Licence\n\nMIT",
        'frugalscore(model=mine)"',
        "## Recipe of the pairs",
    ):
        assert line in card
    assert "| limit |" not in card
    assert card.count("\n- ") == len(LIMITS) + 1  # int8 has a limit of its own


def test_a_student_of_verdicts_names_its_judge() -> None:
    tuned = {"human": ["verdicts"], "pairs": 90, "scores_by": "judge m, prompt direct, 2026-01-01",
             "validation": {"best_epoch": 2, "verdicts": 0.61234}}  # fmt: skip
    card = cross_card("mine", {"finetuned": tuned, "against": "source", "licence": "the terms of m apply"})
    for line in (
        "| fine-tuned on | verdicts |",
        "| whose scores are by | judge m, prompt direct, 2026-01-01 |",
        "| compares with | source |",
        "| Pearson with the scores, held-out pairs of verdicts | 0.6123 |",
        "| pairs of the fine-tuning | 90 |",
        "## Licence\n\nthe terms of m apply",
        "farthing score hyp.txt -s src.txt",
    ):
        assert line in card
    assert "teacher |" not in card


def test_nothing_is_known_and_nothing_breaks() -> None:
    card = cross_card("bare", {})
    assert "| teacher | `unknown` |" in card
    assert "## Licence\n\nunknown" in card
    assert "Recipe" not in card
