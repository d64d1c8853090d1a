"""A matching student: a folder with an encoder, a head and a tokenizer that scores pairs and shows alignments."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.errors import ModelError
from farthing.core.specs import Value
from farthing.core.threads import thread_count
from farthing.core.types import Alignment, Note, Pairs
from farthing.encoders.backends.embedded import Encoder, Graph, Table
from farthing.encoders.tokens.tokenize import Tokenizer, read_json
from farthing.students import surface
from farthing.students.gaps import NAMES, Tokens, gaps
from farthing.students.head import Head

KINDS = ("match", "static")
FILES = {"match": "encoder.onnx", "static": "tokens.safetensors"}


class Reading(NamedTuple):
    """Texts that were read: their tokens (None where there are none), and those that were too long."""

    tokens: Mapping[str, Tokens | None]
    truncated: frozenset[str]


class Student:
    """Reads each text alone, aligns the tokens of two texts greedily and judges how they differ.

    Equal texts score 100, and no others do (but for white space). Unrelated texts score about 0, and so does by rule
    a text without any token against one that has some. With several references the best one counts.

    :param folder: what `farthing learn student` wrote, or one of Farthing's own
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self.config = read_json(folder / "config.json")
        self.kind = str(self.config.get("farthing", {}).get("kind"))
        if self.kind not in KINDS:
            raise ModelError(f"{folder} is a student of the unknown kind {self.kind!r} (there are: {', '.join(KINDS)})")
        self.tokenizer = Tokenizer(folder)
        self.head = Head.read(folder / "head.safetensors")
        weights = folder / FILES[self.kind]
        self.encoder: Encoder = (
            Graph(weights, self.tokenizer, thread_count(threads))
            if self.kind == "match"
            else Table(weights, self.tokenizer)
        )
        self._files = weights, folder / "head.safetensors"

    @cached_property
    def fields(self) -> dict[str, Value]:
        """What a signature says of the student: all that moves a score."""
        return {
            "kind": self.kind,
            "weights": _hash(*self._files),
            "tokenizer": self.tokenizer.hash,
            "limit": self.tokenizer.limit,
        }

    def read(self, texts: Iterable[str]) -> Reading:
        """Every distinct text once."""
        distinct = list(dict.fromkeys(texts))
        contents = self.tokenizer.contents(distinct)
        long = frozenset(text for text, ids in zip(distinct, contents, strict=True) if len(ids) > self.tokenizer.room)
        filled = iter(self.encoder.encode([self.tokenizer.cut(content) for content in contents if content]))
        tokens = {text: next(filled) if ids else None for text, ids in zip(distinct, contents, strict=True)}
        return Reading(tokens, long)

    def scores(self, pairs: Pairs, reading: Reading) -> np.ndarray:
        """One score a pair: that of its best reference."""
        rows = [(row, reference) for row, several in enumerate(pairs.references) for reference in several]
        candidates, references = [pairs.candidates[row] for row, _ in rows], [text for _, text in rows]
        differences, lost = self._differences(candidates, references, reading.tokens)
        values = np.where(lost, 0.0, self.head.scores(differences))
        best = np.full(len(pairs), -np.inf)
        np.maximum.at(best, [row for row, _ in rows], values)
        return best

    def raw(self, candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
        """The head's own values, on the scale of the human scores that the student learned from: for teaching."""
        differences, _ = self._differences(candidates, references, self.read([*candidates, *references]).tokens)
        return self.head.raw(differences)

    def _differences(
        self, candidates: Sequence[str], references: Sequence[str], tokens: Mapping[str, Tokens | None]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The head's features, and which pairs cannot be aligned since one text has no token."""
        aligned = np.zeros((len(candidates), len(NAMES)))
        lost = np.zeros(len(candidates), dtype=bool)
        for row, (candidate, reference) in enumerate(zip(candidates, references, strict=True)):
            if candidate == reference:
                continue  # equal texts do not differ, not even by a rounding error
            first, second = tokens[candidate], tokens[reference]
            if first is None or second is None:
                lost[row] = first is not second
            else:
                aligned[row] = gaps(first, second)
        return np.concatenate([aligned, surface.differences(candidates, references)], axis=1), lost

    def notes(self, pairs: Pairs, reading: Reading) -> tuple[Note, ...]:
        """The rows of which a text was longer than the student can read."""
        if not reading.truncated:
            return ()
        rows = [
            row
            for row, (candidate, references) in enumerate(zip(pairs.candidates, pairs.references, strict=True))
            if reading.truncated.intersection([candidate, *references])
        ]
        message = f"only the first {self.tokenizer.room} tokens were read"
        return (Note("truncated", message, tuple(rows)),) if rows else ()

    def align(self, candidate: str, reference: str) -> Alignment:
        """Which token matched which."""
        both = [self.tokenizer.cut(content) for content in self.tokenizer.contents([candidate, reference])]
        if not all(both):
            raise ModelError("there is nothing to align: a text has no token")
        first, second = self.encoder.encode(both)
        similarity = first.vectors @ second.vectors.T
        names = [tuple(self.tokenizer.token(one) for one in content) for content in both]
        pair = Pairs([candidate], [[reference]])
        score = self.scores(pair, self.read([candidate, reference]))
        precision, recall, *_ = gaps(first, second)
        return Alignment(
            names[0], names[1], similarity, similarity.argmax(axis=1), similarity.argmax(axis=0),
            first.weights / first.weights.sum(), second.weights / second.weights.sum(),
            {"score": float(score[0]), "precision": 1 - precision, "recall": 1 - recall},
        )  # fmt: skip


def texts_of(pairs: Pairs) -> list[str]:
    """Every text of a system's pairs."""
    return [*pairs.candidates, *(text for references in pairs.references for text in references)]


def _hash(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
