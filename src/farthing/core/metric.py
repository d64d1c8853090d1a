"""The two kinds of metrics: an abstract class for metrics of pairs, and one for metrics of whole sets.

A metric of pairs may have these steps besides `score`, the only one that must be written:

    prepare        read the whole corpus once (for example to count idf) and return a state of JSON values
    prepared       return the metric with such a state; a worker in another process calls it, too
    score_systems  score some rows of several systems (by default one system after the other)
    score_shared   score some rows by several metrics that encode the same texts with the same model
    score_crossed  score every candidate of a list against every reference (by default pair by pair)
    aggregate      compute the corpus score from a sum of statistics, if it is not the mean of the segments
    finish         change the scores once those of all rows are known
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias, runtime_checkable

from farthing.core.arrays import Statistics
from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.specs import Value
from farthing.core.types import Alignment, MetricInfo, Need, Note, Pairs, Scores, Sets

if TYPE_CHECKING:
    from farthing.core.nbest import NBest

# Options that name a model or a file, whatever the metric.
ASSETS = ("model", "sentence_model", "lm", "idf", "remap", "baseline", "stop_words")
State: TypeAlias = Mapping[str, object]  #: what a metric learned from a corpus, as values that JSON can hold


class Described(ABC):
    """What both kinds of metrics say of themselves. The options are the keyword arguments of the constructor.

    `about` describes the class; `info` describes the loaded metric, whose options may change what it needs.
    """

    about: ClassVar[MetricInfo]

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and whether higher scores are better."""
        return self.about

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the models and files that the options (defaults included) name; scores depend on their content."""
        return [value for name in ASSETS if isinstance(value := options.get(name), str) and value]


class Metric(Described):
    """A metric of pairs of texts."""

    changes_segments: ClassVar[bool] = False  #: True if `finish` changes the scores of the rows

    @abstractmethod
    def score(self, pairs: Pairs) -> Scores:
        """Score one system's pairs as a whole corpus."""

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Read the whole corpus, one `Pairs` per system and stretch; return None if there is nothing to learn."""
        return None

    def prepared(self, state: State) -> Metric:
        """Return the metric with the state that :meth:`prepare` returned."""
        return self

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score the same rows of several systems."""
        return [self.score(pairs) for pairs in systems]

    def sharing(self) -> Hashable | None:
        """Return a key that is equal for metrics that can be scored in one pass; None if the metric cannot share."""
        return None

    @staticmethod
    def score_shared(metrics: Sequence[Metric], systems: Sequence[Pairs]) -> list[list[Scores]]:
        """Score the same rows by several metrics with the same sharing key: result[metric][system]."""
        return [metric.score_systems(systems) for metric in metrics]

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference of its list: list after list, candidate after candidate.

        A metric that can read each text once and compare them all at a time writes this step for the sake of speed.
        """
        from farthing.core.nbest import crossed_pairs

        return self.score(crossed_pairs(lists))

    def aggregate(self, total: Statistics) -> float:
        """Compute the corpus score from a sum of statistics."""
        raise UsageError(f"{self.info.name} keeps no statistics that could be summed")

    def finish(self, scores: Scores) -> Scores:
        """Return the final scores, given those of all rows."""
        return scores


class SetMetric(Described):
    """A metric that compares a whole set of texts or vectors with another one."""

    @abstractmethod
    def score_sets(self, sets: Sets) -> Scores:
        """Compare a set of generated samples with a corpus."""


@runtime_checkable
class Explains(Protocol):
    """A metric that can show which tokens it matched."""

    def align(self, candidate: str, reference: str) -> Alignment:
        """Align the tokens of a candidate with those of a reference."""
        ...


def check_pairs(info: MetricInfo, pairs: Pairs) -> None:
    """Raise an error if a metric cannot score these pairs."""
    if not len(pairs):
        raise UsageError(f"{info.name} has nothing to score: there are no candidates")
    if "source" in info.needs and pairs.sources is None:
        raise MissingInput(
            f"{info.name} needs a source for every candidate (-s on the command line, sources= in Python)"
        )
    if "reference" in info.needs:
        _check_references(info, pairs)


def _check_references(info: MetricInfo, pairs: Pairs) -> None:
    if not pairs.has_references:
        raise MissingInput(
            f"{info.name} needs a reference for every candidate (-r on the command line, references= in Python)"
        )
    for row, references in enumerate(pairs.references):
        if not references:
            raise MissingInput(f"{info.name} needs a reference for every candidate; row {row + 1} has none")


def others(pairs: Pairs, row: int, kind: Need) -> Sequence[str]:
    """Return what a row's candidate is compared with: its references or its source."""
    if kind == "reference":
        return pairs.references[row]
    return [pairs.sources[row]] if pairs.sources is not None else []


def empty_notes(pairs: Pairs, kind: Need = "reference") -> tuple[Note, ...]:
    """Return notes on the rows whose candidate, or one of whose references (or whose source), has no text."""
    candidates = tuple(i for i, text in enumerate(pairs.candidates) if not text.strip())
    rest = tuple(i for i in range(len(pairs)) if any(not text.strip() for text in others(pairs, i, kind)))
    notes = []
    if candidates:
        notes.append(Note("empty", "the candidate has no text", candidates))
    if rest:
        notes.append(Note("empty", f"a {kind} has no text", rest))
    return tuple(notes)


def check_positive(metric: str, *, or_zero: bool = False, **values: int | float) -> None:
    """Raise an error if an option is not positive."""
    for name, value in values.items():
        if value < 0 or (value == 0 and not or_zero):
            raise SpecError(f"{metric}: {name}={value} must be {'at least 0' if or_zero else 'above 0'}")
