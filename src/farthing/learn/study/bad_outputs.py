"""Is a bad output below a real translation? Empty, left in its source's language, in a third one, or unrelated.

The functions here make such cases from parallel texts and ask a metric; reading the texts is up to the caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.learn.study.measure import segment_scores

BadOutput: TypeAlias = Literal["empty", "copied source", "source language", "other language", "unrelated"]
LEAST_BYTES = 24  # shorter texts are often names and numbers, which are the same in every language
HIGH, ALIKE = 60.0, 99.0  # unrelated texts should not be above either


@dataclass(frozen=True, slots=True)
class TranslationCase:
    """A source, one real translation of it, and bad outputs by their kinds.

    :param language: the code of the language that the output should be in
    :param reference: another translation of the source; "" if there is none
    """

    language: str
    source: str
    real: str
    bad: Mapping[BadOutput, str]
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Ordering:
    """How often bad outputs score strictly below the real translation, and which do not."""

    kinds: dict[str, float]
    languages: dict[str, float]
    wrong: list[tuple[BadOutput, TranslationCase]] = field(default_factory=list)


class Unrelated(NamedTuple):
    """Scores of pairs of unrelated texts: their mean, and how many are high or look equal."""

    mean: float
    high: int
    alike: int


def parallel_cases(
    texts: Sequence[Mapping[str, str]], count: int, random: np.random.Generator
) -> list[TranslationCase]:
    """Make cases of sentences that are known in several languages, each language as often as every other.

    There is one translation per language, so a reference is made of it that lacks one word (or character).

    :param texts: the same sentence by the code of its language
    """
    languages = sorted(texts[0])
    cases: list[TranslationCase] = []
    while len(cases) < count:
        one, other = (texts[row] for row in random.choice(len(texts), 2, replace=False))
        target = languages[len(cases) % len(languages)]
        source, third = random.choice([name for name in languages if name != target], 2, replace=False)
        bad: dict[BadOutput, str] = {
            **left_as_it_was(one[source], random), "other language": one[third], "unrelated": other[target],
        }  # fmt: skip
        case = TranslationCase(target, one[source], one[target], bad, shortened(one[target], random))
        if useful(case):
            cases.append(case)
    return cases


def left_as_it_was(source: str, random: np.random.Generator) -> dict[BadOutput, str]:
    """Make the outputs of a system that does not translate: nothing, the source, and the source with a word less."""
    return {"empty": "", "copied source": source, "source language": shortened(source, random)}


def shortened(text: str, random: np.random.Generator) -> str:
    """Leave out one word, or one character if there are no words to choose from."""
    parts, glue = (text.split(), " ") if len(text.split()) > 2 else (list(text), "")
    gone = int(random.integers(len(parts)))
    return glue.join(part for place, part in enumerate(parts) if place != gone)


def useful(case: TranslationCase) -> bool:
    """Tell whether a case is fair: long enough to have a language, and no bad output is the right one."""
    enough = min(len(text.encode()) for text in (case.source, case.real)) >= LEAST_BYTES
    right = {case.real, case.reference} - {""}  # without a reference there is nothing that an empty output equals
    return enough and not right.intersection(case.bad.values()) and case.real != case.source


def middle_output(reference: str, outputs: Sequence[str], metric: Metric) -> str:
    """Return the output in the middle of several systems, so that no broken one stands for a translation."""
    distinct = sorted(set(outputs))
    scores = segment_scores(metric, Pairs.of(distinct, [reference] * len(distinct)))
    return distinct[int(np.argsort(scores, kind="stable")[len(distinct) // 2])]


def paired(metric_needs_source: bool, candidates: Sequence[str], against: Sequence[str]) -> Pairs:
    """Return candidates with what a metric compares them with: their sources or their references."""
    return Pairs.of(candidates, None, against) if metric_needs_source else Pairs.of(candidates, against)


def ordered(metric: Metric, cases: Sequence[TranslationCase], *, sourced: bool) -> Ordering:
    """Score every real translation and every bad output.

    :param sourced: compare with the sources; otherwise with the references. A source does not tell which language the
        output should be in, so no output in a third language is bad then.
    """
    kinds = [[kind for kind in case.bad if not (sourced and kind == "other language")] for case in cases]
    rows = [(case, kind) for case, own in zip(cases, kinds, strict=True) for kind in (None, *own)]
    candidates = [case.real if kind is None else case.bad[kind] for case, kind in rows]
    against = [case.source if sourced else case.reference for case, _ in rows]
    scores = segment_scores(metric, paired(sourced, candidates, against))
    real: dict[int, float] = {id(case): score for (case, kind), score in zip(rows, scores, strict=True) if kind is None}
    judged = [(kind, case, score < real[id(case)]) for (case, kind), score in zip(rows, scores, strict=True) if kind]
    by_kind: dict[str, list[bool]] = {}
    by_language: dict[str, list[bool]] = {}
    for kind, case, right in judged:
        by_kind.setdefault(kind, []).append(bool(right))
        by_language.setdefault(case.language, []).append(bool(right))
    wrong = [(kind, case) for kind, case, right in judged if not right]
    return Ordering(_shares(by_kind), _shares(dict(sorted(by_language.items()))), wrong)


def _shares(right: Mapping[str, Sequence[bool]]) -> dict[str, float]:
    return {name: float(np.mean(values)) for name, values in right.items()}


def unrelated_pairs(texts: Sequence[str], count: int, random: np.random.Generator) -> list[tuple[str, str]]:
    """Draw pairs of different texts."""
    if len(set(texts)) < 2:
        raise ValueError("unrelated pairs need at least two different texts")
    pairs: list[tuple[str, str]] = []
    while len(pairs) < count:
        first, second = (texts[place] for place in random.integers(len(texts), size=2))
        if first != second:
            pairs.append((first, second))
    return pairs


def unrelated(scores: Segments) -> Unrelated:
    """Summarise the scores of unrelated pairs.

    >>> unrelated(np.array([0.0, 30.0, 99.5, 70.5]))
    Unrelated(mean=50.0, high=2, alike=1)
    """
    return Unrelated(float(scores.mean()), int((scores > HIGH).sum()), int((scores > ALIKE).sum()))


def batch_difference(metric: Metric, pairs: Pairs, seed: int = 0) -> float:
    """Return how much a score can depend on what is scored beside it: all at once, in another order, one by one."""
    together = segment_scores(metric, pairs)
    order = np.random.default_rng(seed).permutation(len(pairs))
    mixed = segment_scores(metric, _rows(pairs, order))
    alone = np.array([segment_scores(metric, _rows(pairs, [row]))[0] for row in range(len(pairs))])
    return float(max(np.abs(together[order] - mixed).max(), np.abs(together - alone).max()))


def _rows(pairs: Pairs, rows: Sequence[int] | np.ndarray) -> Pairs:
    candidates = [pairs.candidates[row] for row in rows]
    if pairs.sources is not None:
        return Pairs.of(candidates, None, [pairs.sources[row] for row in rows])
    return Pairs.of(candidates, [list(pairs.references[row]) for row in rows])
