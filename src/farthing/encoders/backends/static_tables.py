"""The tables of a static student: a vector and a weight for every token, both moved by the tokens around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices, Vectors, Weights
from farthing.core.errors import ModelError
from farthing.core.workspace import Workspace
from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.encoders.tokens.id_rows import IdRows, Ids

RUN = 2048  #: tokens that go through the tables at a time: few enough to stay in the processor's cache
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


class Tables:
    """A vector and a weight for every id, both moved by the tokens around; there is no transformer.

    What moves them is one layer over a window of rows of a second, narrower table: for the token at t,
    h = max(0, bias + sum of near[t + k] mix[k]), and its vector is vectors[t] + h out, at length 1.

    Every product is that of one id or of one text, since the last digits of a product of many rows depend on where a
    row stands: so no text changes the vectors of another one. An id's own vector, and what it adds to its neighbours,
    are computed once. Texts of the same length stand side by side, so that one call computes all their products.
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
        # Ids stand in the order in which they were met, so that little memory is used: their vectors, and near[id]
        # mix[k] for each k. The first place stands for nothing, which adds nothing to its neighbours.
        size, steps, width = len(self._near.numbers), len(self._mix), self._mix.shape[2]
        self._places, self._count, self._lock = np.zeros(size, np.int64), 1, Lock()
        self._met = np.zeros((size + 1, self.dimension), np.float32)
        self._added = np.zeros(((size + 1) * steps, width), np.float32)

    def read(self, rows: Sequence[Ids], threads: int) -> Iterator[Tokens]:
        """Look every token up, some texts at a time, on one core."""
        for begin in range(0, len(rows), _ROOM):
            yield from self.together(IdRows.of(rows[begin : begin + _ROOM])).single()

    def together(self, rows: IdRows, memory: Workspace | None = None) -> TokenTexts:
        """Fill one array with the vectors of some texts: large arrays cost the system less than many small ones.

        :param memory: if it is given, the vectors stand in it, until it is given again
        """
        order = np.argsort(-rows.sizes, kind="stable")
        texts, kept = rows.chosen(order), memory or Workspace()
        places, weights = self._meet(texts.ids), self._weights[texts.ids]
        vectors = kept.array("vectors", (len(places), self.dimension))
        begin, first, sizes = 0, 0, texts.sizes.tolist()
        while begin < len(sizes):
            some = sizes[begin : begin + max(1, RUN // max(sizes[begin], 1))]  # none is longer than the first of them
            tokens = slice(first, first + sum(some))
            self._run(places[tokens], some, vectors[tokens], weights[tokens], kept)
            begin, first = begin + len(some), tokens.stop
        starts = np.empty_like(texts.starts)
        starts[order] = texts.starts
        return TokenTexts(vectors, weights, starts, rows.sizes)

    def _run(
        self, places: Indices, sizes: Sequence[int], vectors: Vectors, weights: Weights, memory: Workspace
    ) -> None:
        """Write the vectors and the weights of the tokens of some texts; texts of the same size are neighbours.

        :param weights: at first those of the ids alone
        """
        hidden, moves = self._hidden(places, sizes, memory), memory.array("moves", vectors.shape)
        begin = 0
        for size, alike in groupby(sizes):
            shape = len(list(alike)), size, -1
            some = slice(begin, begin + shape[0] * size)
            np.matmul(hidden[some].reshape(shape), self._out, out=moves[some].reshape(shape))
            begin = some.stop
        self._met.take(places, axis=0, out=vectors, mode="clip")  # another mode would make a copy first
        vectors += moves
        vectors /= np.sqrt(np.einsum("td,td->t", vectors, vectors))[:, None]
        weights += np.einsum("td,d->t", hidden, self._heavy)
        np.logaddexp(0.0, weights, out=weights)

    def _meet(self, ids: Indices) -> Indices:
        """Return the places of ids; the vectors of new ones, and what they add to their neighbours, are computed."""
        places = self._places[ids]
        if not places.all():
            with self._lock:
                self._learn(np.unique(ids[self._places[ids] == 0]))
            places = self._places[ids]
        return places

    def _learn(self, new: Indices) -> None:
        places, near, steps = np.arange(self._count, self._count + len(new)), self._near.of(new), len(self._mix)
        self._met[places] = self._vectors.of(new)
        for step, part in enumerate(self._mix):
            self._added[places * steps + step] = np.matmul(near[:, None], part)[:, 0]  # row by row
        self._places[new], self._count = places, self._count + len(new)

    def _hidden(self, places: Indices, sizes: Sequence[int], memory: Workspace) -> Vectors:
        """Return the layer's output for every token."""
        steps, width = len(self._mix), self._mix.shape[2]
        gap = steps // 2  # blanks keep texts out of each other's windows
        spread = np.arange(len(places)) + gap * np.repeat(np.arange(len(sizes)), sizes)
        around = np.zeros(len(places) + gap * (len(sizes) + 1), np.int64)
        around[spread + gap] = places * steps
        sums, more = memory.array("sums", (len(places), width)), memory.array("more", (len(places), width))
        self._added.take(around[spread], axis=0, out=sums, mode="clip")
        for step in range(1, steps):
            self._added.take(around[spread + step] + step, axis=0, out=more, mode="clip")
            sums += more
        sums += self._bias
        hidden: Vectors = np.maximum(sums, 0, out=sums)
        return hidden
