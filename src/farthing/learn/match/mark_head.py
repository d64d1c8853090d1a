"""The part of a judge that tells which words are wrong: a few units over each token and its nearest token.

:mod:`farthing.students.marks` does the same arithmetic in numpy; a test compares the two.
"""

from __future__ import annotations

import torch

PLAIN = 5  # features of a token beside the vectors: see mark_features()
START = 6.0  # the slope of the logit over the gap before anything is learned


class MarkHead(torch.nn.Module):
    """Gives every token of a text a logit: how likely it is wrong, seen from the other text.

    :param width: of a token vector
    """

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(2 * width + PLAIN, units)
        self.outer = torch.nn.Linear(units, 1, bias=False)
        self.top = torch.nn.Parameter(torch.tensor(-1.0))
        with torch.no_grad():  # the first unit starts as the gap itself, the others add nothing yet
            self.outer.weight.zero_()
            self.outer.weight[0, 0] = START
            self.inner.weight[0].zero_()
            self.inner.weight[0, 2 * width] = 1.0
            self.inner.bias[0] = -0.2

    def forward(
        self, first: torch.Tensor, first_weights: torch.Tensor, second: torch.Tensor, second_weights: torch.Tensor
    ) -> torch.Tensor:
        """Give one logit per token of the first texts."""
        features = mark_features(first, first_weights, second, second_weights)
        logits: torch.Tensor = self.top + self.outer(torch.tanh(self.inner(features)))[..., 0]
        return logits


def mark_features(
    first: torch.Tensor, first_weights: torch.Tensor, second: torch.Tensor, second_weights: torch.Tensor
) -> torch.Tensor:
    """Compute what is known of every token v of the first texts and its nearest token u of the second ones.

    |v - u| and v u, both times the root of the width; then the gap 1 - cos(v, u), the mean gap of the neighbours, the
    token's share of the weight times the number of tokens, 1 - the second greatest cosine (1 if there is none), and
    1 - the greatest cosine of u with a token of the first text.
    """
    ours, theirs = first_weights > 0, second_weights > 0
    similarity = (first @ second.transpose(1, 2)).masked_fill(~(ours[:, :, None] & theirs[:, None, :]), -1.0)
    greatest = similarity.topk(min(2, similarity.shape[2]), dim=2)
    near, place = greatest.values[..., 0], greatest.indices[..., 0]
    gap = (1 - near) * ours
    back = torch.gather(1 - similarity.max(dim=1).values, 1, place)
    padded = torch.nn.functional.pad(gap, (1, 1))
    share = first_weights * ours.sum(dim=1, keepdim=True) / first_weights.sum(dim=1, keepdim=True).clamp_min(1e-9)
    match = torch.gather(second, 1, place[..., None].expand(-1, -1, second.shape[2]))
    root = first.shape[2] ** 0.5
    several = (theirs.sum(dim=1) > 1)[:, None]
    second_gap = torch.where(several, 1 - greatest.values[..., -1], torch.ones_like(gap))
    plain = [gap, (padded[:, :-2] + padded[:, 2:]) / 2, share, second_gap, back]
    return torch.cat([root * (first - match).abs(), root * first * match, torch.stack(plain, dim=-1)], dim=-1)
