"""Students that match tokens (kinds match and static): they read each text alone and show which token matched which.

What is computed from the tokens of two texts is in :mod:`farthing.students.head`: their differences, and the small head
that turns these into a score. Here texts are read, pairs are put together, and notes say what a reader should know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from farthing.core.arrays import Mask, Segments
from farthing.core.digest import digest_files
from farthing.core.errors import InputError, ModelError, UsageError
from farthing.core.explanation import Explanation
from farthing.core.specs import Value
from farthing.core.types import Alignment, Note, Pairs
from farthing.encoders.backends.embedded import EmbeddedEncoder
from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.folder.shipped import check_shipped
from farthing.encoders.tokens.id_rows import IdRows, Ids
from farthing.encoders.tokens.spelling import Spelling
from farthing.students.head import (
    GAPS,
    SIDES,
    Differences,
    FocusScale,
    batched_gaps,
    best_rows,
    lower_end,
    read_head,
    text_gaps,
    token_gaps,
)
from farthing.students.layout import HEAD, USUAL, StudentFolder, rows_with
from farthing.students.student import WINDOWS, PairOptions, PairScores
from farthing.students.surface import LEAST_LOSS, NAMES, most_of_unequal
from farthing.students.texts import ReadTexts, TextTokens, joined_blocks, row_blocks
from farthing.text.languages import listed
from farthing.text.split import split_texts
from farthing.text.words import composed

OWN_OPTIONS = ("long", "focus", "precision")  # of students that match tokens; all others are for the kind cross
MOSTLY_NEW = 0.75  # the share of distinct texts from which on each is encoded for its pair, not for all pairs at once
CHARACTERS = 1 << 19  # of the texts whose tokens are in memory together: some hundred megabytes of vectors
ROUNDING = 1e-5  # what a difference of tokens may come to by rounding alone


class MatchStudent:
    """Reads each text alone, aligns the tokens of two texts greedily and judges how they differ.

    Equal texts score 100, and no others do; white space and the Unicode form (NFC or NFD) make no difference. Unrelated
    texts score about 0. A pair of which one text is empty scores the lowest that the student was seen to give, or less.
    A pair with a text in a language that the student does not read is scored by its characters, and noted. With several
    references the best one counts.

    A student that compares with sources (:attr:`against`) knows no equal texts: no output scores 100, and a copy of the
    source is an output like any other. A pair of which one text is empty, or both are, scores lowest.

    :param folder: what `farthing learn student` wrote, or one of Farthing's own
    :param options: `long`, `focus` and `precision` are as told there; the others are for students of the kind cross. A
        text over the limit is read whole, in windows, unless `long` says otherwise.
    """

    range = (None, 100.0)
    explains = True

    def __init__(
        self, folder: Path | StudentFolder, options: PairOptions = USUAL, *, threads: int | None = None
    ) -> None:
        self.folder = StudentFolder.read(folder) if isinstance(folder, Path) else folder
        _check_options(self.folder, options)
        self.long = options.long
        self.encoder = EmbeddedEncoder(
            self.folder.path, self.folder.name, threads=threads, precision=options.precision or "int8"
        )
        self.tokenizer = self.encoder.tokenizer
        self.reads, self.against, self.version = self.folder.reads, self.folder.against, self.folder.version
        self.needs = frozenset({self.against})
        self.features, self.head = self.folder.features, read_head(self.folder)
        self.lowest, self.characters = lower_end(self.folder)
        self.focus = None if options.focus == "balanced" else FocusScale.read(self.folder, options.focus)

    def fields(self) -> dict[str, Value]:
        """Return the student's part of a signature: all that changes a score."""
        return self._fields

    @cached_property
    def _fields(self) -> dict[str, Value]:
        return {
            "kind": self.folder.kind,
            **({"against": self.against} if self.against == "source" else {}),
            **({"focus": self.focus.side} if self.focus else {}),
            **({"precision": "fp32"} if self.encoder.precision == "fp32" else {}),
            "weights": self._weights_hash(),
            "tokenizer": self.tokenizer.hash,
            "limit": self.tokenizer.limit,
            **({"long": self.long} if self.long in ("truncate", "window") else {}),
        }

    def _weights_hash(self) -> str:
        found = digest_files([*self.encoder.used, self.folder.path / HEAD])
        return found if self.encoder.precision == "fp32" else check_shipped(self.folder.path, "student", found)

    def read(self, texts: Iterable[str], *, later: bool = False) -> ReadTexts:
        """Read every distinct text once.

        :param later: texts may be encoded when they are asked for, if that is cheap
        """
        distinct = list(dict.fromkeys(texts))
        split = split_texts(distinct)
        contents, room = self.tokenizer.rows(distinct, split), self.tokenizer.room
        long = frozenset(distinct[row] for row in np.flatnonzero(contents.sizes > room).tolist())
        if long and self.long == "error":
            raise InputError(
                f"a text has more than the {room} tokens that {self.folder.name} reads: {min(long)[:40]!r}…",
                remedy="use long=window or long=truncate",
            )
        whole = bool(long) and self.long != "truncate"
        read = contents if whole else contents.cut(room)
        together = self.encoder.together(read) if later and not whole else None
        tokens = TextTokens(distinct, read, self._encode_whole if whole else self.encoder.encode, together)
        return ReadTexts(tokens, long, split, frozenset(self._spelled(distinct, contents)))

    @cached_property
    def _spelling(self) -> Spelling | None:
        return Spelling(self.tokenizer) if self.tokenizer.bytes else None

    def _spelled(self, texts: Sequence[str], contents: IdRows) -> Iterator[str]:
        """Find the texts of whose words the vocabulary knows none; what has ASCII alone is in no such script."""
        if self._spelling and len(texts):
            found = (texts[row] for row in np.flatnonzero(self._spelling.of(contents)).tolist())
            yield from (text for text in found if not text.isascii())

    def _encode_whole(self, contents: Sequence[Ids]) -> Iterable[Tokens]:
        from farthing.students.windows import read_whole

        return read_whole(self.encoder.encode, contents, self.tokenizer.room)

    def with_languages(self, texts: ReadTexts) -> ReadTexts:
        """Find the texts that are in a language of which a note must tell something."""
        distinct = list(texts.tokens)
        foreign = texts.foreign | self.folder.foreign(distinct, texts.split)
        return texts._replace(foreign=foreign, unmeasured=self.folder.unmeasured(distinct, texts.split))

    def score_systems(self, systems: Sequence[Pairs]) -> list[PairScores]:
        """Score the pairs of several systems; a text that they share, such as a reference, is read once.

        Long texts have many vectors, so few rows of them are in memory together.
        """
        blocks = row_blocks([_composed(self.folder.compared(pairs)) for pairs in systems], CHARACTERS)
        return [joined_blocks(found) for found in zip(*map(self._scored, blocks), strict=True)]

    def _scored(self, systems: Sequence[Pairs]) -> list[PairScores]:
        every = [text for pairs in systems for text in pairs.texts()]
        shared = len(set(every)) < MOSTLY_NEW * len(every)
        texts = self.with_languages(self.read(every, later=not shared))
        scored = (self.scores(one, texts) for one in systems)
        return [
            one._replace(notes=self.notes(texts, partial(rows_with, pairs=pairs)))
            for one, pairs in zip(scored, systems, strict=True)
        ]

    def scores(self, pairs: Pairs, texts: ReadTexts) -> PairScores:
        """Return one score per pair, that of its best reference, and that reference's precision and recall."""
        owners, candidates, references = pairs.single_references()
        found = self._differences(candidates, references, texts.tokens)
        unread = np.zeros(len(candidates), dtype=bool)
        if texts.foreign:
            both = zip(candidates, references, strict=True)
            unread[:] = [not texts.foreign.isdisjoint(two) for two in both]
            unread &= np.all(
                [texts.tokens.sizes(texts.tokens.rows(side)) > 0 for side in (candidates, references)], axis=0
            )
        values = self.judged(found, unread)
        best = best_rows(np.asarray(owners, dtype=np.int64), values)
        parts = {side: 100 * (1 - found.features[best, GAPS.index(side)]) for side in SIDES}
        return PairScores(values[best], (), parts)

    def judged(self, found: Differences, unread: Mask) -> Segments:
        """Return one score per pair.

        :param unread: pairs that have tokens, but in a language that the student does not read
        """
        aligned, gaps = np.split(found.features, [len(GAPS)], axis=1)
        values = (self.focus or self.head).scores(found.features)
        values = np.where(found.lost, np.minimum(values, self.lowest), values)
        if self.against == "source":
            return np.minimum(values, 100 - LEAST_LOSS)
        if self.characters and unread.any():
            values = np.where(unread, self.characters.scores(gaps), values)
        alike: Mask = np.all(aligned < ROUNDING, axis=1)
        return np.where(found.equal, 100.0, np.minimum(values, most_of_unequal(gaps, alike)))

    def raw(self, candidates: Sequence[str], references: Sequence[str]) -> Segments:
        """Return the head's own values, on the scale of the scores that the student learned from: for teaching.

        :param references: what the candidates are compared with: sources for a student that compares with them
        """
        found = self._differences(candidates, references, self.read([*candidates, *references]).tokens)
        return self.head.raw(found.features)

    def _differences(self, candidates: Sequence[str], references: Sequence[str], tokens: TextTokens) -> Differences:
        gaps = text_gaps(candidates, references, self.features)
        equal = ~np.any(gaps[:, : len(NAMES)], axis=1)  # equal texts do not differ, not even by a rounding error
        for row in np.flatnonzero(equal).tolist():
            equal[row] = candidates[row].split() == references[row].split()
        rows = np.stack([tokens.rows(candidates), tokens.rows(references)])
        sizes = tokens.sizes(rows)
        empty, other_empty = sizes == 0
        lost: Mask = empty != other_empty
        aligned = np.where(lost[:, None], 1.0, np.zeros(len(GAPS)))  # nothing of the one is near anything of the other
        matched = np.flatnonzero(~(equal | empty | other_empty))
        texts = rows[:, matched]
        aligned[matched] = batched_gaps(sizes[:, matched].T, lambda some: tokens.several(texts[:, some].ravel()))
        if self.against == "source":
            lost |= empty
        return Differences(np.concatenate([aligned, gaps], axis=1), lost, equal)

    def notes(self, texts: ReadTexts, rows_of: Callable[[Collection[str]], tuple[int, ...]]) -> tuple[Note, ...]:
        """Name the rows, given who tells those of some texts, with a text that is too long or in another language."""
        by_characters = "the row is scored by shared characters" if self.characters else "the row's score means little"
        name, room, cut = self.folder.name, self.tokenizer.room, self.long == "truncate"
        known = f"reads only {listed(self.reads)}" if self.reads else "knows no words of a text"
        named: dict[str, tuple[Collection[str], str]] = {
            "truncated": (texts.long if cut else (), f"only the first {room} tokens were read; long=window reads all"),
            WINDOWS: (() if cut else texts.long, f"a text of more than {room} tokens was read in windows"),
            "unread": (texts.foreign, f"{name} {known}; {by_characters}"),
            "unmeasured": (texts.unmeasured, f"nobody has measured how good {name} is in the language of the row"),
        }
        notes = ((kind, message, rows_of(some)) for kind, (some, message) in named.items())
        return tuple(Note(kind, message, rows) for kind, message, rows in notes if rows)

    def align(self, candidate: str, reference: str) -> Alignment:
        """Return which token matched which, across languages for a student that compares with sources.

        :param reference: what the candidate is compared with: its source for such a student
        """
        plain = [composed(candidate), composed(reference)]
        first, second = map(self.read(plain).tokens.get, plain)
        if first is None or second is None:
            raise ModelError("there is nothing to align: a text has no token")
        similarity = first.vectors @ second.vectors.T
        cut = zip(self.tokenizer.contents(plain), (len(first.weights), len(second.weights)), strict=True)
        names = [tuple(map(self.tokenizer.token, content[:size])) for content, size in cut]
        [scored] = self._scored([Pairs(plain[:1], [plain[1:]])])
        precision, recall, *_ = token_gaps(first, second)
        return Alignment(
            names[0], names[1], similarity, similarity.argmax(axis=1), similarity.argmax(axis=0),
            first.weights / first.weights.sum(), second.weights / second.weights.sum(),
            {"score": float(scored.segments[0]), "precision": 1 - precision, "recall": 1 - recall},
        )  # fmt: skip

    def explain(self, pairs: Pairs) -> list[Explanation]:
        """Say for each row which words of the candidate are likely wrong, and which of the best reference missing.

        Omissions are in the source for a student that compares with sources.
        """
        blocks = row_blocks([self.folder.compared(pairs)], CHARACTERS)
        return [explanation for [given] in blocks for explanation in self._explained(given)]

    def _explained(self, given: Pairs) -> list[Explanation]:
        from farthing.students.explain import Marker
        from farthing.students.marks import LearnedMarks

        plain = _composed(given)
        texts = self.with_languages(self.read(plain.texts()))
        head = LearnedMarks.read(self.folder.path / HEAD, self.encoder.dimension)
        marker = Marker(self.tokenizer.spans, texts.tokens, head, self.against)
        rows = zip(given.candidates, given.references, self._counted(plain, texts), strict=True)
        notes = [self.notes(texts, partial(rows_with, pairs=plain.part(row, row + 1))) for row in range(len(given))]
        return [marker(*row, told) for row, told in zip(rows, notes, strict=True)]

    def _counted(self, pairs: Pairs, texts: ReadTexts) -> list[int]:
        """Return the place of each row's best reference."""
        if all(len(row) == 1 for row in pairs.references):
            return [0] * len(pairs)
        _, candidates, references = pairs.single_references()
        values = iter(self.scores(Pairs(candidates, [[one] for one in references]), texts).segments.tolist())
        return [int(np.argmax([next(values) for _ in row])) for row in pairs.references]


def _composed(pairs: Pairs) -> Pairs:
    texts = pairs.texts()
    if all(map(str.isascii, texts)) or list(map(composed, texts)) == texts:
        return pairs
    candidates, *references = (list(map(composed, row)) for row in [pairs.candidates, *pairs.references])
    return Pairs(candidates, references, pairs.sources, pairs.ids, pairs.system)


def _check_options(folder: StudentFolder, options: PairOptions) -> None:
    for name in sorted({field.name for field in fields(options)} - set(OWN_OPTIONS)):
        if (value := getattr(options, name)) != getattr(USUAL, name):
            raise UsageError(
                f"{name}={value} is for students of the kind cross; {folder.name} is of the kind {folder.kind}"
            )
