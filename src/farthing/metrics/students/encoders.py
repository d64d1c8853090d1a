"""Texts to token vectors and weights: an ONNX graph, or a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from farthing.core.errors import ModelError
from farthing.encoders.threads import in_threads
from farthing.encoders.tokenize import Tokenizer
from farthing.metrics.students.gaps import Tokens


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


class Table:
    """One vector and one weight for every id: 8-bit vectors with a scale a row."""

    def __init__(self, path: Path) -> None:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            found = load_file(path)
            self._vectors, self._weights = found["vectors"], found["weights"].astype(np.float32)
        except (OSError, SafetensorError, KeyError) as error:
            raise ModelError(f"{path} is no table of token vectors: {error}") from error

    def encode(self, contents: Sequence[Sequence[int]]) -> list[Tokens]:
        """Look every token up; texts are cut out of one long array."""
        lengths = np.fromiter(map(len, contents), dtype=np.int64, count=len(contents))
        ids = np.fromiter((one for content in contents for one in content), dtype=np.int64, count=int(lengths.sum()))
        vectors = self._vectors[ids].astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        weights = self._weights[ids]
        ends = np.cumsum(lengths)
        parts = [slice(end - size, end) for end, size in zip(ends, lengths, strict=True)]
        return [Tokens(vectors[part], weights[part]) for part in parts]
