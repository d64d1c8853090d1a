"""The card of a student that a recipe made tells where its scores come from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from farthing.learn.data.examples import Examples
from farthing.learn.match.card import write_made_card
from farthing.learn.match.panel import Assignment
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import HumanPairs, JudgeRecipe
from farthing.students.layout import CARD


def test_judge_prompt_date_and_licence_are_told(
    tmp_path: Path, write: Callable[[str, list[dict[str, object]]], Path]
) -> None:
    row = {"candidate": "a", "reference": "b", "score": 1, "judge_model": "m", "judge_prompt": "direct"}
    write("kept.jsonl", [{**row, "judge_date": "2026-01-02"}])
    write("people.jsonl", [{"candidate": "a", "reference": "b", "fluency": 1}])
    about = {"licence": "the terms of m apply", "size": "mine", "reads": ["en"]}
    (tmp_path / "config.json").write_text(json.dumps({"farthing": {"kind": "match", "against": "source", **about}}))
    human = (HumanPairs("kept.jsonl"), HumanPairs("people.jsonl", human=("fluency",)))
    recipe = StudentRecipe("match", JudgeRecipe("/models/e5-small", depth=8), human=human, about=about)
    parts = [Assignment("reference", Examples(["a"], ["b"], np.zeros(1), np.ones(1))) for _ in human]
    write_made_card(tmp_path, recipe, tmp_path, parts)
    card = (tmp_path / CARD).read_text("utf-8")
    for line in (
        "| kept.jsonl | 1 pairs, score, by judge m, prompt direct, 2026-01-02 |",
        "| people.jsonl | 1 pairs, fluency |",
        "| compares with | source |",
        "| started from | e5-small |",
        "| reads | en |",
        "| size | mine |",
        "## Licence\n\nthe terms of m apply",
        "farthing score hyp.txt -s src.txt",
    ):
        assert line in card
