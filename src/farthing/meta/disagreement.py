"""Where do metrics and people disagree? The outputs that one of them ranks high and another one low."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Note
from farthing.meta.judgements import Judgements
from farthing.meta.scored import Scored, check_outputs

PEOPLE = "people"
TOP = 5


@dataclass(frozen=True, slots=True)
class RankedOutput:
    """One output with its rank by each judge, 1 for the best of its group.

    :param line: the place of its row in the file, from 1
    """

    line: int
    group: str
    system: str
    item: str
    candidate: str
    references: tuple[str, ...]
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The outputs that one judge ranks far higher than another."""

    higher: str
    lower: str
    outputs: tuple[RankedOutput, ...]


@dataclass(frozen=True, slots=True)
class DisagreementStudy:
    """All disagreements of some judges: metrics and, if there are human scores, people."""

    judges: tuple[str, ...]
    counts: Mapping[str, int]  #: how many outputs each group has
    found: tuple[Disagreement, ...]
    notes: tuple[Note, ...] = ()


def study_disagreements(
    judgements: Judgements,
    metrics: Sequence[Scored],
    human: str | None = None,
    top: int = TOP,
    between: Sequence[str] = (),
) -> DisagreementStudy:
    """Rank the outputs of every group by every judge, and list those whose ranks differ most.

    :param top: how many outputs are listed for each ordered pair of judges
    :param between: the judges to compare, by the names of their metrics and "people"; else all
    """
    check_outputs(metrics, "ranks need")
    scores = _scores(judgements, metrics, human)
    judges = _chosen(scores, between)
    known = np.flatnonzero(~np.isnan(np.stack([scores[name] for name in judges])).any(axis=0))
    groups = np.array(judgements.groups)[known]
    ranks = {name: _ranks(scores[name][known], groups) for name in judges}
    counts = {str(group): int((groups == group).sum()) for group in dict.fromkeys(groups.tolist())}
    sizes = np.array([counts[group] for group in groups.tolist()])
    found = [
        Disagreement(higher, lower, tuple(_outputs(judgements, known, ranks, rows)))
        for higher, lower in permutations(judges, 2)
        if len(rows := _widest(ranks[lower] - ranks[higher], sizes, top))
    ]
    return DisagreementStudy(judges, counts, tuple(found), judgements.notes)


def _scores(judgements: Judgements, metrics: Sequence[Scored], human: str | None) -> dict[str, Floats]:
    people = {PEOPLE: judgements.judged(human)} if judgements.scores or human else {}
    return {**people, **{metric.name: metric.oriented for metric in metrics}}


def _chosen(scores: Mapping[str, Floats], between: Sequence[str]) -> tuple[str, ...]:
    for name in between:
        if name not in scores:
            raise UnknownName("judge", name, scores)
    judges = tuple(dict.fromkeys(between)) or tuple(scores)
    if len(judges) < 2:
        raise UsageError("only two can disagree: give another metric, or human scores")
    return judges


def _ranks(values: Floats, groups: np.ndarray) -> Indices:
    """Rank the values of each group, 1 for the largest; equal values share the best rank of them."""
    from scipy.stats import rankdata

    ranks = np.zeros(len(values), dtype=np.int64)
    for group in dict.fromkeys(groups.tolist()):
        rows = groups == group
        ranks[rows] = rankdata(-values[rows], method="min")
    return ranks


def _widest(gaps: Indices, sizes: Indices, top: int) -> Indices:
    """Return the outputs with the widest gaps, as shares of their groups; gaps in the other direction do not count."""
    order = np.argsort(-gaps / sizes, kind="stable")[:top]
    return order[gaps[order] > 0]


def _outputs(
    judgements: Judgements, known: Indices, ranks: Mapping[str, Indices], rows: Indices
) -> Iterator[RankedOutput]:
    texts = judgements.texts
    for place in rows.tolist():
        row = int(known[place])
        yield RankedOutput(
            int(judgements.lines[row]) + 1 if len(judgements.lines) else row + 1,
            judgements.groups[row],
            judgements.systems[row],
            judgements.items[row],
            texts.candidates[row],
            tuple(texts.references[row]),
            {name: int(values[place]) for name, values in ranks.items()},
        )
