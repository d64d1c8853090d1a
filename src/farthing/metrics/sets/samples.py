"""What a set metric compares: sentence vectors, contextual word vectors, or vectors that the user gives."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import InputError, SpecError, UsageError
from farthing.core.progress import Bar, Progress, no_bar, silent
from farthing.core.specs import Value
from farthing.core.types import Note, TextsOrVectors

if TYPE_CHECKING:
    from farthing.encoders.protocol import EncodedText

SENTENCE_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
LIGHT_MODEL = "small"  # one of Farthing's own students, for machines without torch
_LARGEST = 1e100  # the squares of larger numbers, or of numbers below its inverse, exceed the range of float64


@dataclass(kw_only=True, eq=False)
class SampleOptions:
    """The options that all set metrics share: how texts become samples, and how many samples are compared."""

    model: Annotated[
        str | None, "the encoder of texts: a folder or a name; else all-MiniLM-L6-v2 or, without torch, small"
    ] = None
    samples: Annotated[
        Literal["sentence", "word"], "one sample per text, or one per token and layer, of the last layers"
    ] = "sentence"
    pooling: Annotated[
        Literal["mean", "max", "cls"], "for sentences: how the vector of a text is made from those of its tokens"
    ] = "mean"
    unit: Annotated[bool, "for sentences: scale the vector of every text to length 1"] = True
    last: Annotated[int, "for words: how many of the last layers to use"] = 5
    sample: Annotated[int, "compare random samples of this size, and give an interval; 0: compare everything"] = 0
    repeats: Annotated[int, "how many such random samples to compare"] = 5

    def __post_init__(self) -> None:
        if self.last < 1:
            raise SpecError(f"last={self.last} must be above 0")
        if self.sample < 0 or self.repeats < 2:
            raise SpecError(f"sample={self.sample} must be at least 0 and repeats={self.repeats} at least 2")

    def sharing(self, *, vectors: bool = False) -> Hashable:
        """Return a key that is equal for metrics that compare the same samples.

        :param vectors: all sets are vectors already, so that the options of the encoding do not matter
        """
        names = ["sample", "repeats"] if vectors else [each.name for each in fields(SampleOptions)]
        return tuple(getattr(self, name) for name in names)


def default_encoder() -> str:
    """Return the encoder of metrics that name none: a sentence encoder, or an embedded student if torch is missing."""
    from importlib.util import find_spec

    return SENTENCE_MODEL if find_spec("torch") else LIGHT_MODEL


@dataclass(frozen=True, slots=True)
class Samples:
    """Vectors with one row per sample, notes on the texts that they come from, and fields of the signature."""

    vectors: Vectors
    notes: tuple[Note, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)


def is_vectors(data: object) -> bool:
    """Tell whether a set is an array of numbers; texts are not."""
    return isinstance(data, np.ndarray) and data.dtype.kind in "fiub"


def gather(
    data: TextsOrVectors, options: SampleOptions, what: str, *, threads: int | None = None, bar: Bar = no_bar
) -> Samples:
    """Turn one set into samples, and check them.

    :param what: what messages call the set
    """
    if isinstance(data, np.ndarray) and is_vectors(data):
        return Samples(checked_vectors(data, what), fields={"samples": "vectors"})
    rows, empty = _rows(data, what)
    reader = SampleReader(options, threads)
    texts = [str(data[row]) for row in rows]
    with bar("encoding", len(set(texts))) as progress:
        vectors, cut = reader.read(texts, rows, progress)
    notes = [Note("empty", f"texts of {what} without a word are left out", tuple(empty))] if empty else []
    notes += [Note("truncated", f"texts of {what} are longer than the model can read", tuple(cut))] if cut else []
    return Samples(checked_vectors(vectors, what), tuple(notes), reader.fields())


def _rows(data: TextsOrVectors, what: str) -> tuple[list[int], list[int]]:
    """Return the rows with a text and those without."""
    if isinstance(data, str) or not all(isinstance(text, str) for text in data):
        raise UsageError(f"{what} must be a list of texts or a matrix of numbers")
    full = [row for row, text in enumerate(data) if text.strip()]
    if not full:
        raise InputError(f"{what} has no text", remedy="give texts that are not empty")
    return full, [row for row, text in enumerate(data) if not text.strip()]


def checked_vectors(data: np.ndarray, what: str) -> Vectors:
    """Return vectors as float32 or float64, one row per sample; raise an error if they cannot be compared."""
    if data.ndim != 2 or not data.shape[1]:
        shape = " x ".join(map(str, data.shape))
        raise InputError(f"{what} has the shape {shape}", remedy="give a matrix with one row per sample")
    vectors = np.ascontiguousarray(data if data.dtype in (np.float32, np.float64) else _widened(data))
    largest = 0.0
    for start in range(0, len(vectors), 4096):
        part = np.abs(vectors[start : start + 4096])
        broken = ~np.isfinite(part).all(axis=1)
        if broken.any():
            row = start + int(np.argmax(broken)) + 1
            raise InputError(f"{what} has a NaN or infinite number in row {row}", remedy="remove or correct it")
        largest = max(largest, float(part.max()))
    if largest and not 1 / _LARGEST < largest < _LARGEST:
        raise InputError(f"{what} has numbers as large as {largest:.0e}", remedy="scale the vectors")
    return vectors


def _widened(data: np.ndarray) -> Vectors:
    return data.astype(np.float32 if data.dtype == np.float16 else np.float64)


def check_together(generated: Vectors, corpus: Vectors, most: int, metric: str) -> None:
    """Raise an error if two sets cannot be compared.

    :param most: the largest number of neighbours that is needed
    :param metric: the name of the metric that needs them
    """
    if generated.shape[1] != corpus.shape[1]:
        raise InputError(
            f"the generated vectors have {generated.shape[1]} dimensions, those of the corpus {corpus.shape[1]}",
            remedy="encode both sets with the same model",
        )
    for name, vectors in (("generated set", generated), ("corpus", corpus)):
        if len(vectors) <= most:
            raise InputError(
                f"the {name} has {len(vectors)} samples, but {metric} needs at least {most + 1}",
                remedy=f"give more samples or a smaller k than {most}" if most > 1 else "give more samples",
            )


class SampleReader:
    """Encodes texts, and remembers which were truncated."""

    def __init__(self, options: SampleOptions, threads: int | None = None) -> None:
        from farthing.encoders.engine import Engine
        from farthing.encoders.load import load_encoder

        self.options = options
        self.engine = Engine(load_encoder(options.model or default_encoder()), threads=threads)
        depth = self.engine.encoder.layers
        self.layers = depth[-1:] if options.samples == "sentence" else depth[1:][-options.last :] or depth[-1:]

    def each(self, texts: Sequence[str], progress: Progress = silent) -> tuple[dict[str, Vectors], set[str]]:
        """Return the samples of every distinct text, and which texts were truncated."""
        samples: dict[str, Vectors] = {}
        cut: set[str] = set()
        for text, encoded in self.engine.encode(texts, self.layers):
            samples[text] = self._samples(encoded)
            if encoded.cut:
                cut.add(text)
            progress(1)
        return samples, cut

    def read(self, texts: Sequence[str], rows: Sequence[int], progress: Progress) -> tuple[Vectors, list[int]]:
        """Return the samples of the texts in their order, and the rows that were truncated."""
        samples, cut = self.each(texts, progress)
        vectors = np.concatenate([samples[text] for text in texts])
        return vectors, [row for row, text in zip(rows, texts, strict=True) if text in cut]

    def _samples(self, encoded: EncodedText) -> Vectors:
        if self.options.samples == "word":
            return np.concatenate([encoded.states[layer][encoded.content] for layer in self.layers])
        from farthing.encoders.sentence import pool

        vector = pool(encoded, self.layers[0], self.options.pooling)
        length = float(np.linalg.norm(vector))
        return (vector / length if self.options.unit and length else vector)[None]

    def fields(self) -> dict[str, Value]:
        """Return everything about the encoding that changes a score."""
        if self.options.samples == "word":
            own: dict[str, Value] = {"samples": "word", "layers": list(self.layers)}
        else:
            own = {"samples": "sentence", "pooling": self.options.pooling, "unit": self.options.unit}
        return {**own, **self.engine.fields()}
