"""Which rows a judge sees, and what follows for the others.

The policy `worst` spends most of the budget on the outputs that the student rates worst, in rounds: verdicts shift
the expectations of other outputs of the same segment, and the next round asks for what is then expected to be worst.
The rest of the budget is drawn from all other rows. The policy `uncertain` draws all of it, with higher probabilities
for rows whose verdicts vary more; `random` draws evenly. Equal texts are judged once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.judge.drawing import FLOOR, Policy, drawing_probabilities, drawn_rows, graded_weights
from farthing.judge.estimates import Labels
from farthing.judge.fitted import EarlierVerdicts, Rows, predicted_verdicts

AskRows: TypeAlias = Callable[[Indices], Labels]  #: asks for some texts, by number; NaN if there is no verdict
SHARE, LEAST_DRAWN = 0.2, 50  # of the calls, how many are drawn at random at least
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class RoutingPlan:
    """How a budget is spent.

    :param calls: how many distinct texts may be judged
    :param share: the part of the calls that is drawn at random; at least fifty, or half of the calls if they are fewer
    :param floor: the least probability of any row
    :param earlier: verdicts on other texts of the same systems, if there are any
    """

    calls: int
    policy: Policy = "worst"
    share: float = SHARE
    floor: float = FLOOR
    seed: int = 0
    earlier: EarlierVerdicts | None = None

    def drawn(self, texts: int) -> int:
        """Return how many calls are drawn at random."""
        if self.policy != "worst":
            return min(self.calls, texts)
        least = max(self.share * self.calls, self.floor * texts, min(LEAST_DRAWN, self.calls / 2))
        return min(self.calls, math.ceil(least))


@dataclass(frozen=True, slots=True, eq=False)
class Routed:
    """What was asked, and what was answered, for every row.

    :param verdicts: NaN for a row that was not judged
    :param probabilities: how likely each row was to be judged, given what was asked before
    :param drawn: whether a row was drawn at random, not chosen
    :param helper: what was expected before rows were drawn, on whatever scale
    :param expected: what the judge would say, as far as the student and all verdicts tell
    :param kept: verdicts that were there before and that the policy did not ask for: they are scores, but no part of
        the means with intervals, since nobody knows how they came to be; None if there are none
    """

    rows: Rows
    verdicts: Labels
    probabilities: Floats
    drawn: np.ndarray
    helper: Floats
    expected: Floats
    kept: Labels | None = None
    scores: Floats = field(init=False)  #: the verdict, or what is expected

    def __post_init__(self) -> None:
        others = self.expected if self.kept is None else np.where(np.isnan(self.kept), self.expected, self.kept)
        object.__setattr__(self, "scores", np.where(np.isnan(self.verdicts), others, self.verdicts))


class Router:
    """Spends a budget.

    :param rows: with the student's scores turned so that higher ones mean higher verdicts
    :param texts: the number of each row's texts; equal texts have equal numbers
    :param ask: asks for texts by these numbers
    :param lower: the judge's scores are better when lower
    :param kept: a verdict for each text that has one already; whatever the policy asks for comes from `ask`
    """

    def __init__(
        self,
        rows: Rows,
        texts: Indices,
        ask: AskRows,
        plan: RoutingPlan,
        *,
        lower: bool = False,
        kept: Labels | None = None,
    ) -> None:
        self.rows, self.texts, self._ask, self.plan, self._kept = rows, texts, ask, plan, kept
        self._sign = -1.0 if lower else 1.0
        self.count = int(texts.max()) + 1
        self._first = np.unique(texts, return_index=True)[1]
        self._answers, self._chances = np.full(self.count, np.nan), np.ones(self.count)
        self._drawn = np.zeros(self.count, dtype=bool)

    def route(self) -> Routed:
        """Ask, and predict the rest."""
        plan = self.plan
        drawn = plan.drawn(self.count)
        self._choose(min(plan.calls, self.count) - drawn)
        helper = self._expected()
        self._draw(min(drawn, self.count))
        verdicts, chances = self._answers[self.texts], self._chances[self.texts]
        kept = None if self._kept is None else np.where(np.isnan(verdicts), self._kept[self.texts], np.nan)
        return Routed(self.rows, verdicts, chances, self._drawn[self.texts], helper, self._expected(), kept)

    def _expected(self) -> Floats:
        judged, weights = self._answers[self.texts], 1 / self._chances[self.texts]
        return predicted_verdicts(self.rows, judged, weights, self.plan.earlier)

    def _worst(self) -> Floats:
        """Return, for every text, where it stands: the lower, the worse."""
        known = self.plan.earlier is not None or int(np.isfinite(self._answers).sum()) > 2
        return np.asarray(self._sign * (self._expected() if known else self.rows.student)[self._first])

    def _choose(self, count: int) -> None:
        """Ask for the texts that are expected to be worst, round by round."""
        asked = np.zeros(self.count, dtype=bool)
        for number in range(_ROUNDS if count > 0 else 0):
            goal = count * (number + 1) // _ROUNDS - int(asked.sum())
            places = np.argsort(np.where(asked, np.inf, self._worst()), kind="stable")[:goal]
            if len(places):
                asked[places] = True
                self._answers[places] = self._ask(places)

    def _draw(self, count: int) -> None:
        """Ask for texts drawn from all that have no verdict yet."""
        rest = np.flatnonzero(np.isnan(self._answers))
        if not len(rest) or not count:
            return
        order = self._worst()[rest]
        weights = np.ones(len(rest)) if self.plan.policy == "random" else graded_weights(order)
        chances = drawing_probabilities(weights, count, self.plan.floor)
        random = np.random.default_rng(self.plan.seed)
        places = random.permutation(rest[drawn_rows(chances, order, random)])  # whatever is cut off is cut by chance
        answers = self._ask(places)
        answered = np.isfinite(answers)
        # A call that failed, or that the budget cut off, is taken for chance: the others stand for it.
        self._chances[rest] = chances * (answered.mean() if answered.any() else 1.0)
        self._answers[places] = answers
        self._drawn[places[answered]] = True
