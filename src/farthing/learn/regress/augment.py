"""Rows that no system wrote, so that an estimator knows the outputs that fail as wholes (as in MetricX-24).

Empty, unrelated, gibberish and duplicated outputs get the lowest target; truncated ones lose the more, the more is
missing; missing or wrong punctuation costs a little; a copy of the reference gets the highest target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.types import Need
from farthing.learn.regress.rows import ScoredRows
from farthing.text.failures import FAILURES

EMPTY, UNRELATED, COPY = "empty", "unrelated", "copy"
KINDS = (EMPTY, UNRELATED, *FAILURES)  #: what scores below its undamaged twin
SUBTLE = ("missing punctuation", "wrong punctuation")  # drawn more often than the others, being harder to learn
OFTEN = 2
SHARE = 0.8  #: synthetic rows per row
LOW, HIGH = 0.01, 0.99  # the quantiles of the targets that are the lowest and the highest
PUNCTUATION = 0.2  # what it costs, as a share of the range between them
LEAST_CUT = 0.3  # what any truncation costs, as a share of the way down to the lowest


@dataclass(frozen=True, slots=True)
class Damaged:
    """A text that was damaged, and how much of it is missing."""

    kind: str
    text: str
    gone: float


def augmented(rows: ScoredRows, inputs: Sequence[Need], *, share: float = SHARE, seed: int = 1) -> ScoredRows:
    """Return the rows and synthetic ones behind them.

    :param inputs: what stands behind the candidate in each row
    :param share: how many synthetic rows there are per row
    """
    if share <= 0:
        raise UsageError("the share of synthetic rows must be above 0")
    random = np.random.default_rng([seed, 2])
    low, high = (float(np.quantile(rows.targets, level)) for level in (LOW, HIGH))
    texts: list[tuple[str, ...]] = []
    targets: list[float] = []
    kinds = (*KINDS, *SUBTLE * (OFTEN - 1), *((COPY,) if "reference" in inputs else ()))
    for number in range(round(share * len(rows))):
        place, kind = int(random.integers(len(rows))), kinds[number % len(kinds)]
        candidate, *others = rows.texts[place]
        target = float(rows.targets[place])
        if "reference" in inputs and (kind == COPY or random.random() < 0.5):
            candidate, target = others[inputs.index("reference")], high  # the twin is a copy of the reference
        damaged = _damaged(kind, candidate, rows, random)
        if damaged is not None:
            texts.append((damaged.text, *others))
            targets.append(lowered(damaged, target, low, high))
    return ScoredRows.joined([rows, ScoredRows(texts, np.array(targets))]) if texts else rows


def _damaged(kind: str, text: str, rows: ScoredRows, random: np.random.Generator) -> Damaged | None:
    if kind == COPY:
        return Damaged(kind, text, 0.0)
    if kind == EMPTY:
        return Damaged(kind, "", 1.0)
    if kind == UNRELATED:
        other = rows.texts[int(random.integers(len(rows)))][0]
        return Damaged(kind, other, 1.0) if other != text else None
    changed = FAILURES[kind](text, random)
    return None if changed is None else Damaged(kind, changed, max(0.0, 1 - len(changed) / max(1, len(text))))


def lowered(damaged: Damaged, target: float, low: float, high: float) -> float:
    """Return the target of a damaged text, given that of its undamaged twin.

    >>> round(lowered(Damaged("truncated", "", 0.5), target=1.0, low=0.0, high=2.0), 6)
    0.35
    """
    if damaged.kind == COPY:
        return high
    if damaged.kind == "truncated":
        return target - max(0.0, target - low) * (LEAST_CUT + (1 - LEAST_CUT) * damaged.gone)
    if damaged.kind.endswith("punctuation"):
        return target - PUNCTUATION * (high - low)
    return min(low, target)


def twins(texts: Sequence[str], kind: str, seed: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the place of each text and its damaged form, for those that have one; for measuring."""
    random = np.random.default_rng([seed, 3])
    rows = ScoredRows([(text,) for text in texts], np.zeros(len(texts)))
    for place, text in enumerate(texts):
        damaged = _damaged(kind, text, rows, random)
        if damaged is not None and damaged.text != text:
            yield place, damaged.text
