"""What a report shows: systems, measures and their scores, the texts, and what was found out about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from farthing.core.arrays import Segments
from farthing.core.explanation import Explanation
from farthing.core.types import MetricInfo, Pairs
from farthing.files.alignments import AlignedRow


@dataclass(frozen=True, slots=True)
class ReportMeasure:
    """One column of scores: a metric, or a part of one that tables show in its place.

    :param label: the heading of the column, which no other measure of the report has
    :param digits: decimals of its scores in tables
    """

    label: str
    info: MetricInfo
    signature: str
    digits: int


@dataclass(frozen=True, slots=True, eq=False)
class ReportedScore:
    """One system under one measure.

    :param interval: the 95 % interval of the corpus score
    :param p_value: of the difference from the baseline of its run
    :param segments: one score per segment; None for metrics of whole sets
    :param numbers: further results that are single numbers, by name
    :param notes: what the reader should know
    """

    corpus: float
    interval: tuple[float, float] | None = None
    p_value: float | None = None
    segments: Segments | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PairTest:
    """Two systems that were tested against each other, the better one first."""

    measure: str
    better: str
    worse: str
    difference: float
    p_value: float


@dataclass(frozen=True, slots=True, eq=False)
class ReportContent:
    """Everything that a report shows.

    :param scores: by system and label of the measure; a system that a measure has not scored is missing
    :param texts: the texts of each system; none if the runs hold metrics of whole sets only
    :param baselines: the systems that others were tested against
    :param sentences: what the tests found, in words
    :param pair_tests: tests of all pairs, corrected for their number
    :param marks: by label of the measure and system, one explanation per segment
    :param alignments: of some segments, by any measure
    :param documents: results of `farthing bench` and `farthing meta`, as they are on disk
    """

    title: str
    systems: Sequence[str]
    measures: Sequence[ReportMeasure]
    scores: Mapping[tuple[str, str], ReportedScore]
    texts: Sequence[Pairs] = ()
    baselines: frozenset[str] = frozenset()
    sentences: Sequence[str] = ()
    pair_tests: Sequence[PairTest] = ()
    marks: Mapping[tuple[str, str], Sequence[Explanation]] = field(default_factory=dict)
    alignments: Sequence[AlignedRow] = ()
    documents: Sequence[Mapping[str, object]] = ()

    @property
    def rows(self) -> int:
        """How many segments there are."""
        return len(self.texts[0]) if self.texts else 0

    def segment_measures(self) -> list[ReportMeasure]:
        """Return the measures that give every segment a score."""
        return [
            one
            for one in self.measures
            if any(
                score.segments is not None for (_, label), score in self.scores.items() if label == one.label
            )  # a set metric has none
        ]

    def best(self, measure: ReportMeasure) -> set[str]:
        """Return the systems with the best score."""
        values = {
            system: self.scores[system, measure.label].corpus
            for system in self.systems
            if (system, measure.label) in self.scores
        }
        top = max(values.values()) if measure.info.higher_is_better else min(values.values())
        return {system for system, value in values.items() if value == top}
