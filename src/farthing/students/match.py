"""Students that match tokens (kinds match and static): they read each text alone and show which token matched which.

Three steps make a score: the differences of the aligned tokens (:func:`token_gaps`), those on the surface
(:mod:`farthing.students.surface`), and a small head that turns both into a number on a scale people can read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from farthing.core.arrays import Floats, Mask, Matrix, Segments
from farthing.core.errors import InputError, ModelError, UsageError
from farthing.core.specs import Value
from farthing.core.types import Alignment, Note, Pairs
from farthing.encoders.backends.embedded import EmbeddedEncoder, Tokens
from farthing.students.layout import HEAD, USUAL, StudentFolder, rows_with
from farthing.students.student import PairOptions, PairScores
from farthing.students.surface import CharacterScale, most_of_unequal, surface_gaps
from farthing.text.languages import listed

GAPS = ("precision", "recall", "F", "precision, root mean square", "recall, root mean square", "pooled")
PARTS = ("scale", "top", "linear", "hidden", "hidden_bias", "out", "floor")
ROUNDING = 1e-5  # what a difference of tokens may come to by rounding alone
BEND = 1.0  # points; a value as high as that of equal texts scores 100 - 0.7 of them


def token_gaps(first: Tokens, second: Tokens) -> tuple[float, ...]:
    """Return the differences of a candidate and a reference, each 0 for equal texts, in the order of :data:`GAPS`.

    The gap of a token is one minus its cosine with the nearest token of the other text. Means are weighted by the
    tokens' weights, which the student has learned.
    """
    # in double precision a sum does not depend on its order, and so a score not on how pairs were put together
    ours, theirs = first.vectors.astype(np.float64), second.vectors.astype(np.float64)
    similarity = ours @ theirs.T
    forth, back = np.maximum(1 - similarity.max(axis=1), 0), np.maximum(1 - similarity.max(axis=0), 0)
    own, other = first.weights.astype(np.float64), second.weights.astype(np.float64)
    own, other = own / own.sum(), other / other.sum()
    means = own @ ours, other @ theirs
    pooled = means[0] @ means[1] / max(sqrt(means[0] @ means[0]) * sqrt(means[1] @ means[1]), 1e-12)
    precision, recall = float(own @ forth), float(other @ back)
    harmonic = 1 - 2 * (1 - precision) * (1 - recall) / max((1 - precision) + (1 - recall), 1e-6)
    spread = [sqrt(share @ (gap * gap) + 1e-8) - 1e-4 for share, gap in ((own, forth), (other, back))]
    return precision, recall, harmonic, *spread, 1 - float(pooled)


@dataclass(frozen=True, slots=True)
class Head:
    """A linear part and a few hidden units over differences; its value at no difference is `top`.

    :param floor: the value that unrelated texts get
    """

    scale: Floats
    top: float
    linear: Floats
    hidden: Matrix
    hidden_bias: Floats
    out: Floats
    floor: float

    @classmethod
    def read(cls, path: Path) -> Head:
        """Read a head from a safetensors file."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            arrays = load_file(path)
        except (OSError, SafetensorError) as error:
            raise ModelError(f"{path} cannot be read: {error}") from error
        missing = [name for name in PARTS if name not in arrays]
        if missing:
            raise ModelError(f"{path} is not the head of a student: it has no {missing[0]!r}")
        return cls.of(arrays)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Head:
        """Make a head from its arrays by name."""
        wide = {name: np.asarray(arrays[name], dtype=np.float64) for name in PARTS}
        return cls(
            wide["scale"], float(wide["top"]), wide["linear"].ravel(), wide["hidden"],
            wide["hidden_bias"], wide["out"].ravel(), float(wide["floor"]),
        )  # fmt: skip

    def raw(self, differences: Matrix) -> Segments:
        """Return one value per row, never above that of equal texts."""
        values: Segments = np.minimum(self._values(differences), self.top)
        return values

    def scores(self, differences: Matrix) -> Segments:
        """Return one score per row: 100 for equal texts and for no others, about 0 for unrelated ones.

        The score is a straight line of the value, which keeps every correlation. Only just below 100 it bends, within a
        point or two, so that texts which the head would put above equal ones stay below them, in their order.
        """
        straight = 100 * (self._values(differences) - self.floor) / (self.top - self.floor)
        bent = np.minimum(100 - BEND * np.logaddexp(0, (100 - straight) / BEND), np.nextafter(100.0, 0.0))
        return np.where(differences.any(axis=1), bent, 100.0)

    def _values(self, differences: Matrix) -> Segments:
        scaled = differences / self.scale
        bend = np.tanh(scaled @ self.hidden.T + self.hidden_bias) - np.tanh(self.hidden_bias)
        values: Segments = self.top + scaled @ self.linear + bend @ self.out
        return values


class ReadTexts(NamedTuple):
    """Texts that were read: their tokens (None for a text without any), and which were too long or not readable."""

    tokens: Mapping[str, Tokens | None]
    truncated: frozenset[str]
    foreign: frozenset[str] = frozenset()


class Differences(NamedTuple):
    """How the texts of some pairs differ.

    :param features: what the head reads
    :param lost: pairs that cannot be aligned since only one of the texts has tokens
    :param equal: pairs of equal texts, up to white space
    """

    features: Matrix
    lost: Mask
    equal: Mask


class MatchStudent:
    """Reads each text alone, aligns the tokens of two texts greedily and judges how they differ.

    Equal texts score 100, and no others do; white space and the Unicode form (NFC or NFD) make no difference. Unrelated
    texts score about 0. A pair of which one text is empty scores the lowest that the student was seen to give, or less.
    A pair with a text in a language that the student does not read is scored by its characters, and noted. With several
    references the best one counts.

    :param folder: what `farthing learn student` wrote, or one of Farthing's own
    :param options: `long=error` raises if a text is too long; the other options are for students of the kind cross
    """

    range = (None, 100.0)

    def __init__(
        self, folder: Path | StudentFolder, options: PairOptions = USUAL, *, threads: int | None = None
    ) -> None:
        self.folder = StudentFolder.read(folder) if isinstance(folder, Path) else folder
        _check_options(self.folder, options)
        self._strict = options.long == "error"
        self.encoder = EmbeddedEncoder(self.folder.path, self.folder.name, threads=threads)
        self.tokenizer = self.encoder.tokenizer
        self.head = Head.read(self.folder.path / HEAD)
        self.reads, self.against = self.folder.reads, self.folder.against
        self.lowest, self.characters = _lower_end(self.folder)

    def fields(self) -> dict[str, Value]:
        """Return the student's part of a signature: all that changes a score."""
        return self._fields

    @cached_property
    def _fields(self) -> dict[str, Value]:
        return {
            "kind": self.folder.kind,
            "weights": self.folder.digest,
            "tokenizer": self.tokenizer.hash,
            "limit": self.tokenizer.limit,
        }

    def read(self, texts: Iterable[str]) -> ReadTexts:
        """Read every distinct text once."""
        distinct = list(dict.fromkeys(texts))
        contents = self.tokenizer.contents(distinct)
        room = self.tokenizer.room
        long = frozenset(text for text, ids in zip(distinct, contents, strict=True) if len(ids) > room)
        if long and self._strict:
            raise InputError(
                f"a text has more than the {room} tokens that {self.folder.name} reads: {min(long)[:40]!r}…",
                remedy="use long=truncate",
            )
        encoded = iter(self.encoder.encode([self.tokenizer.cut(content) for content in contents if content]))
        tokens = {text: next(encoded) if ids else None for text, ids in zip(distinct, contents, strict=True)}
        return ReadTexts(tokens, long)

    def score_systems(self, systems: Sequence[Pairs]) -> list[PairScores]:
        """Score the pairs of several systems; a text that they share, such as a reference, is read once."""
        systems = [_composed(pairs) for pairs in systems]
        texts = self.read(text for pairs in systems for text in pairs.texts())
        texts = texts._replace(foreign=self.folder.foreign(list(texts.tokens)))
        notes = partial(self.notes, texts)
        return [PairScores(self.scores(one, texts), notes(partial(rows_with, pairs=one))) for one in systems]

    def scores(self, pairs: Pairs, texts: ReadTexts) -> Segments:
        """Return one score per pair: that of its best reference."""
        owners, candidates, references = pairs.single_references()
        found = self._differences(candidates, references, texts.tokens)
        unread = np.zeros(len(candidates), dtype=bool)
        if texts.foreign:
            both = zip(candidates, references, strict=True)
            unread[:] = [not texts.foreign.isdisjoint(two) and all(map(texts.tokens.get, two)) for two in both]
        best = np.full(len(pairs), -np.inf)
        np.maximum.at(best, owners, self.judged(found, unread))
        return best

    def judged(self, found: Differences, unread: Mask) -> Segments:
        """Return one score per pair.

        :param unread: pairs that have tokens, but in a language that the student does not read
        """
        aligned, gaps = np.split(found.features, [len(GAPS)], axis=1)
        values = self.head.scores(found.features)
        values = np.where(found.lost, np.minimum(values, self.lowest), values)
        if self.characters and unread.any():
            values = np.where(unread, self.characters.scores(gaps), values)
        alike: Mask = np.all(aligned < ROUNDING, axis=1)
        return np.where(found.equal, 100.0, np.minimum(values, most_of_unequal(gaps, alike)))

    def raw(self, candidates: Sequence[str], references: Sequence[str]) -> Segments:
        """Return the head's own values, on the scale of the scores that the student learned from: for teaching."""
        found = self._differences(candidates, references, self.read([*candidates, *references]).tokens)
        return self.head.raw(found.features)

    def _differences(
        self, candidates: Sequence[str], references: Sequence[str], tokens: Mapping[str, Tokens | None]
    ) -> Differences:
        aligned = np.zeros((len(candidates), len(GAPS)))
        lost, equal = np.zeros((2, len(candidates)), dtype=bool)
        surface = surface_gaps(candidates, references)
        alike: Mask = ~np.any(surface, axis=1)
        for row, (candidate, reference) in enumerate(zip(candidates, references, strict=True)):
            if alike[row] and candidate.split() == reference.split():
                equal[row] = True  # equal texts do not differ, not even by a rounding error
                continue
            first, second = tokens[candidate], tokens[reference]
            if first is not None and second is not None:
                aligned[row] = token_gaps(first, second)
            elif first is not second:
                lost[row] = True
                aligned[row] = 1.0  # nothing of the one is near anything of the other
        return Differences(np.concatenate([aligned, surface], axis=1), lost, equal)

    def notes(self, texts: ReadTexts, rows_of: Callable[[Collection[str]], tuple[int, ...]]) -> tuple[Note, ...]:
        """Name the rows, given who tells those of some texts, with a text that is too long or in another language."""
        by_characters = "the row is scored by shared characters" if self.characters else "the row's score means little"
        named = {
            "truncated": (texts.truncated, f"only the first {self.tokenizer.room} tokens were read"),
            "unread": (texts.foreign, f"{self.folder.name} reads only {listed(self.reads)}; {by_characters}"),
        }
        notes = ((kind, message, rows_of(some)) for kind, (some, message) in named.items())
        return tuple(Note(kind, message, rows) for kind, message, rows in notes if rows)

    def align(self, candidate: str, reference: str) -> Alignment:
        """Return which token matched which."""
        both = [self.tokenizer.cut(content) for content in self.tokenizer.contents([candidate, reference])]
        if not all(both):
            raise ModelError("there is nothing to align: a text has no token")
        first, second = self.encoder.encode(both)
        similarity = first.vectors @ second.vectors.T
        names = [tuple(self.tokenizer.token(one) for one in content) for content in both]
        [scored] = self.score_systems([Pairs([candidate], [[reference]])])
        precision, recall, *_ = token_gaps(first, second)
        return Alignment(
            names[0], names[1], similarity, similarity.argmax(axis=1), similarity.argmax(axis=0),
            first.weights / first.weights.sum(), second.weights / second.weights.sum(),
            {"score": float(scored.segments[0]), "precision": 1 - precision, "recall": 1 - recall},
        )  # fmt: skip


def composed(text: str) -> str:
    """Return a text in the Unicode form NFC, in which an accent and its letter are one character."""
    return text if text.isascii() else normalize("NFC", text)


def _composed(pairs: Pairs) -> Pairs:
    if all(text.isascii() for text in pairs.texts()):
        return pairs
    candidates, *references = (list(map(composed, row)) for row in [pairs.candidates, *pairs.references])
    return Pairs(candidates, references, pairs.sources, pairs.ids, pairs.system)


def _lower_end(folder: StudentFolder) -> tuple[float, CharacterScale | None]:
    """Return the lowest score of the calibration set (infinite if it is unknown), and the scale of unread texts."""
    lowest, characters = folder.facts.get("lowest"), folder.facts.get("characters")
    scale = CharacterScale(**characters) if isinstance(characters, dict) else None
    return float(lowest) if isinstance(lowest, int | float) else np.inf, scale


def _check_options(folder: StudentFolder, options: PairOptions) -> None:
    for field in fields(options):
        value = getattr(options, field.name)
        if value not in (field.default, "error"):
            raise UsageError(
                f"{field.name}={value} is for students of the kind cross; {folder.name} is of the kind {folder.kind}"
            )
