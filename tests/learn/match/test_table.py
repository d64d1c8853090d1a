"""Tables of word vectors in 2 bits per number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.core.errors import UsageError
from farthing.encoders.folder.layout import TOKENIZER, WEIGHTS
from farthing.learn.match.table import (
    GROUP,
    GROUPS,
    GroupedTable,
    from_groups,
    grouped_words,
    in_groups,
    write_rounded,
)
from farthing.learn.match.tokens import load_transformer


def made_rows(count: int, places: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of groups, the groups, and the rows that they stand for."""
    random = np.random.default_rng(seed)
    groups = random.normal(size=(places, GROUPS, GROUP)).astype(np.float16)
    numbers = random.integers(0, GROUPS, (count, places))
    rows = np.stack([groups[place][numbers[:, place]] for place in range(places)], axis=1)
    return numbers, groups, rows.reshape(count, -1).astype(np.float32)


def squared_error(rows: np.ndarray, rounded: np.ndarray) -> float:
    return float(((rows - rounded) ** 2).sum() / (rows**2).sum())


def test_rows_that_were_rounded_before_come_back() -> None:
    _, _, rows = made_rows(3000, 3)
    assert np.array_equal(from_groups(*in_groups(rows)), rows)


def test_normal_numbers_are_rounded_nearly_as_well_as_possible() -> None:
    """No code of 2 bits per number can have less than 1/16 of the variance (Shannon); a scalar one has .1175 (Max)."""
    rows = np.random.default_rng(2).normal(size=(6000, 8)).astype(np.float32)
    assert 1 / 16 < squared_error(rows, from_groups(*in_groups(rows))) < 0.095


def test_every_row_gets_its_nearest_group() -> None:
    rows = np.random.default_rng(3).normal(size=(500, 8)).astype(np.float32)
    numbers, groups = in_groups(rows)
    for place in range(2):
        parts = rows[:, GROUP * place : GROUP * (place + 1)]
        distances = ((parts[:, None] - groups[place][None].astype(np.float32)) ** 2).sum(axis=2)
        chosen = distances[np.arange(len(rows)), numbers[:, place]]
        assert chosen == pytest.approx(distances.min(axis=1), abs=1e-5)


def test_a_row_needs_whole_groups() -> None:
    with pytest.raises(UsageError, match="multiple of 4 numbers, not of 30"):
        in_groups(np.ones((2, 30), np.float32))


def test_the_module_looks_rows_up() -> None:
    _, _, rows = made_rows(400, 2)
    ids = torch.tensor([[0, 399, 7, 7, 21]])
    table = GroupedTable(torch.from_numpy(rows))
    assert np.array_equal(table(ids).numpy(), rows[ids.numpy()])
    assert table.numbers.numel() == rows.size / 4


def test_the_full_table_comes_back(encoder: Path) -> None:
    model = load_transformer(encoder, 1)
    full = model.get_input_embeddings()
    with grouped_words(model):
        assert isinstance(model.get_input_embeddings(), GroupedTable)
    assert model.get_input_embeddings() is full


def test_a_rounded_folder_differs_only_in_its_words(encoder: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    write_rounded(encoder, tmp_path / "rounded", seed=1)
    before, after = load_file(encoder / WEIGHTS), load_file(tmp_path / "rounded" / WEIGHTS)
    assert {name for name in before if not np.array_equal(before[name], after[name])} <= {
        name for name in before if name.endswith("word_embeddings.weight")
    }
    [words] = [after[name] for name in after if name.endswith("word_embeddings.weight")]
    assert np.array_equal(GroupedTable(torch.from_numpy(words))(torch.arange(len(words))[None])[0].numpy(), words)
    assert (tmp_path / "rounded" / TOKENIZER).read_bytes() == (encoder / TOKENIZER).read_bytes()


def test_a_real_table_loses_no_more_than_normal_numbers(multilingual: Path) -> None:
    from safetensors import safe_open

    with safe_open(multilingual / "model.safetensors", "np") as weights:
        rows = weights.get_slice("embeddings.word_embeddings.weight")[5000:25000].astype(np.float32)
    assert squared_error(rows, from_groups(*in_groups(rows))) < 0.095
