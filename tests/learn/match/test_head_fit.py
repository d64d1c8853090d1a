"""How far a head leans on recall."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from farthing.learn.match.head_fit import lean
from farthing.learn.match.model import JudgeHead
from farthing.students.head import GAPS

RECALL = GAPS.index("recall")


@pytest.fixture
def features() -> torch.Tensor:
    return torch.rand(400, 9, generator=torch.Generator().manual_seed(3))


@pytest.fixture
def head(features: torch.Tensor) -> JudgeHead:
    """A head that has learned something, with bent units."""
    torch.manual_seed(4)
    head = JudgeHead(features.shape[1], hidden=3)
    head.start(features, torch.randn(len(features)) - 2 * features[:, 0])
    torch.nn.init.normal_(head.out.weight)
    return head


@pytest.mark.parametrize("share", [0.5, 2.0])
def test_a_lean_adds_recall_in_deviations_and_keeps_mean_and_spread(
    head: JudgeHead, features: torch.Tensor, share: float
) -> None:
    before = head(features).detach().double().numpy()
    lean(head, features, share)
    after = head(features).detach().double().numpy()

    recall = -features[:, RECALL].double().numpy()
    mixed = before / before.std(ddof=1) + share * recall / recall.std(ddof=1)
    expected = before.mean() + (mixed - mixed.mean()) / mixed.std() * before.std()
    np.testing.assert_allclose(after, expected, atol=2e-5)


def test_equal_texts_still_score_highest_after_a_lean(head: JudgeHead, features: torch.Tensor) -> None:
    lean(head, features, 50.0)  # nothing but recall is left, and its gap is 0 for equal texts only
    equal = head(torch.zeros(1, features.shape[1]))
    assert equal.item() == pytest.approx(head.top.item())
    assert equal.item() > head(features).max().item()
