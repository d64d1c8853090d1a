"""Which of two outputs does a judge prefer, and does it matter which one is shown first?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.judge.budget import Purse
from farthing.judge.metric import JudgeMetric
from farthing.judge.questions import row_fields


class PreferenceJudge(JudgeMetric):
    """A judge with a prompt that compares two outputs: 1 is for the first one, 2 for the second."""

    compares_outputs = True


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How the order of two outputs matters.

    :param first: how often the first one is preferred, if one is; 0.5 if the order does not matter
    :param consistent: how often the same output is preferred in both orders
    :param pairs: how many pairs were answered in both orders
    """

    first: float
    consistent: float
    pairs: int


def preference_judge(judge: JudgeMetric, prompt: str) -> PreferenceJudge:
    """Return the same judge with a prompt that compares."""
    if judge.replay is not None:
        raise UsageError(
            "known verdicts cannot say which of two outputs is better: give judge(url=…) or judge(command=…)"
        )
    names = ("url", "model", "command", "key", "temperature", "max_tokens", "request", "timeout", "concurrency",
             "retries", "rate", "verdicts")  # fmt: skip
    return PreferenceJudge(prompt=prompt, **{name: getattr(judge, name) for name in names})


def position_bias(
    judge: PreferenceJudge, pairs: Sequence[tuple[Mapping[str, str], str, str]], purse: Purse
) -> PositionBias:
    """Ask for every pair in both orders.

    :param pairs: the fields that both outputs share, and the outputs
    """
    orders = [(fields, first, second) for fields, one, two in pairs for first, second in ((one, two), (two, one))]
    questions = [judge.question({**fields, "first": first, "second": second}) for fields, first, second in orders]
    verdicts = judge.inquiry.verdicts(questions, purse)
    middle = (judge.rule.low + judge.rule.high) / 2
    told = np.array([np.nan if one.score is None else np.sign(middle - one.score) for one in verdicts]).reshape(-1, 2)
    told = told[np.isfinite(told).all(axis=1)]
    if not len(told):
        raise UsageError("no pair of outputs was answered in both orders")
    decided = told[told != 0]
    first = float((decided > 0).mean()) if len(decided) else 0.5
    return PositionBias(first, float((told[:, 0] == -told[:, 1]).mean()), len(told))


def output_pairs(texts: Pairs, segments: Sequence[str], most: int) -> Iterator[tuple[dict[str, str], str, str]]:
    """Yield pairs of different outputs for the same segment, neighbours in the order of the rows."""
    last: dict[str, dict[str, str]] = {}
    found = 0
    for fields, segment in zip(row_fields(texts), segments, strict=True):
        before = last.get(segment)
        if before is not None and before["candidate"] != fields["candidate"] and found < most:
            found += 1
            shared = {name: text for name, text in fields.items() if name != "candidate"}
            yield shared, before["candidate"], fields["candidate"]
        last[segment] = fields
