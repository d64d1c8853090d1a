"""Students of the kind estimator: one vector per text, and a head over candidate, reference and source (as COMET).

Every distinct text is encoded once, however many rows and systems share it, and only its vector is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import ModelError
from farthing.core.specs import Value
from farthing.core.threads import one_core_algebra
from farthing.core.types import Note, Pairs
from farthing.encoders.engine import Engine
from farthing.encoders.folder.layout import layer_count
from farthing.encoders.load import load_encoder
from farthing.students.layout import HEAD, USUAL, StudentFolder
from farthing.students.regressor import EstimatorShape, Regressor
from farthing.students.student import PairOptions, PairScores
from farthing.students.whole import WholeStudent, best_of_references, long_notes


class _Read(NamedTuple):
    """The vectors of all texts, the row of each, and the texts that are longer than the model reads."""

    vectors: Vectors
    rows: Mapping[str, int]
    long: frozenset[str]


class EstimatorStudent(WholeStudent):
    """An estimator: gives a raw number on the scale of what it was trained on.

    :param folder: what `farthing learn regress`, `farthing learn export` or `farthing models convert` wrote
    :param threads: how many batches are encoded at a time
    """

    called = "an estimator"
    refused = ("limit", "symmetric", "compat", "focus", "precision")

    def __init__(
        self, folder: Path | StudentFolder, options: PairOptions = USUAL, *, threads: int | None = None
    ) -> None:
        super().__init__(folder, options)
        self.shape = EstimatorShape.told(self.folder.facts, self.folder.path)
        encoder = load_encoder(self.folder.path, leading_space=False)
        self.engine = Engine(encoder, long=options.long or "truncate", threads=threads)
        self.regressor = Regressor(
            self.shape, read_arrays(self.folder.path), (layer_count(self.folder.config) or 0) + 1
        )
        if self.regressor.dense[0][0].shape[0] != self.shape.width(encoder.dimension):
            raise ModelError(f"{self.folder.path}: the head does not fit the encoder: they do not belong together")
        self.needs = frozenset(self.shape.inputs)

    def fields(self) -> dict[str, Value]:
        """Return the student's part of a signature: all that changes a score."""
        return {
            "kind": self.folder.kind,
            "inputs": "+".join(self.shape.inputs),
            "weights": self.digest,
            "tokenizer": self.engine.encoder.tokenizer.hash,
            "precision": self.folder.precision,
            "backend": self.engine.encoder.backend,
            "limit": self.engine.encoder.tokenizer.limit,
            "long": self.engine.long,
        }

    def score_systems(self, systems: Sequence[Pairs]) -> list[PairScores]:
        """Score the pairs of several systems; a text that they share, such as a source, is encoded once."""
        read = self._read([text for pairs in systems for text in self._texts(pairs)])
        with one_core_algebra():
            return [self._scored(pairs, read) for pairs in systems]

    def _texts(self, pairs: Pairs) -> list[str]:
        references = [text for texts in pairs.references for text in texts] if "reference" in self.needs else []
        return [*pairs.candidates, *references, *((pairs.sources or ()) if "source" in self.needs else ())]

    def _read(self, texts: Sequence[str]) -> _Read:
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        vectors = np.zeros((len(rows), self.engine.encoder.dimension), dtype=np.float32)
        room, long = self.engine.encoder.tokenizer.room, set()
        for text, encoded in self.engine.encode(rows, self.regressor.layers):
            vectors[rows[text]] = self.regressor.vector(encoded.states)
            if encoded.cut or encoded.content.stop - encoded.content.start > room:
                long.add(text)
        return _Read(vectors, rows, frozenset(long))

    def _scored(self, pairs: Pairs, read: _Read) -> PairScores:
        owners, candidates, references = pairs.single_references()
        if "reference" not in self.needs:
            owners, candidates = list(range(len(pairs))), list(pairs.candidates)
        sources = [pairs.sources[row] for row in owners] if pairs.sources is not None else []
        sides = {"reference": references, "source": sources}
        others = [read.vectors[[read.rows[text] for text in sides[side]]] for side in self.shape.inputs]
        values = self.regressor.scores(read.vectors[[read.rows[text] for text in candidates]], others)
        return PairScores(best_of_references(len(pairs), owners, values), self._notes(pairs, read.long))

    def _notes(self, pairs: Pairs, long: Collection[str]) -> tuple[Note, ...]:
        texts = (self._texts(pairs.part(row, row + 1)) for row in range(len(pairs) if long else 0))
        rows = (row for row, own in enumerate(texts) if any(text in long for text in own))
        return long_notes("texts", self.engine.encoder.tokenizer.room, rows, windows=self.engine.long == "window")


def read_arrays(folder: Path) -> dict[str, np.ndarray]:
    """Read the mix and the head of an estimator's folder."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        arrays: dict[str, np.ndarray] = load_file(folder / HEAD)
        return arrays
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{folder / HEAD} cannot be read: {error}") from error
