"""Judges as recipes describe them, before they learn."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import UsageError
from farthing.learn.match.building import new_judge, second_judge
from farthing.learn.match.recipe import JudgeRecipe, SourceRecipe
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens, StaticTokens


def test_a_judge_has_the_shape_of_its_recipe(encoder: Path) -> None:
    deep = new_judge(JudgeRecipe(depth=1, hidden=5), "match", encoder)
    assert isinstance(deep.tokens, ContextualTokens)
    assert deep.head.hidden.weight.shape[0] == 5
    again = new_judge(JudgeRecipe(depth=1, hidden=5), "match", encoder)
    assert deep.head.hidden.weight.equal(again.head.hidden.weight)  # the seed is that of the training
    assert isinstance(new_judge(JudgeRecipe(width=8, window=1), "static", encoder).tokens, StaticTokens)


def test_a_second_judge_shares_layers_that_do_not_change(encoder: Path) -> None:
    first = new_judge(JudgeRecipe(), "match", encoder)
    assert isinstance(second_judge(first, SourceRecipe(), encoder, 0).tokens, SharedTokens)
    assert isinstance(second_judge(first, SourceRecipe(shared=1), encoder, 1).tokens, BranchTokens)
    with pytest.raises(UsageError, match="raise `frozen`"):
        second_judge(first, SourceRecipe(shared=2), encoder, 1)
    with pytest.raises(UsageError, match="kind match"):
        second_judge(new_judge(JudgeRecipe(width=8), "static", encoder), SourceRecipe(), encoder, 0)
