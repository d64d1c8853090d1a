"""How much a single wrong word counts: no more than it must, and nothing else of the head changes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from farthing.learn.match.edit_fit import BELOW, best_and_others, fit_cap
from farthing.learn.match.model import JudgeHead


def test_each_other_row_stands_beside_the_best_of_its_segment() -> None:
    best, others = best_and_others(np.array([0.1, 0.9, 0.5, 0.2, 0.3]), ["a", "a", "b", "a", "b"])
    assert list(zip(best.tolist(), others.tolist(), strict=True)) == [(1, 0), (1, 3), (2, 4)]


def contrasts(rows: int) -> tuple[JudgeHead, torch.Tensor, torch.Tensor, list[str]]:
    """A head, and segments of a paraphrase and a text with a wrong word that is otherwise nearer to the reference."""
    torch.manual_seed(1)
    head = JudgeHead(3, hidden=3)
    head.linear.weight.data.fill_(-1.0)
    features = torch.rand(2 * rows, 5) + 0.5
    features[:, 3:] = 0
    features[1::2] *= 0.1
    features[1::2, 3] = 0.5
    return head, features, torch.tensor([0.2, -0.2] * rows), [str(row // 2) for row in range(2 * rows)]


def test_most_damaged_texts_come_below_their_paraphrase_and_no_more_than_that() -> None:
    head, features, targets, segments = contrasts(200)
    before = {name: value.clone() for name, value in head.state_dict().items()}
    free = head(features).detach()
    assert not (free[1::2] < free[::2]).any()
    fit_cap(head, features, targets, segments)
    assert [name for name, value in head.state_dict().items() if not torch.equal(value, before[name])] == ["cap"]
    scores = head(features).detach()
    assert float((scores[1::2] < scores[::2]).float().mean()) == pytest.approx(BELOW, abs=0.01)
    assert torch.equal(scores[::2], free[::2])


def test_without_a_wrong_word_there_is_no_cap() -> None:
    head, features, targets, segments = contrasts(5)
    features[:, 3:] = 0
    fit_cap(head, features, targets, segments)
    assert bool(head.cap.isinf())
