"""How far a judge can be trusted: does it repeat itself, agree with people, and look at the length of a text?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.judge.budget import Budget
from farthing.judge.preference import PositionBias, output_pairs, position_bias, preference_judge
from farthing.meta.judgements import Judgements

if TYPE_CHECKING:
    from farthing.judge.metric import JudgeMetric


@dataclass(frozen=True, slots=True)
class JudgeConsistency:
    """What was found; None if it could not be measured.

    :param rows: how many rows were answered every time
    :param times: how often each was asked
    :param correlation: of two askings of the same rows, on average
    :param deviation: the standard deviation of a row's scores; None if each was asked once
    :param equal: the part of the rows that got the same score every time; None if each was asked once
    :param people: Pearson correlation of the mean score with people's
    :param length: correlation with the length of the text, given what people say, if they say it
    :param position: how the order of two outputs matters
    """

    rows: int
    times: int
    correlation: float | None
    deviation: float | None
    equal: float | None
    people: float | None
    length: float | None
    position: PositionBias | None = None


def study_consistency(
    judged: Judgements, judge: JudgeMetric, times: int = 3, rows: int = 100, seed: int = 0, human: str | None = None,
    preference: str | None = None,
) -> JudgeConsistency:  # fmt: skip
    """Ask a judge for the same rows several times; known verdicts, which do not vary, once.

    :param rows: how many rows are drawn
    :param human: the column of people's scores; by default the first, if there is one
    :param preference: a prompt that compares two outputs, for the bias of positions
    """
    times = times if judge.replay is None else 1
    random = np.random.default_rng(seed)
    places = np.sort(random.permutation(len(judged.texts))[:rows]).tolist()
    drawn = judged.taking(places)
    purse = judge.inquiry.purse(Budget(judge.budget))
    questions = [judge.questions(drawn.texts, sample) for sample in range(times)]
    verdicts = judge.inquiry.verdicts([one for some in questions for one in some], purse)
    scores = np.array([np.nan if one.score is None else one.score for one in verdicts]).reshape(times, -1)
    answered = np.isfinite(scores).all(axis=0)
    if int(answered.sum()) < 3:
        raise UsageError(
            f"the judge answered {int(answered.sum())} rows every time, which is too few: {verdicts[0].reason}"
        )
    people = drawn.judged(human)[answered] if drawn.scores else None
    lengths = np.log([max(1, len(text)) for text in drawn.texts.candidates])[answered]
    position = None
    if preference is not None:
        comparing = preference_judge(judge, preference)
        pairs = list(output_pairs(judged.texts, judged.items, rows))
        position = position_bias(comparing, pairs, purse)
    return measured_consistency(scores[:, answered], people, lengths, position)


def measured_consistency(
    scores: Floats, people: Floats | None, lengths: Floats, position: PositionBias | None = None
) -> JudgeConsistency:
    """Measure consistency on scores[time, row]."""
    times, rows = scores.shape
    pairs = [_pearson(scores[one], scores[two]) for one in range(times) for two in range(one)]
    known = [value for value in pairs if value is not None]
    mean = scores.mean(axis=0)
    has_people = people is not None and bool(np.isfinite(people).all())
    return JudgeConsistency(
        rows=rows,
        times=times,
        correlation=float(np.mean(known)) if known else None,
        deviation=float(np.sqrt(scores.var(axis=0, ddof=1).mean())) if times > 1 else None,
        equal=float((scores == scores[0]).all(axis=0).mean()) if times > 1 else None,
        people=_pearson(mean, people) if has_people and people is not None else None,
        length=partial_correlation(mean, lengths, people if has_people else None),
        position=position,
    )


def partial_correlation(first: Floats, second: Floats, given: Floats | None) -> float | None:
    """Return the correlation of what is left of two values when a third one is accounted for, if there is one."""
    if given is None:
        return _pearson(first, second)
    design = np.column_stack([np.ones(len(given)), given])
    left, right = (values - design @ np.linalg.lstsq(design, values, rcond=None)[0] for values in (first, second))
    return _pearson(left, right)


def _pearson(first: Floats, second: Floats) -> float | None:
    """Return Pearson's correlation; None if one side does not vary."""
    if np.std(first) < 1e-12 or np.std(second) < 1e-12:
        return None
    return float(np.corrcoef(first, second)[0, 1])
