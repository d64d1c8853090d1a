"""Scored pairs as token ids, and what is held out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from farthing.core.errors import InputError
from farthing.learn.data.dataset import Collate, PairDataset, check_targets, held_out, tokenised


def test_pairs_are_tokenised_as_by_the_models_own_tokenizer(encoder: Path, corpus: list[str]) -> None:
    peer = AutoTokenizer.from_pretrained(encoder)
    rows = tokenised(encoder, corpus[:5], corpus[5:10], 64)
    for row, first, second in zip(rows, corpus[:5], corpus[5:10], strict=True):
        wanted = peer(first, second)
        assert list(row.ids) == wanted["input_ids"]
        assert list(row.types) == wanted["token_type_ids"]
    assert all(len(row.ids) <= 12 for row in tokenised(encoder, corpus[:5], corpus[5:10], 12))


def test_a_batch_is_padded_to_its_longest_pair(encoder: Path, corpus: list[str]) -> None:
    data = PairDataset(tokenised(encoder, corpus[:3], corpus[3:6], 64), np.array([0.5, 1.0, 2.0]))
    batch = Collate(pad=0, typed=True)([data[row] for row in range(3)])
    assert batch["input_ids"].shape == (3, data.lengths.max())
    assert batch["attention_mask"].sum(dim=1).tolist() == data.lengths.tolist()
    assert torch.equal(batch["labels"], torch.tensor([0.5, 1.0, 2.0]))
    assert "token_type_ids" not in Collate(pad=0, typed=False)([data[0]])


def test_held_out_rows_are_whole_documents_and_not_too_many() -> None:
    documents = [str(row // 3) for row in range(300)]
    train, check = held_out(documents, 0.1, 10**6, seed=1)
    assert sorted([*train, *check]) == list(range(300))
    assert not {documents[row] for row in train} & {documents[row] for row in check}
    assert 24 <= len(check) <= 33
    assert len(held_out(documents, 0.5, 10, seed=1)[1]) <= 10
    with pytest.raises(InputError, match="one document"):
        held_out(["same"] * 5, 0.5, 10, seed=1)


def test_targets_that_teach_nothing() -> None:
    check_targets(np.array([1.0, 2.0]), "p.parquet")
    with pytest.raises(InputError, match=r"p\.parquet: there is only one pair"):
        check_targets(np.array([1.0]), "p.parquet")
    with pytest.raises(InputError, match=r"all scores are the same \(3\)"):
        check_targets(np.array([3.0, 3.0]), "p.parquet")
