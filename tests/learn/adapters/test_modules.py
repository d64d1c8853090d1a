"""The parts of adapters, against closed forms."""

from __future__ import annotations

import numpy as np
import torch

from farthing.learn.adapters.modules import Bottleneck, LowRankLinear, PhmLinear, ScaledLinear


def test_a_phm_layer_is_a_sum_of_kronecker_products() -> None:
    torch.manual_seed(1)
    rule = torch.nn.Parameter(torch.randn(4, 4, 4))
    layer = PhmLinear(8, 12, rule)
    values = torch.randn(3, 8)
    inner = (layer.left @ layer.right).detach().numpy()
    matrix = sum(np.kron(rule[n].detach().numpy(), inner[n]) for n in range(4))
    expected = values.numpy() @ matrix + layer.bias.detach().numpy()
    np.testing.assert_allclose(layer(values).detach().numpy(), expected, atol=1e-5)


def test_a_bottleneck_that_starts_at_zero_adds_nothing() -> None:
    assert torch.equal(Bottleneck(8, 2, "relu", zero=True)(torch.randn(3, 8)), torch.zeros(3, 8))


def test_a_shared_rule_is_no_parameter_of_its_layers() -> None:
    rule = torch.nn.Parameter(torch.randn(4, 4, 4))
    names = {name for name, _ in Bottleneck(16, 4, "gelu", rule=rule).named_parameters()}
    assert names == {f"{way}.{part}" for way in ("down", "up") for part in ("left", "right", "bias")}


def test_merged_layers_say_the_same() -> None:
    torch.manual_seed(2)
    values = torch.randn(5, 6)
    for make in (ScaledLinear, lambda inner: LowRankLinear(inner, 2, 4.0)):
        part = make(torch.nn.Linear(6, 7))
        with torch.no_grad():
            for parameter in part.parameters():
                parameter.copy_(torch.randn_like(parameter))
            before = part(values)
            torch.testing.assert_close(part.merged()(values), before, atol=1e-5, rtol=1e-5)
