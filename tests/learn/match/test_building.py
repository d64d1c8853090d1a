"""Judges as recipes describe them, before they learn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from farthing.core.errors import UsageError
from farthing.core.progress import silent_log
from farthing.encoders.folder.layout import WEIGHTS
from farthing.learn.match.building import new_judge, second_judge, start_folder
from farthing.learn.match.recipe import StudentRecipe
from farthing.learn.match.recipe_tables import JudgeRecipe, SourceRecipe
from farthing.learn.match.table import GroupedTable
from farthing.learn.match.tokens import BranchTokens, ContextualTokens, SharedTokens, StaticTokens
from farthing.learn.match.vocabulary import TableBits, change_words
from farthing.learn.match.work import Work


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


def words(folder: Path) -> torch.Tensor:
    """The table of word vectors in a model's folder."""
    from safetensors.torch import load_file

    [table] = [one for name, one in load_file(folder / WEIGHTS).items() if name.endswith("word_embeddings.weight")]
    return table


def test_a_student_learns_with_the_rows_that_its_graph_will_have(encoder: Path, tmp_path: Path) -> None:
    model = Path(shutil.copytree(encoder, tmp_path / "model"))
    rows = torch.randn(600, 16, generator=torch.Generator().manual_seed(1))  # more than a byte tells apart
    change_words(encoder / WEIGHTS, model / WEIGHTS, lambda table: rows)
    work = Work(tmp_path / "work", silent_log)

    def start(bits: TableBits) -> Path:
        return start_folder(StudentRecipe("match", JudgeRecipe(), table_bits=bits), model, tmp_path, work)

    assert start(8) == model
    table = words(start(2))
    assert not table.equal(rows)
    assert GroupedTable(table)(torch.arange(600)[None])[0].equal(table)  # the export loses nothing
    made = (start(2) / WEIGHTS).stat()
    assert made == (start(2) / WEIGHTS).stat()  # kept, not made again
