"""The judge: token vectors of both texts, greedy alignment, features that are 0 for equal texts, a small head.

:mod:`farthing.students` does the same arithmetic in numpy; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from farthing.learn.data.examples import Teaches
from farthing.learn.match.mark_head import MarkHead
from farthing.learn.match.tokens import AnyTokens
from farthing.students.case_gap import NAMES as CASE_NAMES
from farthing.students.head import SLOPE, text_gaps
from farthing.students.language_gap import NAMES as LANGUAGE_NAMES
from farthing.students.layout import CASE, EDITS, LANGUAGES, ORDER, SURFACE
from farthing.students.order_gap import NAMES as ORDER_NAMES
from farthing.students.surface import NAMES as SURFACE_NAMES

MATCHING = 6  # features of the alignment; see batch_gaps()
LEAST_SCALE = 1e-3  # of a feature in which nearly all pairs of the regression are equal
RARE_SCALE = 0.1  # of a feature that is 0 for most pairs, and must not become huge for the few others
# of a feature that says something only if it is near 1, as a wrong language is; its usual noise depends on the language
WHOLE_SCALE = 1.0


class TextBatch(NamedTuple):
    """One side of a batch of pairs: padded ids, which are tokens, and which of them count (no special tokens).

    :param places: the row of each pair's text, if pairs share texts; a text is encoded once
    """

    ids: torch.Tensor
    mask: torch.Tensor
    body: torch.Tensor
    places: torch.Tensor | None = None


def text_batch(rows: Sequence[Sequence[int]], pad: int, around: tuple[int, int]) -> TextBatch:
    """Make tensors of rows of ids, special tokens included.

    :param around: how many special tokens stand before and after a text
    """
    distinct = list(dict.fromkeys(map(tuple, rows)))
    if len(distinct) < len(rows):
        numbers = {row: number for number, row in enumerate(distinct)}
        places = torch.tensor([numbers[tuple(row)] for row in rows])
        return text_batch(distinct, pad, around)._replace(places=places)
    longest = max(map(len, rows))
    ids = np.full((len(rows), longest), pad, dtype=np.int64)
    mask, body = np.zeros_like(ids), np.zeros(ids.shape, dtype=np.float32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
        body[place, around[0] : len(row) - around[1]] = 1
    return TextBatch(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(body))


class JudgeHead(torch.nn.Module):
    """A linear part and a few hidden units over features that are 0 for equal texts.

    Its value at 0 is `top`. A finished student never scores above it, so equal texts get the maximum. A pair with one
    thing wrong scores at most `cap`, a little less the worse the rest is; without a cap it is like any other.

    :param whole: places of features of which only values near 1 say something
    :param features: how many it reads; each feature after them sees one kind of error, and only the cap reads it
    :param rare: how many of the last features are 0 for most pairs
    :param overlooked: places of features that the head does not read
    """

    def __init__(
        self,
        features: int,
        hidden: int,
        rare: int = 0,
        *,
        whole: Sequence[int] = (),
        overlooked: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.rare, self.whole = rare, list(whole)
        self.scale = torch.nn.Buffer(torch.ones(features))
        self.read = torch.nn.Buffer(torch.ones(features))  # 0 for what it overlooks
        self.read[list(overlooked)] = 0
        self.cap = torch.nn.Buffer(torch.tensor(torch.inf))
        self.top = torch.nn.Parameter(torch.zeros(()))
        self.linear = torch.nn.Linear(features, 1, bias=False)
        self.hidden = torch.nn.Linear(features, hidden)
        self.out = torch.nn.Linear(hidden, 1, bias=False)
        torch.nn.init.zeros_(self.out.weight)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Give one score per row."""
        scaled = self.scaled(features)
        bend = torch.tanh(self.hidden(scaled)) - torch.tanh(self.hidden.bias)
        scores: torch.Tensor = (self.top + self.linear(scaled) + self.out(bend))[:, 0]
        capped = torch.minimum(scores, self.cap + SLOPE * (scores - self.top))
        return torch.where(self.edited(features), capped, scores)

    def scaled(self, features: torch.Tensor) -> torch.Tensor:
        """Give the features as the weights count them."""
        return features[:, : len(self.scale)] * self.read / self.scale

    def edited(self, features: torch.Tensor) -> torch.Tensor:
        """Tell which pairs have one thing wrong; several things wrong are an output like any other."""
        return torch.count_nonzero(features[:, len(self.scale) :], dim=1) == 1

    @property
    def started(self) -> bool:
        """Tell whether the head has started from a regression, which sets its scale."""
        return bool((self.scale != 1).any())

    @torch.no_grad()
    def start(self, features: torch.Tensor, targets: torch.Tensor, ridge: float = 30.0) -> None:
        """Start from the ridge regression of some targets on their features."""
        least = torch.full_like(self.scale, LEAST_SCALE)
        least[len(least) - self.rare :] = RARE_SCALE
        least[self.whole] = WHOLE_SCALE
        self.scale.copy_(torch.maximum(features[:, : len(least)].std(dim=0), least))
        scaled = self.scaled(features).double()
        centred, level = scaled - scaled.mean(dim=0), targets.double().mean()
        gram = centred.T @ centred + ridge * torch.eye(scaled.shape[1], dtype=torch.float64)
        weights = torch.linalg.solve(gram, centred.T @ (targets.double() - level))
        self.linear.weight.copy_(weights[None].float())
        self.top.fill_(float(level - scaled.mean(dim=0) @ weights))


def new_head(hidden: int, groups: Sequence[str], overlooks: Sequence[str] = ()) -> JudgeHead:
    """Make a head that has learned nothing yet; see :class:`Judge` for the groups and what is overlooked."""
    rare = len(ORDER_NAMES) * (ORDER in groups) + len(CASE_NAMES) * (CASE in groups)
    languages = MATCHING + len(SURFACE_NAMES)  # where their features begin
    return JudgeHead(
        MATCHING + text_gaps([], [], [group for group in groups if group != EDITS]).shape[1], hidden, rare,
        whole=range(languages, languages + len(LANGUAGE_NAMES)) if LANGUAGES in groups else (),
        overlooked=[
            MATCHING + place
            for place, name in enumerate(SURFACE_NAMES)
            if any(fnmatchcase(name, pattern) for pattern in overlooks)
        ],
    )  # fmt: skip


class Encoded(NamedTuple):
    """One side of a batch as the tokens' vectors and weights; what does not count weighs 0."""

    vectors: torch.Tensor
    weights: torch.Tensor


class Judgement(NamedTuple):
    """What a judge says of a batch: one score per pair, and how likely each token of a candidate is wrong (a logit).

    :param wrong: None if the judge does not learn it
    """

    scores: torch.Tensor
    wrong: torch.Tensor | None


class Judge(torch.nn.Module):
    """Tokens and head together: a student while it learns.

    :param groups: the groups of features of the texts' surface that the head reads
    :param marks: units that tell which tokens are wrong
    :param overlooks: patterns of names of surface features that the head does not read
    :param aside: add a second head, by which tokens learn from pairs that the first one shall not follow
    """

    def __init__(
        self,
        tokens: AnyTokens,
        hidden: int,
        groups: Sequence[str] = (SURFACE,),
        marks: int = 0,
        overlooks: Sequence[str] = (),
        aside: bool = False,
    ) -> None:
        super().__init__()
        self.tokens, self.groups = tokens, tuple(groups)
        self.head = new_head(hidden, groups, overlooks)
        self.marks = MarkHead(tokens.width, marks) if marks else None
        self.aside = new_head(hidden, groups, overlooks) if aside else None

    @property
    def heads(self) -> list[JudgeHead]:
        """The head, and the second one if there is one."""
        return [self.head] if self.aside is None else [self.head, self.aside]

    def features(self, candidates: TextBatch, references: TextBatch, surface: torch.Tensor) -> torch.Tensor:
        """Compute the features of every pair: those of the alignment, then those of the surface."""
        first, second = self._encoded(candidates, references)
        return torch.cat([batch_gaps(*first, *second), surface], dim=1)

    def _encoded(self, *sides: TextBatch) -> list[Encoded]:
        """Encode the texts of all sides in one pass, which is faster than one pass per side."""
        longest = max(side.ids.shape[1] for side in sides)
        ids = torch.cat([_filled(side.ids, longest) for side in sides])
        vectors, weights = self.tokens(ids, torch.cat([_filled(side.mask, longest) for side in sides]))
        encoded, begin = [], 0
        for side in sides:
            rows = torch.arange(begin, begin + len(side.ids)) if side.places is None else begin + side.places
            length, begin = side.ids.shape[1], begin + len(side.ids)
            body = side.body if side.places is None else side.body[side.places]
            encoded.append(Encoded(vectors[rows, :length], weights[rows, :length] * body))
        return encoded

    def forward(
        self, candidates: TextBatch, references: TextBatch, surface: torch.Tensor, teaches: Teaches = "all"
    ) -> Judgement:
        """Judge every pair.

        :param teaches: what learns from the judgement
        """
        first, second = self._encoded(candidates, references)
        features = torch.cat([batch_gaps(*first, *second), surface], dim=1)
        if teaches == "tokens" and self.aside is not None:
            return Judgement(self.aside(features), None)
        # the marks of a few talks would pull the tokens away from what the scores teach them
        sides = [part.detach() for part in (*first, *second)]
        return Judgement(self.head(features), None if self.marks is None else self.marks(*sides))


def _filled(rows: torch.Tensor, length: int) -> torch.Tensor:
    """Fill rows of ids or of a mask up with zeros, which the mask hides."""
    return functional.pad(rows, (0, length - rows.shape[1]))


def batch_gaps(
    first: torch.Tensor, first_weights: torch.Tensor, second: torch.Tensor, second_weights: torch.Tensor
) -> torch.Tensor:
    """Compute six differences of two aligned texts per pair, each of them 0 if the texts are equal.

    They are the mean gap between the candidate's tokens and the nearest tokens of the reference (one minus precision),
    the same in the other direction (one minus recall), one minus their F, the root mean squares of both gaps, and one
    minus the cosine of the weighted mean vectors.
    """
    similarity = first @ second.transpose(1, 2)
    other = second_weights[:, None, :] > 0
    forth = 1 - similarity.masked_fill(~other, -1.0).max(dim=2).values
    back = 1 - similarity.masked_fill(~(first_weights[:, :, None] > 0), -1.0).max(dim=1).values
    precision, recall = _mean(forth, first_weights), _mean(back, second_weights)
    sides = (1 - precision).clamp_min(0), (1 - recall).clamp_min(0)
    harmonic = 1 - 2 * sides[0] * sides[1] / (sides[0] + sides[1]).clamp_min(1e-6)
    pooled = functional.cosine_similarity(
        (first * first_weights[..., None]).sum(dim=1), (second * second_weights[..., None]).sum(dim=1), dim=1
    )
    spread = [
        (_mean(one.square(), weights) + 1e-8).sqrt() - 1e-4
        for one, weights in ((forth, first_weights), (back, second_weights))
    ]
    return torch.stack([precision, recall, harmonic, *spread, 1 - pooled], dim=1)


def _mean(values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return (values * weights).sum(dim=1) / weights.sum(dim=1).clamp_min(1e-9)
