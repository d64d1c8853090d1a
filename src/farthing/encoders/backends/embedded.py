"""Texts to token vectors and weights: an ONNX graph, or tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from farthing.core.errors import ModelError
from farthing.core.threads import in_threads
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.students.gaps import Tokens

RUN = 200  #: texts whose tokens go through the tables as one array: few enough to stay in the processor's cache


class Encoder(Protocol):
    """Gives the tokens of a text their vectors and weights."""

    def encode(self, contents: Sequence[Sequence[int]]) -> list[Tokens]:
        """For every text's ids (no special tokens, at least one) its tokens."""
        ...


class Graph:
    """A transformer as an ONNX graph with the outputs `vectors` and `weights`.

    Each text is a run of its own: no padding is computed, and no text can change the vectors of another, which
    int8 activations with one scale a batch would do.
    """

    def __init__(self, path: Path, tokenizer: Tokenizer, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # one core a text, as many texts as cores
        try:
            self._session: Any = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises its own and plain kinds
            raise ModelError(f"{path} cannot be loaded: {str(error).splitlines()[0]}") from error
        self._tokenizer, self._threads = tokenizer, threads

    def encode(self, contents: Sequence[Sequence[int]]) -> list[Tokens]:
        """One run of the graph a text."""
        return list(in_threads(self._run, contents, self._threads))

    def _run(self, content: Sequence[int]) -> Tokens:
        ids = np.asarray([self._tokenizer.wrapped(list(content))], dtype=np.int64)
        vectors, weights = self._session.run(("vectors", "weights"), {"ids": ids})
        body = slice(len(self._tokenizer.prefix), ids.shape[1] - len(self._tokenizer.suffix))
        return Tokens(vectors[0, body], weights[0, body])


class Rows(NamedTuple):
    """A table of numbers in 8 bits with a scale a row."""

    numbers: np.ndarray
    scales: np.ndarray

    def of(self, ids: np.ndarray) -> np.ndarray:
        """Some rows in full."""
        found: np.ndarray = self.numbers[ids].astype(np.float32)
        found *= self.scales[ids][:, None]
        return found


class Table:
    """No transformer: a vector and a weight for every id, both moved by the tokens around.

    What moves them is one layer over a window of rows of a second, narrower table: for the token at t,
    h = max(0, bias + sum of near[t + k] mix[k]), and its vector is vectors[t] + h out.
    """

    def __init__(self, path: Path, tokenizer: Tokenizer) -> None:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            found = load_file(path)
            self._vectors = Rows(found["vectors"], found["vectors_scale"])
            self._near = Rows(found["near"], found["near_scale"])
            self._weights, self._heavy = found["weights"].astype(np.float32), found["heavy"]
            self._mix, self._bias, self._out = found["mix"], found["bias"], found["out"]
        except (OSError, SafetensorError, KeyError) as error:
            raise ModelError(f"{path} is no table of token vectors: {error}") from error
        self._tokenizer = tokenizer

    def encode(self, contents: Sequence[Sequence[int]]) -> list[Tokens]:
        """Look every token up, some texts at a time."""
        runs = (contents[begin : begin + RUN] for begin in range(0, len(contents), RUN))
        return [tokens for run in runs for tokens in self._run(run)]

    def _run(self, contents: Sequence[Sequence[int]]) -> list[Tokens]:
        rows = [self._tokenizer.wrapped(list(content)) for content in contents]
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        ids = np.fromiter((one for row in rows for one in row), dtype=np.int64, count=int(lengths.sum()))
        hidden = self._hidden(ids, lengths)
        vectors = self._vectors.of(ids) + hidden @ self._out
        vectors /= np.sqrt(np.einsum("td,td->t", vectors, vectors))[:, None]
        weights = np.logaddexp(0.0, self._weights[ids] + hidden @ self._heavy)
        ends = np.cumsum(lengths) - len(self._tokenizer.suffix)
        parts = [slice(end - len(content), end) for end, content in zip(ends, contents, strict=True)]
        return [Tokens(vectors[part], weights[part]) for part in parts]

    def _hidden(self, ids: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """What the layer says at every token; rows of zeros keep neighbouring texts out of each other's windows."""
        window = len(self._mix) // 2
        places = np.arange(len(ids)) + window * np.repeat(np.arange(len(lengths)), lengths)
        near = np.zeros((places[-1] + 1 + 2 * window, self._mix.shape[1]), np.float32)
        near[places + window] = self._near.of(ids)
        sums = sum(near[step : step + places[-1] + 1] @ part for step, part in enumerate(self._mix))
        found: np.ndarray = np.maximum(sums + self._bias, 0)[places]
        return found
