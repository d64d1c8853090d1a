"""Texts that a student has read: their tokens, and what a note tells of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices
from farthing.core.joining import joined_notes
from farthing.core.types import Pairs
from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.encoders.tokens.id_rows import IdRows, Ids
from farthing.students.student import PairScores
from farthing.text.split import SplitTexts


class TextTokens(Mapping[str, Tokens | None]):
    """The tokens of every text, None for a text without any.

    Texts are encoded all at once, or, if they are encoded by a table, when they are asked for: then a pair's vectors
    are still in the processor's cache when they are matched, and no others take up memory.

    :param texts: distinct texts
    :param contents: the ids of every text, as many as the student reads
    :param encode: returns the tokens of texts that have any
    :param together: the same for some rows of `contents`, in one array, if texts are encoded when they are asked for
    """

    def __init__(
        self,
        texts: Sequence[str],
        contents: IdRows,
        encode: Callable[[Sequence[Ids]], Iterable[Tokens]],
        together: Callable[[Indices], TokenTexts] | None = None,
    ) -> None:
        self._rows, self._contents = {text: row for row, text in enumerate(texts)}, contents
        self._encode, self._together = encode, together
        some = [] if together else np.flatnonzero(contents.sizes).tolist()
        self._known = dict(zip(some, encode([contents[row] for row in some]), strict=True)) if some else {}

    def __getitem__(self, text: str) -> Tokens | None:
        row = self._rows[text]
        if not self._contents.sizes[row] or self._together is None:
            return self._known.get(row)
        [tokens] = self._encode([self._contents[row]])
        return tokens

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, texts: Sequence[str]) -> Indices:
        """Return the numbers of some texts."""
        return np.fromiter(map(self._rows.__getitem__, texts), dtype=np.int64, count=len(texts))

    def sizes(self, rows: Indices) -> Indices:
        """Return how many tokens the texts with these numbers have."""
        return self._contents.sizes[rows]

    def several(self, rows: Indices) -> TokenTexts:
        """Return the tokens of the texts with these numbers, each of which has any, until others are asked for."""
        if self._together is None:
            return TokenTexts.of([self._known[row] for row in rows.tolist()])
        return self._together(rows)


class ReadTexts(NamedTuple):
    """Texts that were read: their tokens, and those of which a note tells something.

    :param long: texts over the limit
    :param foreign: texts in a language or a script that the student does not read
    :param unmeasured: texts in a language for which nobody knows how good the student is
    :param split: the words of all texts
    """

    tokens: TextTokens
    long: frozenset[str]
    split: SplitTexts
    foreign: frozenset[str] = frozenset()
    unmeasured: frozenset[str] = frozenset()


def row_blocks(systems: Sequence[Pairs], most: int) -> Iterator[list[Pairs]]:
    """Yield the rows of all systems in blocks, each of at most so many characters or of one row.

    There is at least one block. A block has the same rows of every system, so that texts which they share stay shared.
    """
    lengths = [0] * max(map(len, systems), default=0)
    for pairs in systems:
        for row, (candidate, references) in enumerate(zip(pairs.candidates, pairs.references, strict=True)):
            lengths[row] += len(candidate) + sum(map(len, references))
    ends, begin = np.cumsum(lengths, dtype=np.int64), 0
    while True:
        before = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield [pairs.part(begin, end) for pairs in systems]
        begin = end
        if begin >= len(ends):
            return


def joined_blocks(blocks: Sequence[PairScores]) -> PairScores:
    """Join the scores of rows that follow each other."""
    if len(blocks) == 1:
        return blocks[0]
    notes = joined_notes([block.notes for block in blocks], [len(block.segments) for block in blocks])
    parts = {name: np.concatenate([block.parts[name] for block in blocks]) for name in blocks[0].parts}
    return PairScores(np.concatenate([block.segments for block in blocks]), notes, parts)
