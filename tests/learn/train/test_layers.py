"""Cutting a transformer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

from farthing.core.errors import ModelError, UsageError
from farthing.learn.train.layers import count_parameters, drop_layers, keep_first_layers


def test_a_cut_model_ends_at_the_hidden_state_of_its_last_layer(make_bert: Callable[..., Path]) -> None:
    folder = make_bert(num_hidden_layers=3)
    whole, cut = (AutoModel.from_pretrained(folder).eval() for _ in range(2))
    keep_first_layers(cut, 2)
    ids = torch.tensor([[2, 7, 9, 3]])
    with torch.no_grad():
        wanted = whole(input_ids=ids, output_hidden_states=True).hidden_states[2]
        assert torch.equal(cut(input_ids=ids).last_hidden_state, wanted)
    assert cut.config.num_hidden_layers == 2


@pytest.mark.parametrize("depth", [0, 3])
def test_layers_that_are_not_there(encoder: Path, depth: int) -> None:
    with pytest.raises(UsageError, match=f"has 2 layers: it cannot keep the first {depth}"):
        keep_first_layers(AutoModel.from_pretrained(encoder), depth)


def test_a_model_whose_layers_are_not_found(encoder: Path) -> None:
    model = AutoModel.from_pretrained(encoder)
    model.others = torch.nn.ModuleList([torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)])
    with pytest.raises(ModelError, match="the layers of a bert are not found"):
        keep_first_layers(model, 1)


def test_parameters_are_counted_once() -> None:
    assert count_parameters(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 1))) == 12 + 4 + 4 + 1


def test_dropped_layers_leave_the_others_as_they_were(make_bert: Callable[..., Path]) -> None:
    model = AutoModel.from_pretrained(make_bert(num_hidden_layers=4)).eval()
    ids = torch.tensor([[2, 7, 9, 3]])
    with torch.no_grad():
        states, mask = model.embeddings(input_ids=ids), None
        for place in (0, 3):
            states = model.encoder.layer[place](states, mask)
            states = states[0] if isinstance(states, tuple) else states
        drop_layers(model, [1, 2])
        assert torch.allclose(model(input_ids=ids).last_hidden_state, states, atol=1e-6)
    assert model.config.num_hidden_layers == 2


@pytest.mark.parametrize("dropped", [[2], [0, 1], [-1]])
def test_layers_that_cannot_be_dropped(encoder: Path, dropped: list[int]) -> None:
    with pytest.raises(UsageError, match="has 2 layers: it cannot leave out"):
        drop_layers(AutoModel.from_pretrained(encoder), dropped)
