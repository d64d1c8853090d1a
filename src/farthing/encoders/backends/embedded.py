"""The encoder inside a student that matches tokens: a vector and a weight for every token of a text.

A student of the kind `match` has it as an ONNX graph, one of the kind `static` as tables. Any metric over an encoder
can use its vectors; the student itself uses the weights, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import numpy as np

from farthing.core.arrays import Indices, Vectors
from farthing.core.digest import digest_files
from farthing.core.errors import ModelError, UsageError
from farthing.core.progress import counted, step
from farthing.core.specs import Value
from farthing.core.threads import at_once, in_threads, onnx_session, thread_count
from farthing.core.workspace import workspace
from farthing.encoders.backends.static_tables import Tables
from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.encoders.folder.layout import CONFIG
from farthing.encoders.folder.locate import versioned_name
from farthing.encoders.folder.shipped import check_shipped
from farthing.encoders.protocol import FolderEncoder
from farthing.encoders.tokens.id_rows import IdRows, Ids
from farthing.encoders.tokens.tokenize import Tokenizer, part_of, read_json

FILES = {"match": "encoder.onnx", "static": "tokens.safetensors"}  #: the weights' file by the kind of the student
LOWER = "lower.onnx"  #: the embeddings and lowest layers, if several students share them; the rest reads their states
FULL_GRAPH = "encoder.fp32.onnx"  #: the same transformer in full precision, which few folders have
GraphPrecision: TypeAlias = Literal["int8", "fp32"]
VECTORS, WEIGHTS = "vectors", "weights"  #: the outputs of a graph
STATES = "states"  #: the output of a lower graph, and what the graph above it reads
LAYER = 1  #: the only layer, the last one


class TokenReader(Protocol):
    """Turns ids into tokens; no row of ids changes what another one gets."""

    dimension: int
    tokens: int  #: the tokens of a batch that suit it best

    def read(self, rows: Sequence[Ids], threads: int) -> Iterable[Tokens]:
        """Return the tokens of every row of ids, special tokens included."""
        ...


class Graph:
    """A transformer as an ONNX graph with the outputs `vectors` and `weights`.

    Students that share a graph have weights of their own, so it has one more output per further student. Students that
    share only the lowest layers have a graph each, which goes on from the states of another one.

    :param weights: the output with the weights
    :param lower: the graph that computes the states which this one reads, instead of ids

    Each text is a run of its own: no padding is computed, and no text can change the vectors of another one. In a batch
    it could, since int8 activations have one scale per run.
    """

    tokens = 1  # a batch is one text, so that the threads share the texts evenly

    def __init__(self, path: Path, weights: str = WEIGHTS, lower: Path | None = None) -> None:
        self._session, self._lower = onnx_session(path), onnx_session(lower) if lower else None
        shapes = {output.name: output.shape for output in self._session.get_outputs()}
        self._outputs = (VECTORS, weights)
        for name in self._outputs:
            if name not in shapes:
                raise ModelError(f"{path} has no output {name!r} (there are: {', '.join(shapes)})")
        self.dimension = int(shapes[VECTORS][-1])

    def read(self, rows: Sequence[Ids], threads: int) -> Iterator[Tokens]:
        """Run the graph once per text, one core per run."""
        return in_threads(self._run, rows, threads)

    def _run(self, row: Ids) -> Tokens:
        given = {"ids": np.array(row, dtype=np.int64)[None]}
        if self._lower is not None:
            given = {STATES: self._lower.run([STATES], given)[0]}
        vectors, weights = self._session.run(self._outputs, given)
        return Tokens(vectors[0], weights[0])


class EmbeddedEncoder(FolderEncoder):
    """The encoder of a student as a backend like any other, with one layer.

    :param folder: a folder that `farthing learn student` wrote, or one of Farthing's own
    :param threads: how many texts :meth:`encode` reads at a time
    :param precision: fp32 runs the second graph of a folder that has one
    """

    backend = "embedded"
    layers = (LAYER,)

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        leading_space: bool | None = True,
        threads: int | None = None,
        precision: GraphPrecision = "int8",
    ) -> None:
        self.folder, self.name, self.precision, self._threads = folder, name, precision, thread_count(threads)
        self._config = read_json(folder / CONFIG)
        self.kind = _fact(self._config, "kind")
        if self.kind not in FILES:
            raise ModelError(f"{folder} is not a student of the kind match or static: it has no token vectors")
        self.path = part_of(folder, FILES[self.kind]) if precision == "int8" else _full_graph(folder, self.kind)
        self.reader, self.tokenizer = at_once(self._opened, lambda: Tokenizer(folder, leading_space), self._threads)
        self.tables = self.reader if isinstance(self.reader, Tables) else None
        self.dimension, self.tokens = self.reader.dimension, self.reader.tokens

    def _opened(self) -> TokenReader:
        if self.kind == "static":
            return Tables(self.path)
        weights = _fact(self._config, "weights") or WEIGHTS
        return Graph(self.path, weights, lower_graph(self.folder) if self.precision == "int8" else None)

    @classmethod
    def detects(cls, folder: Path) -> bool:
        """Tell whether a folder is a student that matches tokens."""
        return _fact(read_json(folder / CONFIG, missing_ok=True), "kind") in FILES

    @classmethod
    def files(cls, folder: Path) -> list[Path]:
        """Name the graphs or the tables; the head belongs to the student alone."""
        own = part_of(folder, FILES[_fact(read_json(folder / CONFIG), "kind")])
        return [own, lower] if (lower := lower_graph(folder)) else [own]

    @property
    def used(self) -> list[Path]:
        """The files of the graphs or the tables in use."""
        return self.files(self.folder) if self.precision == "int8" else [self.path]

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits that name the content of the graphs or the tables in use."""
        return check_shipped(self.folder, "encoder", digest_files(self.used))

    def fields(self) -> dict[str, Value]:
        """Return the encoder's part of a score's signature, which names the version of one of Farthing's own."""
        return {**super().fields(), "model": versioned_name(self.name, self.folder)}

    def encode(self, contents: Sequence[Ids]) -> list[Tokens]:
        """Return the tokens of every text, given by its ids (at least one) without special tokens."""
        rows = [self.tokenizer.wrapped(content) for content in contents]
        before = len(self.tokenizer.prefix)
        read = counted("encoding", self.reader.read(rows, self._threads), len(rows))
        with step("encode"):
            return [
                Tokens(vectors[before : before + len(content)], weights[before : before + len(content)])
                for content, (vectors, weights) in zip(contents, read, strict=True)
            ]

    def together(self, contents: IdRows) -> Callable[[Indices], TokenTexts] | None:
        """Return what reads some of these texts into one array, for a static student: looking tokens up is cheap.

        What it returned is valid until other texts are read in the same thread. For any other student, return None.
        """
        if self.tables is None:
            return None
        before, around = len(self.tokenizer.prefix), len(self.tokenizer.prefix) + len(self.tokenizer.suffix)
        tables, rows = self.tables, contents.wrapped(self.tokenizer.prefix, self.tokenizer.suffix)

        def read(some: Indices) -> TokenTexts:
            with step("encode"):
                texts = tables.together(rows.chosen(some), workspace("tokens"))
            return texts._replace(starts=texts.starts + before, sizes=texts.sizes - around)

        return read

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the vectors of the tokens (texts by tokens by dimension), once per asked layer."""
        if mask is not None:
            raise ModelError("the encoder of a student takes no padding")
        vectors = np.stack([tokens.vectors for tokens in self.reader.read(ids.tolist(), threads=1)])
        return [vectors for _ in layers]


def lower_graph(folder: Path) -> Path | None:
    """Return the graph of the lowest layers, in a student's folder or beside it; None if it does not share them."""
    path = part_of(folder, LOWER)
    return path if path.is_file() else None


def _full_graph(folder: Path, kind: str) -> Path:
    """Return the graph in full precision, or raise a sentence that says how to get it."""
    name = folder.resolve().name
    if kind != "match":
        raise UsageError(f"{name} has tables instead of a graph and computes in fp32 already: leave out precision=fp32")
    own = (folder / FILES[kind]).is_file()  # then that of a student beside it is another one
    path = folder / FULL_GRAPH if own else part_of(folder, FULL_GRAPH)
    if not path.is_file():
        raise ModelError(
            f"{name} has no graph in fp32 ({FULL_GRAPH}) on this machine: pass model=FOLDER of a student that "
            "`farthing learn student RECIPE --precision fp32` wrote, or leave out precision=fp32"
        )
    return path


def _fact(config: Mapping[str, object], name: str) -> str:
    facts = config.get("farthing")
    return str(facts.get(name, "")) if isinstance(facts, dict) else ""
