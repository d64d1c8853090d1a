"""The tables of a static student: a vector and a weight for every token, both moved by the tokens around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices, Vectors, Weights
from farthing.core.errors import ModelError
from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.encoders.tokens.tokenize import Ids

RUN = 40  #: texts whose tokens go through the tables at a time: few enough to stay in the processor's cache
_ROOM = 640  # texts whose vectors are in one array


class ByteRows(NamedTuple):
    """A table of 8-bit numbers with one scale per row."""

    numbers: np.ndarray
    scales: np.ndarray

    def of(self, ids: Indices) -> Vectors:
        """Return some rows as floats."""
        rows: Vectors = self.numbers[ids].astype(np.float32)
        rows *= self.scales[ids][:, None]
        return rows


class Scratch(NamedTuple):
    """Memory that is written again and again: what moves the vectors, a layer's sums, and what is added to them."""

    moves: Vectors
    sums: Vectors
    more: Vectors


class Tables:
    """A vector and a weight for every id, both moved by the tokens around; there is no transformer.

    What moves them is one layer over a window of rows of a second, narrower table: for the token at t,
    h = max(0, bias + sum of near[t + k] mix[k]), and its vector is vectors[t] + h out, at length 1.

    Every product is that of one id or of one text, since the last digits of a product of many rows depend on where a
    row stands: so no text changes the vectors of another one. An id's own vector, and what it adds to its neighbours,
    are computed once. Rows are copied into memory that is there already, which takes a third of the time.
    """

    tokens = 1 << 13

    def __init__(self, path: Path) -> None:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            tables = load_file(path)
            self._vectors = ByteRows(tables["vectors"], tables["vectors_scale"])
            self._near = ByteRows(tables["near"], tables["near_scale"])
            self._weights, self._heavy = tables["weights"].astype(np.float32), tables["heavy"]
            self._mix, self._bias, self._out = tables["mix"], tables["bias"], tables["out"]
        except (OSError, SafetensorError, KeyError) as error:
            raise ModelError(f"{path} is no table of token vectors: {error}") from error
        self.dimension = int(self._out.shape[1])
        self._blank = len(self._near.numbers)  # the id of nothing, which adds nothing to its neighbours
        self._known = np.arange(self._blank + 1) == self._blank
        # memory is used only for ids that were met: their vectors, and near[id] mix[k] at the row id * len(mix) + k
        self._met = np.zeros((self._blank, self.dimension), np.float32)
        self._added = np.zeros(((self._blank + 1) * len(self._mix), self._mix.shape[2]), np.float32)

    def read(self, rows: Sequence[Ids], threads: int) -> Iterator[Tokens]:
        """Look every token up, some texts at a time, on one core."""
        for begin in range(0, len(rows), _ROOM):
            yield from self.together(rows[begin : begin + _ROOM]).single()

    def together(self, rows: Sequence[Ids]) -> TokenTexts:
        """Fill one array with the vectors of some texts: large arrays cost the system less than many small ones."""
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        ends = np.cumsum(lengths)
        ids = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(ends[-1]))
        self._meet(ids)
        vectors, weights = np.empty((len(ids), self.dimension), np.float32), np.empty(len(ids), np.float32)
        scratch = self._scratch(lengths)
        for begin in range(0, len(rows), RUN):
            some = lengths[begin : begin + RUN]
            tokens = slice(ends[begin] - some[0], ends[begin] - some[0] + some.sum())
            self._run(ids[tokens], some, vectors[tokens], weights[tokens], scratch)
        return TokenTexts(vectors, weights, ends - lengths, lengths)

    def _scratch(self, lengths: Indices) -> Scratch:
        """Return memory for the longest run of texts."""
        most = int(np.add.reduceat(lengths, np.arange(0, len(lengths), RUN)).max())
        places, hidden = most + RUN * (len(self._mix) // 2), self._mix.shape[2]
        shapes = (most, self.dimension), (places, hidden), (places, hidden)
        return Scratch(*(np.empty(shape, np.float32) for shape in shapes))

    def _run(self, ids: Indices, lengths: Indices, vectors: Vectors, weights: Weights, scratch: Scratch) -> None:
        """Write the vectors and the weights of the tokens of some texts."""
        gap = len(self._mix) // 2  # blanks keep texts out of each other's windows
        places = np.arange(len(ids)) + gap * np.repeat(np.arange(len(lengths)), lengths)
        hidden, moves = self._hidden(ids, places, scratch), scratch.moves[: len(ids)]
        begin = shift = 0
        for end in np.cumsum(lengths).tolist():
            np.matmul(hidden[begin + shift : end + shift], self._out, out=moves[begin:end])
            begin, shift = end, shift + gap
        self._met.take(ids, axis=0, out=vectors, mode="clip")
        vectors += moves
        vectors /= np.sqrt(np.einsum("td,td->t", vectors, vectors))[:, None]
        heavy = np.einsum("td,d->t", hidden, self._heavy)[places]
        np.logaddexp(0.0, self._weights[ids] + heavy, out=weights)

    def _meet(self, ids: Indices) -> None:
        """Compute the vectors of ids that were not met before, and what they add to their neighbours."""
        new = np.unique(ids[~self._known[ids]])
        if len(new):
            self._met[new] = self._vectors.of(new)
            near = self._near.of(new)
            for step, part in enumerate(self._mix):
                self._added[new * len(self._mix) + step] = np.matmul(near[:, None], part)[:, 0]  # row by row
            self._known[new] = True

    def _hidden(self, ids: Indices, places: Indices, scratch: Scratch) -> Vectors:
        """Return the layer's output at every place, also at those between two texts."""
        steps = len(self._mix)
        size, window = int(places[-1]) + 1, steps // 2
        around = np.full(size + 2 * window, self._blank * steps)
        around[places + window] = ids * steps
        sums, more = scratch.sums[:size], scratch.more[:size]
        self._added.take(around[:size], axis=0, out=sums, mode="clip")  # another mode would make a copy first
        for step in range(1, steps):
            self._added.take(around[step : step + size] + step, axis=0, out=more, mode="clip")
            sums += more
        sums += self._bias
        return np.maximum(sums, 0, out=sums)
