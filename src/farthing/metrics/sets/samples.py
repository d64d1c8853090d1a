"""What a set metric compares: sentence vectors, contextual word vectors, or vectors that the user gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from farthing.core.errors import InputError, SpecError, UsageError
from farthing.core.progress import Bar, Progress, no_bar
from farthing.core.specs import Value
from farthing.core.types import Note

if TYPE_CHECKING:
    from farthing.encoders.protocol import EncodedText

SENTENCE_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
_LARGEST = 1e100  # squares of larger numbers, or of smaller than its inverse, leave float64

Model = Annotated[str, "the encoder of texts: a folder or a name; vectors need none"]
Kind = Annotated[
    Literal["sentence", "word"], "a sample is a text's vector, or a token's vector from each of the last layers"
]
Pooling = Annotated[Literal["mean", "max", "cls"], "how a text's token vectors become one"]
Normalise = Annotated[bool, "scale every text's vector to length 1"]
Layers = Annotated[int, "for words: how many of the last layers, each of which gives a sample a token"]
Sample = Annotated[int, "judge random samples of this many of each set, with an interval; 0: everything, exactly"]
Repeats = Annotated[int, "how many such samples"]


@dataclass(frozen=True, slots=True)
class Source:
    """How texts become samples, and how many of the samples are looked at."""

    model: str = SENTENCE_MODEL
    kind: Literal["sentence", "word"] = "sentence"
    pooling: Literal["mean", "max", "cls"] = "mean"
    normalise: bool = True
    layers: int = 5
    sample: int = 0
    repeats: int = 5

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise SpecError(f"layers={self.layers} must be above 0")
        if self.sample < 0 or self.repeats < 2:
            raise SpecError(f"sample={self.sample} must be at least 0 and repeats={self.repeats} at least 2")


@dataclass(frozen=True, slots=True)
class Samples:
    """Vectors, a row a sample, with notes on the texts they come from and the fields of the signature."""

    vectors: np.ndarray
    notes: tuple[Note, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)


def is_vectors(data: object) -> bool:
    """True for an array of numbers, False for texts."""
    return isinstance(data, np.ndarray) and data.dtype.kind in "fiub"


def gather(
    data: Sequence[str] | np.ndarray, source: Source, what: str, *, threads: int | None = None, bar: Bar = no_bar
) -> Samples:
    """The samples of one set, checked.

    :param what: the name of the set in messages
    """
    if isinstance(data, np.ndarray) and is_vectors(data):
        return Samples(checked_vectors(data, what), fields={"samples": "vectors"})
    rows, empty = _rows(data, what)
    reader = _Reader(source, threads)
    texts = [data[row] for row in rows]
    with bar("encoding", len(set(texts))) as progress:
        vectors, cut = reader.read(texts, rows, progress)
    notes = [Note("empty", f"texts of {what} without a word are left out", tuple(empty))] if empty else []
    notes += [Note("truncated", f"texts of {what} are longer than the model can read", tuple(cut))] if cut else []
    return Samples(checked_vectors(vectors, what), tuple(notes), reader.fields())


def _rows(data: Sequence[str] | np.ndarray, what: str) -> tuple[list[int], list[int]]:
    """The rows with and without a text."""
    if isinstance(data, str) or not all(isinstance(text, str) for text in data):
        raise UsageError(f"{what} must be a list of texts or a matrix of numbers")
    full = [row for row, text in enumerate(data) if text.strip()]
    if not full:
        raise InputError(f"{what} has no text", remedy="give texts that are not empty")
    return full, [row for row, text in enumerate(data) if not text.strip()]


def checked_vectors(data: np.ndarray, what: str) -> np.ndarray:
    """Vectors as finite float32 or float64, a row a sample, or one sentence that says what is wrong."""
    if data.ndim != 2 or not data.shape[1]:
        shape = " x ".join(map(str, data.shape))
        raise InputError(f"{what} has the shape {shape}", remedy="give a matrix, a row a sample")
    vectors = np.ascontiguousarray(data if data.dtype in (np.float32, np.float64) else _widened(data))
    largest = 0.0
    for start in range(0, len(vectors), 4096):
        part = np.abs(vectors[start : start + 4096])
        broken = ~np.isfinite(part).all(axis=1)
        if broken.any():
            row = start + int(np.argmax(broken)) + 1
            raise InputError(f"{what} has a NaN or infinite number in row {row}", remedy="drop or mend that vector")
        largest = max(largest, float(part.max()))
    if largest and not 1 / _LARGEST < largest < _LARGEST:
        raise InputError(f"{what} has numbers as large as {largest:.0e}", remedy="scale the vectors")
    return vectors


def _widened(data: np.ndarray) -> np.ndarray:
    return data.astype(np.float32 if data.dtype == np.float16 else np.float64)


def check_together(generated: np.ndarray, corpus: np.ndarray, most: int, metric: str) -> None:
    """Raise one sentence where two sets cannot be compared."""
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


class _Reader:
    """Reads texts with an encoder, and keeps the rows that lost their end."""

    def __init__(self, source: Source, threads: int | None) -> None:
        from farthing.encoders.engine import Engine
        from farthing.encoders.load import load_encoder

        self.source = source
        self.engine = Engine(load_encoder(source.model), threads=threads)
        depth = self.engine.encoder.layers
        self.layers = depth[-1:] if source.kind == "sentence" else depth[1:][-source.layers :] or depth[-1:]

    def read(self, texts: Sequence[str], rows: Sequence[int], progress: Progress) -> tuple[np.ndarray, list[int]]:
        """The samples of the texts in their order, and which rows were cut."""
        found: dict[str, np.ndarray] = {}
        cut: set[str] = set()
        for text, encoded in self.engine.encode(texts, self.layers):
            found[text] = self._samples(encoded)
            if encoded.cut:
                cut.add(text)
            progress(1)
        vectors = np.concatenate([found[text] for text in texts])
        return vectors, [row for row, text in zip(rows, texts, strict=True) if text in cut]

    def _samples(self, encoded: EncodedText) -> np.ndarray:
        if self.source.kind == "word":
            return np.concatenate([encoded.states[layer][encoded.content] for layer in self.layers])
        from farthing.encoders.sentence import pool

        vector = pool(encoded, self.layers[0], self.source.pooling)
        length = float(np.linalg.norm(vector))
        return (vector / length if self.source.normalise and length else vector)[None]

    def fields(self) -> dict[str, Value]:
        """What of the encoding moves a score."""
        if self.source.kind == "word":
            own: dict[str, Value] = {"samples": "word", "layers": list(self.layers)}
        else:
            own = {"samples": "sentence", "pooling": self.source.pooling, "normalise": self.source.normalise}
        return {**own, **self.engine.fields()}
