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
from farthing.students.edit_gap import NAMES as EDIT_NAMES
from farthing.students.head import text_gaps
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

    Its value at 0 is `top`. A finished student never scores above it, so equal texts get the maximum.

    :param whole: places of features of which only values near 1 say something
    :param rare: how many of the last features are 0 for most pairs
    :param edits: how many of them, the last ones, see single wrong words
    :param overlooked: places of features that the head does not read
    """

    def __init__(
        self,
        features: int,
        hidden: int,
        rare: int = 0,
        edits: int = 0,
        *,
        whole: Sequence[int] = (),
        overlooked: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.rare, self.edits, self.whole = rare, edits, list(whole)
        self.scale = torch.nn.Buffer(torch.ones(features))
        self.read = torch.nn.Buffer(torch.ones(features))  # 0 for what it overlooks
        self.read[list(overlooked)] = 0
        self.top = torch.nn.Parameter(torch.zeros(()))
        self.linear = torch.nn.Linear(features, 1, bias=False)
        self.hidden = torch.nn.Linear(features, hidden)
        self.out = torch.nn.Linear(hidden, 1, bias=False)
        torch.nn.init.zeros_(self.out.weight)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Give one score per row."""
        return self._scores(self._scaled(features))

    def edits_only(self, features: torch.Tensor) -> torch.Tensor:
        """Give the same scores, from which only the linear weights of the features of edits learn."""
        scaled = self._scaled(features)
        first = len(self.scale) - self.edits
        own = scaled[:, first:] @ self.linear.weight[0, first:]
        return self._scores(scaled).detach() + own - own.detach()

    def _scaled(self, features: torch.Tensor) -> torch.Tensor:
        return features * self.read / self.scale

    def _scores(self, scaled: torch.Tensor) -> torch.Tensor:
        bend = torch.tanh(self.hidden(scaled)) - torch.tanh(self.hidden.bias)
        scores: torch.Tensor = (self.top + self.linear(scaled) + self.out(bend))[:, 0]
        return scores

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
        self.scale.copy_(torch.maximum(features.std(dim=0), least))
        scaled = self._scaled(features).double()
        centred, level = scaled - scaled.mean(dim=0), targets.double().mean()
        gram = centred.T @ centred + ridge * torch.eye(scaled.shape[1], dtype=torch.float64)
        weights = torch.linalg.solve(gram, centred.T @ (targets.double() - level))
        self.linear.weight.copy_(weights[None].float())
        self.top.fill_(float(level - scaled.mean(dim=0) @ weights))


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
    """

    def __init__(
        self,
        tokens: AnyTokens,
        hidden: int,
        groups: Sequence[str] = (SURFACE,),
        marks: int = 0,
        overlooks: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.tokens, self.groups = tokens, tuple(groups)
        case, edits = len(CASE_NAMES) * (CASE in groups), len(EDIT_NAMES) * (EDITS in groups)
        order = len(ORDER_NAMES) * (ORDER in groups)
        languages = MATCHING + len(SURFACE_NAMES)  # where their features begin
        self.head = JudgeHead(
            MATCHING + text_gaps([], [], groups).shape[1], hidden, order + case + edits, edits,
            whole=range(languages, languages + len(LANGUAGE_NAMES)) if LANGUAGES in groups else (),
            overlooked=[
                MATCHING + place
                for place, name in enumerate(SURFACE_NAMES)
                if any(fnmatchcase(name, pattern) for pattern in overlooks)
            ],
        )  # fmt: skip
        self.marks = MarkHead(tokens.width, marks) if marks else None

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
        if teaches == "edits":
            with torch.no_grad():
                features = self.features(candidates, references, surface)
            return Judgement(self.head.edits_only(features), None)
        first, second = self._encoded(candidates, references)
        scores: torch.Tensor = self.head(torch.cat([batch_gaps(*first, *second), surface], dim=1))
        if self.marks is None:
            return Judgement(scores, None)
        # the marks of a few talks would pull the tokens away from what the scores teach them
        return Judgement(scores, self.marks(*(part.detach() for part in (*first, *second))))


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
