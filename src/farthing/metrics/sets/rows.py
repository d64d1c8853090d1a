"""Metrics of sets on single rows: a candidate and its references as two sets of words or of sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import UnknownName
from farthing.core.metric import Metric, check_pairs, empty_notes
from farthing.core.registry import load
from farthing.core.signature import Signature
from farthing.core.specs import Spec, Value
from farthing.core.types import MetricInfo, Note, Pairs, Scores, Sets
from farthing.metrics.sets.base import VectorSetMetric
from farthing.metrics.sets.samples import SampleOptions, SampleReader, default_encoder
from farthing.text.sentences import sentences

SetMetricName: TypeAlias = Literal["markevaluate", "impar", "prd", "fid"]


@dataclass(kw_only=True, eq=False)
class RowSets(Metric):
    """One score per row by a metric of sets, as Mordido and Meinel (2020) judge summaries.

    The candidate is one set, its references together are the other. The samples are the contextual vectors of words,
    one per token and layer, or the vectors of sentences.
    """

    takes_encoder: ClassVar[bool] = True
    about: ClassVar[MetricInfo] = MetricInfo(
        name="row_sets",
        summary="A metric of sets for every row: candidate and references as two sets of words or sentences.",
        paper="Mordido and Meinel 2020, https://aclanthology.org/2020.coling-main.174",
        range=(None, None),
    )

    metric: Annotated[SetMetricName, "the metric of sets"] = "markevaluate"
    part: Annotated[str | None, "the part of its result that is the score, such as petersen; else its score"] = None
    k: Annotated[int | None, "spheres reach to the k-th nearest neighbour; else as the metric has it"] = None
    model: Annotated[str | None, "the encoder of texts: a folder or a name; else as the metric has it"] = None
    samples: Annotated[Literal["word", "sentence"], "what the members of the sets are"] = "word"
    last: Annotated[int, "for words: how many of the last layers to use"] = 5
    judge: VectorSetMetric = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Load the metric of sets."""
        options: dict[str, Value] = {} if self.k is None else {"k": self.k}
        judge = load(Spec(self.metric, options))
        assert isinstance(judge, VectorSetMetric)
        self.judge = judge

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the encoder that these options choose."""
        return [str(options.get("model") or default_encoder())]

    @property
    def info(self) -> MetricInfo:
        """What the metric needs, and in which direction its scores get better."""
        own = self.judge.info
        return replace(self.about, range=own.range, higher_is_better=own.higher_is_better)

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every row; the corpus score is the mean."""
        check_pairs(self.info, pairs)
        options = SampleOptions(model=self.model, samples=self.samples, last=self.last)
        reader = SampleReader(options)
        vectors, cut = reader.each([unit for text in dict.fromkeys(pairs.texts()) for unit in self._units(text)])
        rows = [self._row(pairs, row, vectors) for row in range(len(pairs))]
        segments = np.array([self._floor if value is None else value for value in rows])
        few = tuple(row for row, value in enumerate(rows) if value is None)
        own: dict[str, Value] = {"metric": self.metric, "part": self.part or "score", **self.judge.fields()}
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            signature=Signature(self.about.name, {**own, **reader.fields()}),
            notes=(*empty_notes(pairs), *_few_note(few, self._least), *_cut_note(pairs, cut, self._units)),
            system=pairs.system,
        )

    def _units(self, text: str) -> list[str]:
        """Return the texts that are encoded: the whole one for its words, else its sentences."""
        parts = sentences(text) if self.samples == "sentence" else [text]
        return [part for part in parts if part.strip()]

    @property
    def _least(self) -> int:
        return max(self.judge.ks, default=1) + 1

    @property
    def _floor(self) -> float:
        """The worst score, for rows with too few samples: 0, and for a distance twice that of unlike unit vectors."""
        return 0.0 if self.judge.info.higher_is_better else 2.0

    def _row(self, pairs: Pairs, row: int, vectors: Mapping[str, Vectors]) -> float | None:
        """Score one row; None if one of the sets has too few samples."""
        generated = self._set([pairs.candidates[row]], vectors)
        corpus = self._set(pairs.references[row], vectors)
        if min(len(generated), len(corpus)) < self._least:
            return None
        scores = self.judge.score_sets(Sets(generated, corpus))
        if self.part is None:
            return scores.corpus
        if self.part not in scores.parts:
            raise UnknownName(f"part of {self.metric}", self.part, scores.parts)
        return float(scores.parts[self.part])

    def _set(self, texts: Sequence[str], vectors: Mapping[str, Vectors]) -> Vectors:
        found = [vectors[unit] for text in texts for unit in self._units(text)]
        return np.concatenate(found) if found else np.zeros((0, 1))


def _few_note(rows: tuple[int, ...], least: int) -> tuple[Note, ...]:
    message = f"a text has fewer than {least} samples, so the row gets the worst score"
    return (Note("few", message, rows),) if rows else ()


def _cut_note(pairs: Pairs, cut: set[str], units: Callable[[str], list[str]]) -> tuple[Note, ...]:
    """Name the rows with a text that the model could not read to its end."""
    texts = ([pairs.candidates[row], *pairs.references[row]] for row in range(len(pairs)))
    rows = tuple(row for row, some in enumerate(texts) if any(unit in cut for text in some for unit in units(text)))
    return (Note("truncated", "a text is longer than the model can read", rows),) if rows else ()
