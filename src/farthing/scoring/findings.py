"""What a comparison says beside its table: ranks over all pairs, what differences have meant, what it could see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from farthing.core.types import MetricInfo
from farthing.scoring.agreement import HumanAgreement, human_agreement
from farthing.scoring.all_pairs import AllPairs, run_all_pairs
from farthing.scoring.power import Power, one_point, power
from farthing.scoring.resampling import LEVEL, SEED, PairedTest, Redrawn, Resampled, ResampledSets

SAME = "≈"  # not significantly different from the baseline
FEW_DOCUMENTS = 10
ScoreText = Callable[[float, MetricInfo], str]
_AGREED = "When translation systems differed by as much, people preferred the same one"


@dataclass(frozen=True, slots=True)
class MetricFindings:
    """What one metric says.

    :param agreements: by system, what differences as large as that from the baseline have meant, if it is significant
    :param power: of the comparison with the baseline that needs the most segments; None for a metric of sets
    :param draws: how many samples of the sets a metric of whole sets has drawn; None for a metric of pairs
    :param all_pairs: None if only the baseline was tested against
    """

    label: str
    info: MetricInfo
    agreements: Mapping[str, HumanAgreement] = field(default_factory=dict)
    power: Power | None = None
    draws: int | None = None
    all_pairs: AllPairs | None = None

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        found: dict[str, object] = {"metric": self.label}
        if self.all_pairs:
            found["ranks"] = [
                {"system": one.system, "rank": [one.best, one.worst], "cluster": one.cluster}
                for one in self.all_pairs.ranking
            ]
            found["pairs"] = [
                {
                    "better": one.better, "worse": one.worse, "difference": one.difference, "p_value": one.p_value,
                    "p_holm": one.corrected,
                }
                for one in self.all_pairs.outcomes
            ]  # fmt: skip
        if self.agreements:
            found["agreement"] = {
                system: {"from": one.low, "to": one.high, "pairs": one.pairs, "agreed": one.agreed}
                for system, one in self.agreements.items()
            }
        if self.power:
            point = one_point(self.info)
            found["power"] = {
                "difference": point, "needed": self.power.needed(point), "size": self.power.size,
                "smallest": self.power.smallest,
            }  # fmt: skip
        return found


@dataclass(frozen=True, slots=True)
class Findings:
    """What all metrics say.

    :param documents: the number of documents that were resampled; None if segments were
    :param disputed: systems that are significantly better than the baseline by one metric and worse by another
    """

    metrics: tuple[MetricFindings, ...]
    documents: int | None = None
    disputed: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        documents = {} if self.documents is None else {"documents": self.documents}
        return {**documents, "disputed": list(self.disputed), "metrics": [one.to_dict() for one in self.metrics]}

    def tests(self, against: str, test: str | None, resamples: int, seed: int) -> Iterator[str]:
        """Yield what was tested: pairs of rows, or whole sets."""
        same = f"{SAME} not significantly different (p >= {LEVEL})."
        if any(one.draws is None for one in self.metrics):
            yield f"Paired {test} {against}, {resamples} samples, seed {seed}; {same}"
        if sets := [f"{one.label} {one.draws}" for one in self.metrics if one.draws is not None]:
            yield (
                f"Bootstrap of the sets and their corpus {against} (samples: {', '.join(sets)}; seed {seed}): "
                f"does the difference hold for other samples from the same sources? {same}"
            )

    def lines(self, text: ScoreText) -> Iterator[str]:
        """Yield the lines below a table; `text` formats the scores of a metric."""
        if self.documents is not None:
            few = "; tests of so few say little" if self.documents < FEW_DOCUMENTS else ""
            yield f"Whole documents were resampled, {self.documents} of them{few}."
        yield from self._ranks()
        if self.disputed:
            yield f"The metrics contradict each other about {', '.join(self.disputed)}: read some of the texts."
        if told := [f"{one.label}: {_listed(one.agreements)}" for one in self.metrics if one.agreements]:
            yield f"{_AGREED}: {'; '.join(told)}."
        yield from self._power(text)

    def _ranks(self) -> Iterator[str]:
        every = {one.label: one.all_pairs for one in self.metrics if one.all_pairs}
        for label, pairs in every.items():
            if label == next(iter(every)):
                count = len(pairs.outcomes)
                yield f"Ranks over all {count} pairs (p < {LEVEL} after Holm's correction; | separates clusters):"
            yield f"  {label}: {_clusters(pairs)}"
            if not pairs.enough:
                least = round(len(pairs.outcomes) / LEVEL)
                yield f"  {label}: {pairs.resamples} resamples are too few for so many tests: pass --resamples {least}"

    def _power(self, text: ScoreText) -> Iterator[str]:
        unit = "Segments" if self.documents is None else "Documents"
        for point in dict.fromkeys(one_point(one.info) for one in self.metrics if one.power):
            known = [(one, one.power) for one in self.metrics if one.power and one_point(one.info) == point]
            needed = ", ".join(f"{one.label} {_rounded(found.needed(point)):,}" for one, found in known)
            shown = ", ".join(text(found.smallest, one.info) for one, found in known)
            yield (
                f"{unit} needed to find a difference of {point:g} in 80 % of tests: {needed}; "
                f"these {known[0][1].size:,} find {shown}."
            )


def _listed(agreements: Mapping[str, HumanAgreement]) -> str:
    return ", ".join(f"{system} in {one}" for system, one in agreements.items())


def _rounded(count: int) -> int:
    """An estimate with two digits."""
    return int(float(f"{count:.2g}"))


def _clusters(pairs: AllPairs) -> str:
    clusters: dict[int, list[str]] = {}
    for one in pairs.ranking:
        clusters.setdefault(one.cluster, []).append(f"{one.rank} {one.system}")
    return " | ".join(", ".join(members) for members in clusters.values())


@dataclass(frozen=True, slots=True)
class TestedColumn:
    """All systems under one metric, ready for resampling.

    :param spec: what the metric was loaded from, with what it chose by the texts
    :param significant: the systems that differ significantly from the baseline
    """

    label: str
    spec: str
    info: MetricInfo
    systems: Mapping[str, Redrawn]
    significant: frozenset[str] = frozenset()


def gather_findings(
    columns: Sequence[TestedColumn],
    baseline: str,
    *,
    test: PairedTest,
    resamples: int = 0,
    seed: int = SEED,
    all_pairs: bool = False,
    documents: int | None = None,
) -> Findings:
    """Find what can be said of every metric.

    :param all_pairs: test every system against every other
    """
    found, disputed = [], _disputed(columns, baseline)
    for column in columns:
        first = column.systems[baseline]
        others = {name: one for name, one in column.systems.items() if name != baseline}
        # The table is of whole test sets: it says nothing of chance differences, nor of systems that are disputed.
        clear = column.significant - {*disputed}
        sizes = {
            name: human_agreement(column.spec, others[name].corpus - first.corpus) for name in others if name in clear
        }
        pairs = run_all_pairs(
            column.systems, higher_is_better=column.info.higher_is_better, test=test, resamples=resamples, seed=seed
        ) if all_pairs else None  # fmt: skip
        known = {name: one for name, one in sizes.items() if one is not None}
        drawn = len(first.draws) if isinstance(first, ResampledSets) else None
        found.append(MetricFindings(column.label, column.info, known, _least_power(first, others, seed), drawn, pairs))
    return Findings(tuple(found), documents, disputed)


def _disputed(columns: Sequence[TestedColumn], baseline: str) -> tuple[str, ...]:
    verdicts: dict[str, set[bool]] = {}
    for column in columns:
        for name, one in column.systems.items():
            if name in column.significant:
                higher = one.corpus > column.systems[baseline].corpus
                verdicts.setdefault(name, set()).add(higher == column.info.higher_is_better)
    return tuple(name for name, verdict in verdicts.items() if len(verdict) > 1)


def _least_power(first: Redrawn, others: Mapping[str, Redrawn], seed: int) -> Power | None:
    """Return the power of the comparison that needs the most segments."""
    if not isinstance(first, Resampled):
        return None
    known = [power(first, one, seed) for one in others.values() if isinstance(one, Resampled)]
    return max(known, key=lambda one: one.deviation, default=None)
