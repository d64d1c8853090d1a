"""The base of metrics that compare token vectors: encoder options, engine, layers, sharing and the way to scores.

A new metric writes `about`, its options, `row` and `fields`:

    @dataclass(kw_only=True, eq=False)
    class Nearest(TokenMetric[float]):
        about = MetricInfo("nearest", "Mean similarity of the nearest tokens.", "none", (-1, 1))
        model: Annotated[str, "name or folder of an encoder"] = "bert-base-uncased"
        power: Annotated[float, "an exponent"] = 1.0

        def row(self, texts: EncodedRow) -> float: ...

        def fields(self) -> dict[str, Value]:
            return {"layer": self.layers[0], "power": self.power}
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Annotated, ClassVar, Generic, Self, TypeVar

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import SpecError
from farthing.core.metric import Metric, State, check_pairs, empty_notes
from farthing.core.progress import counted, step
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.threads import one_core_algebra
from farthing.core.types import Note, Pairs, Part, Scores
from farthing.encoders.backends.early_exit import EarlyExitEncoder
from farthing.encoders.cache import open_cache
from farthing.encoders.engine import Engine, Long
from farthing.encoders.load import Backend, load_encoder
from farthing.encoders.protocol import Encoder
from farthing.metrics.tokens.early_exit import PART, mean_layers, with_exit_note
from farthing.metrics.tokens.encoded import EncodedRow, Needs, encoded_rows
from farthing.metrics.tokens.layers import last_layers
from farthing.metrics.tokens.results import RowScore, remark_notes

RowResult = TypeVar("RowResult")


@dataclass(kw_only=True, eq=False)
class TokenMetric(Metric, Generic[RowResult]):
    """A metric that compares the vectors of the tokens of candidate, references and source.

    `info.needs` says which of the texts are encoded. Metrics over one encoder that need the same texts share one
    pass. `RowResult` is what `row` gives: a number, a :class:`RowScore`, or anything that :meth:`gathered` understands.
    """

    takes_encoder: ClassVar[bool] = True

    model: Annotated[str | None, "name or folder of an encoder"] = None
    layer: Annotated[int | None, "which layer; else the last"] = None
    long: Annotated[Long, "texts over the model's limit"] = "truncate"
    backend: Annotated[Backend, "what runs the model; auto takes what its folder holds"] = "auto"
    threads: Annotated[int | None, "how many cores; else $FARTHING_THREADS, $OMP_NUM_THREADS, all"] = None
    device: Annotated[str, "where torch runs: cpu, cuda, mps; auto takes a GPU if there is one"] = "auto"
    cache: Annotated[str | None, "folder in which to keep encodings"] = None
    engine: Engine = field(init=False, repr=False)
    layers: tuple[int, ...] = field(init=False, repr=False)  #: the layers that are encoded

    def __post_init__(self) -> None:
        """Load the encoder and choose its layers; a metric that has more to do calls this first."""
        self.engine = self.make_engine(self.make_encoder())
        self.layers = self.choose_layers()

    @property
    def model_name(self) -> str:
        """The name or folder of the encoder."""
        if self.model is None:
            raise SpecError(f"{self.about.name} needs the option model: name or folder of an encoder")
        return self.model

    def make_encoder(self) -> Encoder:
        """Load the encoder."""
        return load_encoder(self.model_name, self.backend, device=self.device)

    def make_engine(self, encoder: Encoder) -> Engine:
        """Give an encoder the options about long texts, threads and the cache."""
        return Engine(encoder, long=self.long, threads=self.threads, cache=open_cache(self.cache))

    def choose_layers(self) -> tuple[int, ...]:
        """Return the layers to encode: the one that was asked for, else the last."""
        return last_layers(self.engine.encoder, self.layer)

    @abstractmethod
    def row(self, texts: EncodedRow) -> RowResult:
        """Compare the texts of one row."""

    def fields(self) -> dict[str, Value]:
        """Return what of the options belongs in the signature, besides the encoder."""
        return {"layers": "+".join(map(str, self.layers))}

    def for_system(self, system: str) -> Self:
        """Return the metric as it treats the rows of one system: itself, unless systems are weighted differently."""
        return self

    def gathered(self, pairs: Pairs, results: Sequence[RowResult], notes: tuple[Note, ...]) -> Scores:
        """Make the scores of one system from the results of its rows."""
        rows = [_row_score(one) for one in results]
        parts = {name: np.array([row.parts[name] for row in rows]) for name in rows[0].parts}
        remarks = remark_notes([row.remarks for row in rows])
        return self.scores(pairs, np.array([row.score for row in rows]), parts, (*notes, *remarks))

    def scores(self, pairs: Pairs, segments: Segments, parts: Mapping[str, Part], notes: tuple[Note, ...]) -> Scores:
        """Return scores whose corpus score is the mean of the segments, with the metric's signature."""
        references: dict[str, Value] = {"nrefs": reference_count(pairs)} if "reference" in self.info.needs else {}
        signature = Signature(self.info.name, {**references, **self.engine.fields(), **self.fields()})
        return Scores(
            corpus=float(segments.mean()),
            segments=segments,
            parts=parts,
            notes=notes,
            signature=signature,
            system=pairs.system,
        )

    @property
    def needs_all_rows(self) -> bool:
        """Whether `finish` looks at all rows: it does for early exit."""
        return type(self).finish is not TokenMetric.finish or isinstance(self.engine.encoder, EarlyExitEncoder)

    def finish(self, scores: Scores) -> Scores:
        """Sum up early exit over all rows, if texts may leave early."""
        encoder = self.engine.encoder
        return with_exit_note(scores, encoder.depth) if isinstance(encoder, EarlyExitEncoder) else scores

    def score_pairs(self, pairs: Pairs) -> Scores:
        """Score every pair and the whole."""
        return self.score_systems([pairs])[0]

    def score_systems(self, systems: Sequence[Pairs]) -> list[Scores]:
        """Score several systems, encoding each text once."""
        return score_encoded([self.ready(systems)], systems)[0]

    def prepared(self, state: State) -> Self:
        """Return the metric that knows what :meth:`prepare` learned."""
        return self

    def ready(self, systems: Sequence[Pairs]) -> Self:
        """Return the metric with what it must learn of the corpus, which is taken to be these systems."""
        state = self.prepare([systems])
        return self if state is None else self.prepared(state)

    def sharing(self) -> Hashable | None:
        """Return a key that is equal for metrics which can share one pass over the encoder."""
        engine = self.engine
        return (id(engine.encoder), engine.long, engine.threads, id(engine.cache), self.info.needs)

    @staticmethod
    def score_shared(metrics: Sequence[Metric], systems: Sequence[Pairs]) -> list[list[Scores]]:
        """Score the same rows by several metrics, encoding each text once: `result[metric][system]`."""
        return score_encoded(metrics, systems)


def score_encoded(metrics: Sequence[Metric], systems: Sequence[Pairs]) -> list[list[Scores]]:
    """Score every system by every metric, all of which share one engine and needs: `result[metric][system]`."""
    for metric in metrics:
        for pairs in systems:
            check_pairs(metric.info, pairs)
    views = [[one.for_system(pairs.system) for pairs in systems] for one in metrics if isinstance(one, TokenMetric)]
    engine, needs, encoder = views[0][0].engine, views[0][0].info.needs, views[0][0].engine.encoder
    layers = tuple(sorted({layer for view in views for layer in view[0].layers}))
    results: list[list[list[object]]] = [[[None] * len(pairs) for pairs in systems] for _ in views]
    cut: list[list[int]] = [[] for _ in systems]
    depths = [np.zeros(len(pairs)) for pairs in systems]
    with one_core_algebra():
        rows = encoded_rows(engine, systems, layers, needs)
        for place, texts in counted(metrics[0].info.name, rows, sum(map(len, systems))):
            if any(text.cut for text in texts.texts):
                cut[place.system].append(place.row)
            if isinstance(encoder, EarlyExitEncoder):
                depths[place.system][place.row] = mean_layers(encoder, texts.texts)
            with step("align"):
                for values, view in zip(results, views, strict=True):
                    values[place.system][place.row] = view[place.system].row(texts)
    room = encoder.tokenizer.room
    notes = [(*_empty_notes(pairs, needs), *cut_note(rows, room)) for pairs, rows in zip(systems, cut, strict=True)]
    return [
        [_finished(*row) for row in zip(view, systems, values, notes, depths, strict=True)]
        for view, values in zip(views, results, strict=True)
    ]


def _finished(
    metric: TokenMetric[RowResult],
    pairs: Pairs,
    results: Sequence[RowResult],
    notes: tuple[Note, ...],
    depths: Segments,
) -> Scores:
    scores = metric.gathered(pairs, results, notes)
    if isinstance(metric.engine.encoder, EarlyExitEncoder):
        scores = replace(scores, parts={**scores.parts, PART: depths})
    return metric.finish(scores)


def _empty_notes(pairs: Pairs, needs: Needs) -> tuple[Note, ...]:
    """Name the rows with empty texts; the note about candidates comes once."""
    return tuple(dict.fromkeys(note for need in sorted(needs) for note in empty_notes(pairs, need)))


def cut_note(rows: Sequence[int], room: int) -> tuple[Note, ...]:
    """Return the note that names the rows with a text that lost its end, if there are any."""
    if not rows:
        return ()
    message = f"a text is longer than the {room} tokens the model reads and lost its end; long=window reads it whole"
    return (Note("truncated", message, tuple(sorted(rows))),)


def _row_score(result: object) -> RowScore:
    if isinstance(result, RowScore):
        return result
    if isinstance(result, Real):
        return RowScore(float(result))
    raise TypeError(f"row() gave a {type(result).__name__}: give a number or a RowScore, or write gathered()")


def reference_count(pairs: Pairs) -> int | str:
    """Return how many references each row has, for a signature; `var` if the rows differ."""
    counts = {len(row) for row in pairs.references}
    return counts.pop() if len(counts) == 1 else "var"
