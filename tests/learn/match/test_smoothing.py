"""Evened channels: the same products, and less lost in 8 bits."""

from __future__ import annotations

import pytest
import torch
from transformers import BertConfig, BertModel

from farthing.learn.match.smoothing import Smoothed, channel_factors, channel_sizes, smoothed

ROWS = [[1, 5, 9, 2], [1, 7, 2], [1, 3, 4, 11, 6, 2]]


@pytest.fixture(scope="module")
def model() -> BertModel:
    torch.manual_seed(1)
    config = BertConfig(vocab_size=20, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32)
    return BertModel(config, add_pooling_layer=False).eval()


def rounded(values: torch.Tensor, dim: int | None = None) -> torch.Tensor:
    """What 8 bits keep, with one scale for all values or one per row."""
    most = values.abs().amax() if dim is None else values.abs().amax(dim=dim, keepdim=True)
    return (values / most * 127).round() * most / 127


def test_the_model_gives_the_same_and_is_put_back(model: BertModel) -> None:
    ids = torch.tensor([ROWS[2]])
    before, names = model(input_ids=ids).last_hidden_state, [type(part) for part in model.modules()]
    with smoothed(model, ROWS):
        assert sum(isinstance(part, Smoothed) for part in model.modules()) == 12  # six products per layer
        torch.testing.assert_close(model(input_ids=ids).last_hidden_state, before, atol=1e-5, rtol=1e-4)
    assert [type(part) for part in model.modules()] == names
    torch.testing.assert_close(model(input_ids=ids).last_hidden_state, before, atol=0, rtol=0)


def test_without_texts_nothing_changes(model: BertModel) -> None:
    with smoothed(model, []):
        assert not any(isinstance(part, Smoothed) for part in model.modules())


def test_sizes_are_the_greatest_values_of_all_texts(model: BertModel) -> None:
    layer, seen = model.encoder.layer[1].output.dense, []
    hook = layer.register_forward_pre_hook(lambda _, given: seen.append(given[0][0]))
    with torch.no_grad():
        for row in ROWS:
            model(input_ids=torch.tensor([row]))
    hook.remove()
    [size, nothing] = channel_sizes(model, [layer, torch.nn.Linear(2, 2)], ROWS)
    assert nothing is None
    torch.testing.assert_close(size, torch.cat(seen).abs().amax(dim=0))


def test_a_product_with_one_huge_channel_loses_less() -> None:
    torch.manual_seed(2)
    states, linear = torch.randn(50, 8), torch.nn.Linear(8, 4, bias=False).requires_grad_(False)
    states[:, 3] *= 300
    exact = states @ linear.weight.T
    factors = channel_factors(states.abs().amax(dim=0), linear.weight)
    plain = rounded(states) @ rounded(linear.weight, 1).T
    evened = rounded(states / factors) @ rounded(linear.weight * factors, 1).T

    def error(found: torch.Tensor) -> float:
        return float((found - exact).square().mean())

    assert error(evened) < error(plain) / 2
