"""The two kinds of metrics: an abstract class for metrics of pairs, and one for metrics of whole sets.

`score` is the door of both kinds: it takes texts in any usual form, changes them as the option `normalise` says, and
calls the metric's own steps. A metric of pairs may have these steps besides `score_pairs`, the only one that must be
written:

    prepare        read the whole corpus once (for example to count idf) and return a state of JSON values
    prepared       return the metric with such a state; a worker in another process calls it, too
    score_systems  score some rows of several systems (by default one system after the other)
    score_shared   score some rows by several metrics that encode the same texts with the same model
    score_crossed  score every candidate of a list against every reference (by default pair by pair)
    aggregate      compute the corpus score from a sum of statistics, if it is not the mean of the segments
    finish         change the scores once those of all rows are known
    explain_pairs  say which words are likely wrong or missing
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

import numpy as np

from farthing.core.arrays import Statistics
from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.explanation import Explanation
from farthing.core.normalise import Normaliser
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.texts import Texts, TextTable
from farthing.core.types import MetricInfo, Need, Note, Pairs, Scores, Sets, TextsOrVectors

if TYPE_CHECKING:
    from farthing.core.nbest import NBest

# Options that name a model or a file, whatever the metric.
ASSETS = ("model", "sentence_model", "lm", "idf", "remap", "baseline", "stop_words")
State: TypeAlias = Mapping[str, object]  #: what a metric learned from a corpus, as values that JSON can hold


@dataclass(frozen=True, slots=True)
class Origin:
    """How a metric was loaded: by which spec, and by which function another process loads it again."""

    spec: str
    again: Callable[[str, str, State | None], Described]


class Described(ABC):
    """What both kinds of metrics say of themselves. The options are the keyword arguments of the constructor.

    `about` describes the class; `info` describes the loaded metric, whose options may change what it needs. `load` sets
    `origin`, and `normaliser` if the spec has the option `normalise`.
    """

    about: ClassVar[MetricInfo]
    takes_encoder: ClassVar[bool] = False  #: True if the option `model` names an encoder of texts
    origin: Origin | None = None
    normaliser: Normaliser | None = None

    @property
    def info(self) -> MetricInfo:
        """What this metric needs, and whether higher scores are better."""
        return self.about

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the models and files that the options (defaults included) name; scores depend on their content."""
        return [value for name in ASSETS if isinstance(value := options.get(name), str) and value]

    @classmethod
    def options_told(cls, fields: Mapping[str, str]) -> Mapping[str, Value]:
        """Return the options that a signature's fields tell under other names than their own."""
        return {}

    def normalised(self, text: str) -> str:
        """Return a text as the metric reads it."""
        return text if self.normaliser is None else self.normaliser(text)

    def normalised_pairs(self, pairs: Pairs) -> Pairs:
        """Return pairs as the metric reads them."""
        if self.normaliser is None:
            return pairs
        texts = self.normaliser.texts
        sources = None if pairs.sources is None else texts(pairs.sources)
        return replace(
            pairs, candidates=texts(pairs.candidates), references=list(map(texts, pairs.references)), sources=sources
        )

    def signed(self, scores: Scores) -> Scores:
        """Return scores whose signature names what was done to the texts, if anything was."""
        if self.normaliser is None:
            return scores
        name, fields, version = scores.signature.metric, scores.signature.fields, scores.signature.version
        return replace(scores, signature=Signature(name, {**fields, "normalise": str(self.normaliser)}, version))

    @property
    def explains(self) -> bool:
        """Whether the metric can say which words are likely wrong or missing."""
        return False

    def explain(
        self, candidate: str, references: str | Sequence[str] = (), *, source: str | None = None
    ) -> Explanation:
        """Say how likely each word of a candidate is wrong, and each word of the best reference is missing.

        :param references: one text or several; for a metric that compares with sources, the source may stand here
        """
        texts = [references] if isinstance(references, str) else list(references)
        if source is None and len(texts) == 1 and self.info.needs == {"source"}:
            texts, source = [], texts[0]
        pairs = Pairs([candidate], [texts], None if source is None else [source])
        return self.explain_pairs(self.normalised_pairs(pairs))[0]

    def explain_pairs(self, pairs: Pairs) -> list[Explanation]:
        """Explain every row, reading the texts as they are."""
        raise UsageError(f"{self.info.name} cannot say which words are wrong: use a metric that matches tokens")

    def learned(self) -> State | None:
        """Return what the metric knows of a corpus and another process must be told; None if it knows nothing."""
        return None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the spec and what was learned; the other process loads the metric again."""
        kind, name = type(self), self.about.name
        if self.origin is None:
            raise UsageError(f"{name} cannot be sent to another process: load it by its spec, farthing.load({name!r})")
        if "<locals>" in kind.__qualname__ or _is_interactive(kind.__module__):
            raise UsageError(
                f"{name} cannot be sent to another process, which could not import {kind.__qualname__}: "
                "define the class at the top of a module"
            )
        return self.origin.again, (self.origin.spec, f"{kind.__module__}:{kind.__qualname__}", self.learned())

    def __copy__(self) -> Self:
        """Copy the metric without loading its model again."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin


def _is_interactive(module: str) -> bool:
    """Tell whether a module is a notebook or a prompt, which no other process can import."""
    return module == "__main__" and not hasattr(sys.modules["__main__"], "__file__")


class Metric(Described):
    """A metric of pairs of texts."""

    changes_segments: ClassVar[bool] = False  #: True if `finish` changes the scores of the rows
    holds_lock: bool = False  #: True if it works in Python itself, which only processes can do at the same time

    @property
    def needs_all_rows(self) -> bool:
        """Whether `finish` looks at the scores of all rows, so that they must be in memory at the end."""
        return type(self).finish is not Metric.finish

    def score(
        self,
        candidates: Pairs | Texts | TextTable,
        references: Texts | TextTable | None = None,
        *,
        sources: Texts | None = None,
    ) -> Scores:
        """Score one system's outputs as a whole corpus.

        :param candidates: one text per segment, in any form that :meth:`Pairs.of` takes; or `Pairs`
        :param references: for each candidate one reference or a list of them
        :param sources: for each candidate the text it was made from
        """
        return self.signed(self.score_pairs(self.normalised_pairs(Pairs.of(candidates, references, sources))))

    @abstractmethod
    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score one system's pairs as a whole corpus, reading the texts as they are."""

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State | None:
        """Read the whole corpus, one `Pairs` per system and stretch; return None if there is nothing to learn."""
        return None

    def prepared(self, state: State) -> Metric:
        """Return the metric with the state that :meth:`prepare` returned."""
        return self

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score the same rows of several systems."""
        return [self.score_pairs(pairs) for pairs in systems]

    def sharing(self) -> Hashable | None:
        """Return a key that is equal for metrics that can be scored in one pass; None if the metric cannot share."""
        return None

    @staticmethod
    def score_shared(metrics: Sequence[Metric], systems: Sequence[Pairs]) -> list[list[Scores]]:
        """Score the same rows by several metrics with the same sharing key: `result[metric][system]`."""
        return [metric.score_systems(systems) for metric in metrics]

    def score_crossed(self, lists: Sequence[NBest]) -> Scores:
        """Score every candidate against every reference of its list: list after list, candidate after candidate.

        A metric that can read each text once and compare them all at a time writes this step for the sake of speed.
        """
        from farthing.core.nbest import crossed_pairs

        return self.score_systems([crossed_pairs(lists)])[0]

    def aggregate(self, total: Statistics) -> float:
        """Compute the corpus score from a sum of statistics."""
        raise UsageError(f"{self.info.name} keeps no statistics that could be summed")

    def finish(self, scores: Scores) -> Scores:
        """Return the final scores, given those of all rows."""
        return scores


class SetMetric(Described):
    """A metric that judges a whole set of texts or vectors, by itself or, if `info.needs` says so, against a corpus."""

    def score(self, generated: Sets | Texts | TextsOrVectors, corpus: Texts | TextsOrVectors | None = None) -> Scores:
        """Compare a set of generated samples with a corpus; each holds texts or vectors."""
        [sets] = self.normalised_sets([Sets.of(generated, corpus)])
        if not len(sets.corpus) and "reference" in self.info.needs:
            raise MissingInput(f"{self.info.name} needs a corpus to judge against: score(generated, corpus)")
        return self.signed(self.score_sets(sets))

    def normalised_sets(self, systems: Sequence[Sets]) -> list[Sets]:
        """Return sets as the metric reads them; a corpus that systems share stays shared."""
        if self.normaliser is None:
            return list(systems)
        read: dict[int, TextsOrVectors] = {}
        for side in (side for sets in systems for side in (sets.generated, sets.corpus)):
            if id(side) not in read:
                read[id(side)] = side if isinstance(side, np.ndarray) else self.normaliser.texts(side)
        return [Sets(read[id(sets.generated)], read[id(sets.corpus)], sets.system) for sets in systems]

    @abstractmethod
    def score_sets(self, sets: Sets) -> Scores:
        """Judge a set of generated samples."""


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
        if info.or_source and pairs.sources is not None:
            return
        what, flags, names = "a reference", "-r", "references="
        if info.or_source:
            what, flags, names = "a reference or a source", "-r or -s", "references= or sources="
        raise MissingInput(
            f"{info.name} needs {what} for every candidate ({flags} on the command line, {names} in Python)"
        )
    for row, references in enumerate(pairs.references):
        if not references:
            raise MissingInput(f"{info.name} needs a reference for every candidate; row {row + 1} has none")


def check_sets(info: MetricInfo, sets: Sets) -> None:
    """Raise an error if a metric cannot judge these sets."""
    if "reference" in info.needs and not len(sets.corpus):
        raise MissingInput(
            f"{info.name} needs a corpus to compare {sets.system} with (-r on the command line, references= in Python)"
        )


def others(pairs: Pairs, row: int, kind: Need) -> Sequence[str]:
    """Return what a row's candidate is compared with: its references or its source."""
    if kind == "reference":
        return pairs.references[row]
    return [pairs.sources[row]] if pairs.sources is not None else []


def empty_notes(pairs: Pairs, kind: Need = "reference") -> tuple[Note, ...]:
    """Return notes on the rows whose candidate, or one of whose references (or whose source), has no text."""
    candidates = tuple(i for i, text in enumerate(pairs.candidates) if not text.strip())
    rest = tuple(i for i in range(len(pairs)) if any(not text.strip() for text in others(pairs, i, kind)))
    messages = {"the candidate has no text": candidates, f"a {kind} has no text": rest}
    return tuple(Note("empty", message, rows) for message, rows in messages.items() if rows)


def check_positive(metric: str, *, or_zero: bool = False, **values: int | float) -> None:
    """Raise an error if an option is not positive."""
    for name, value in values.items():
        if value < 0 or (value == 0 and not or_zero):
            raise SpecError(f"{metric}: {name}={value} must be {'at least 0' if or_zero else 'above 0'}")
