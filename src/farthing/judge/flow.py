"""The flow of `farthing judge`: the student scores every row, a policy routes some of them to the judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.core.digest import digest_json
from farthing.core.errors import MissingInput, UsageError
from farthing.core.metric import Metric, check_pairs
from farthing.core.types import Pairs, Scores
from farthing.files.fingerprint import fingerprint
from farthing.files.inputs import Given
from farthing.judge.bill import Bill
from farthing.judge.budget import Budget, Cost, Price, Purse
from farthing.judge.drawing import Policy
from farthing.judge.earlier import EarlierTable
from farthing.judge.estimates import Labels
from farthing.judge.fitted import Rows
from farthing.judge.inquiry import OUT_OF_BUDGET, estimated_tokens
from farthing.judge.judged import JudgedRun, JudgedSystem
from farthing.judge.means import advised_share, length_against_even, verdict_means
from farthing.judge.reply import JudgeQuestion
from farthing.judge.routing import Routed, Router, RoutingPlan
from farthing.scoring.engine import score_stretches

if TYPE_CHECKING:
    from farthing.judge.metric import JudgeMetric

TOLERATED = 1.03  # an interval that is longer by so little is as long


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the user allows to be spent, before the number of rows is known: "10%", "500", or tokens, or money.

    :param rows: a part of the rows, or a number of calls
    """

    rows: str = "10%"
    tokens: int | None = None
    money: float | None = None
    price: Price | None = None

    def calls(self, rows: int) -> int:
        """Return the number of calls for so many rows.

        >>> Allowance("10%").calls(250), Allowance("12").calls(250)
        (25, 12)
        """
        text = self.rows.strip()
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = -1.0
        if not 0 < value < math.inf or (text.endswith("%") and value > 100):
            raise UsageError(f"--budget {text} is neither a part of the rows, such as 10%, nor a number of calls")
        return max(1, math.floor(rows * value / 100 + 1e-9)) if text.endswith("%") else int(value)


class JudgeFlow:
    """One run: the texts of all systems, what the student says of them, and the questions to the judge."""

    def __init__(self, judge: JudgeMetric, student: Metric, systems: Sequence[Pairs], allowance: Allowance) -> None:
        self.judge, self.student, self.systems, self.allowance = judge, student, systems, allowance
        self.parts: Path | None = None  # where the student's scores are kept while the run is not complete
        for pairs in systems:
            _check(judge, student, pairs)
        self.questions = [question for pairs in systems for question in judge.questions(pairs)]
        places: dict[str, int] = {}
        self.texts: Indices = np.array([places.setdefault(one.key, len(places)) for one in self.questions])
        self.distinct = [self.questions[row] for row in np.unique(self.texts, return_index=True)[1]]
        self.calls = allowance.calls(len(self.questions))
        kept = [judge.inquiry.kept(question) for question in self.distinct]
        self._known = np.array([np.nan if one is None or one.score is None else one.score for one in kept])
        self.kept = sum(one is not None for one in kept)

    def estimate(self) -> Bill:
        """Return what the run would cost; nobody is asked."""
        full = self._about(self.distinct)
        calls = min(self.calls, len(self.distinct))
        share = calls / len(self.distinct)
        spent = Cost(calls, math.ceil(full.tokens_in * share), math.ceil(full.tokens_out * share))
        before = self.judge.inquiry.purse(Budget(), self._name()).spent.calls
        return replace(self._bill(spent, expected=True), before=min(calls, before))

    def run(self, plan: RoutingPlan, earlier: EarlierTable | None = None) -> JudgedRun:
        """Score, route, ask, and put the results together.

        :param earlier: verdicts on other texts of these systems
        """
        if earlier is not None:
            scores = score_stretches([self.student], lambda: [[earlier.pairs]])[0][0]
            rated = earlier.rated(self._turned(scores), [pairs.system for pairs in self.systems])
            plan = replace(plan, earlier=rated)
        student = self._student()
        budget = Budget(self.calls, self.allowance.tokens, self.allowance.money, self.allowance.price)
        purse = self.judge.inquiry.purse(budget, self._name())
        rejected = list[str]()
        router = Router(
            self._rows(student), self.texts, lambda places: self._ask(places, purse, rejected),
            replace(plan, calls=min(self.calls, len(self.distinct))), lower=not self.judge.info.higher_is_better,
            kept=self._known if self.kept else None,
        )  # fmt: skip
        routed = router.route()
        refused = sum(reason != OUT_OF_BUDGET for reason in rejected)
        bill = replace(self._bill(purse.spent), rejected=refused, before=purse.earlier.calls)
        signatures = (self.judge.signature, student[0].signature)
        notes = (*_notes(rejected, routed), *_length_notes(routed, plan.policy))
        return JudgedRun(self._ranked(routed), self.systems, routed, bill, plan.policy, signatures, notes)

    @property
    def spec(self) -> str:
        """The spec of the student."""
        return self.student.info.name if self.student.origin is None else self.student.origin.spec

    def _student(self) -> list[Scores]:
        """Return the student's scores of every system; those of a run on disk are kept there until it is complete."""
        if self.parts is None:
            return score_stretches([self.student], lambda: [self.systems])[0]
        from farthing.scoring.score import Chosen, score

        found = score([Chosen(self.spec, self.student)], Given(self.systems), run=self.parts / "student")
        return [row.cells[0].scores for row in found.rows]

    def _name(self) -> str:
        """Return what identifies the run: a killed one that is started again has spent what it has spent."""
        return digest_json([self.judge.identity.digest, fingerprint(Given(self.systems))])

    def _rows(self, student: Sequence[Scores]) -> Rows:
        count = len(self.systems[0])
        systems = np.repeat(np.arange(len(self.systems)), count)
        return Rows(
            np.concatenate([self._turned(one) for one in student]),
            np.tile(np.arange(count), len(self.systems)),
            systems,
        )

    def _turned(self, student: Scores) -> Floats:
        """Return the student's scores, higher ones for higher verdicts."""
        same = self.student.info.higher_is_better == self.judge.info.higher_is_better
        return np.asarray(student.segments, dtype=float) * (1.0 if same else -1.0)

    def _ask(self, places: Indices, purse: Purse, rejected: list[str]) -> Floats:
        verdicts = self.judge.inquiry.verdicts([self.distinct[place] for place in places], purse)
        rejected += [one.reason for one in verdicts if one.score is None]
        return np.array([np.nan if one.score is None else one.score for one in verdicts])

    def _ranked(self, routed: Routed) -> tuple[JudgedSystem, ...]:
        low, high = self.judge.info.range
        bounds = -math.inf if low is None else low, math.inf if high is None else high
        means = [replace(one, bounds=bounds) for one in verdict_means(routed, len(self.systems))]
        up = self.judge.info.higher_is_better
        own = [routed.rows.systems == place for place in range(len(self.systems))]
        scores = [float(routed.scores[rows].mean()) for rows in own]
        judged = [int(np.isfinite(routed.verdicts[rows]).sum()) for rows in own]
        ranks = [1 + sum(other > score if up else other < score for other in scores) for score in scores]
        names = [pairs.system for pairs in self.systems]
        return tuple(map(JudgedSystem, names, scores, means, ranks, judged))

    def _about(self, questions: Sequence[JudgeQuestion]) -> Cost:
        """Return about what some questions cost."""
        told = sum(estimated_tokens(message["content"]) for one in questions for message in one.messages)
        out = self.judge.inquiry.settings.most_out if self.judge.url else 0
        return Cost(len(questions), told, out * len(questions))

    def _bill(self, spent: Cost, expected: bool = False) -> Bill:
        full = self._about(self.questions)
        rows, texts = len(self.questions), len(self.distinct)
        return Bill(spent, full, rows, texts, self.kept, price=self.allowance.price, expected=expected)


def _check(judge: JudgeMetric, student: Metric, pairs: Pairs) -> None:
    """Raise a sentence if texts are missing that the judge or the student needs."""
    check_pairs(judge.info, pairs)
    try:
        check_pairs(student.info, pairs)
    except MissingInput as error:
        raise MissingInput(f"{error}, or name a student that does not need it: --student SPEC") from None


def _notes(rejected: Sequence[str], routed: Routed) -> list[str]:
    """Return one sentence per reason for which rows have no verdict, and one for verdicts from before."""
    reasons = {reason: rejected.count(reason) for reason in dict.fromkeys(rejected)}
    told = [f"{count} texts have no verdict: {reason}" for reason, count in list(reasons.items())[:5]]
    return told if routed.kept is None or not np.isfinite(routed.kept).any() else [*told, _kept_note(routed.kept)]


def _kept_note(kept: Labels) -> str:
    count = int(np.isfinite(kept).sum())
    return (
        f"{count} rows have a verdict from before, not asked for now: it is their score, and no part of the intervals"
    )


def _length_notes(routed: Routed, policy: Policy) -> list[str]:
    """Tell a user of `worst` what it costs: its intervals rest on the drawn rows alone."""
    ratio = length_against_even(routed)
    if policy != "worst" or ratio <= TOLERATED:
        return []
    drawn, judged = int(routed.drawn.sum()), int(np.isfinite(routed.verdicts).sum())
    share = advised_share(routed)
    remedy = f"--random-share {share:.2f}" if share < 1 else "--policy uncertain"
    return [
        f"the intervals are about {ratio:.1f} times as long as those of as many rows drawn evenly, since only {drawn} "
        f"of {judged} verdicts were drawn; with {remedy} they would not be longer"
    ]
