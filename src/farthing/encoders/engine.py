"""The engine: many texts through one encoder, each distinct text once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.errors import InputError
from farthing.core.progress import counted, step
from farthing.core.specs import Value
from farthing.core.threads import in_threads, thread_count
from farthing.encoders.batching import batches, padded, unique
from farthing.encoders.protocol import EncodedText, Encoder, checked_layers
from farthing.encoders.tokens.tokenize import Ids
from farthing.encoders.tokens.windows import Window, windows

if TYPE_CHECKING:
    from farthing.encoders.cache import Cache

Long = Literal["truncate", "window", "error"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One input of the model: a window of one text's tokens."""

    text: int
    window: Window
    ids: Ids


class Engine:
    """An encoder with a policy for long texts, a number of threads and, if wanted, a cache.

    :param long: what to do with a text that is longer than the model can read: "truncate" its end,
        read it whole in overlapping "window"s, or raise an "error"
    :param threads: how many threads to use, see :mod:`farthing.core.threads`
    :param cache: keeps encodings from one run to the next
    """

    def __init__(
        self, encoder: Encoder, *, long: Long = "truncate", threads: int | None = None, cache: Cache | None = None
    ) -> None:
        self.encoder, self.long, self.cache = encoder, long, cache
        on_cpu = getattr(encoder, "device", "cpu") == "cpu"
        self.threads = thread_count(threads) if on_cpu else 1  # another device shares out its work by itself

    def tokenise(self, texts: Sequence[str]) -> list[Ids]:
        """Return the ids of every text, without special tokens; a text that is too long may be an error."""
        tokenizer = self.encoder.tokenizer
        contents = tokenizer.contents(texts)
        if self.long == "error":
            for text, content in zip(texts, contents, strict=True):
                if len(content) > tokenizer.room:
                    raise InputError(
                        f"a text has {len(content)} tokens, {self.encoder.name} reads {tokenizer.room}: {text[:40]!r}…",
                        remedy="use long=truncate or long=window",
                    )
        return contents

    def encode(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[tuple[str, EncodedText]]:
        """Yield every distinct text with its encoding, in an order that suits the model."""
        distinct, _ = unique(texts)
        contents = self.tokenise(distinct)
        for place, encoded in self.encode_contents(contents, layers):
            yield distinct[place], encoded

    def encode_contents(self, contents: Sequence[Ids], layers: Sequence[int]) -> Iterator[tuple[int, EncodedText]]:
        """Yield the place and the encoding of every content (ids without special tokens), in any order."""
        layers = checked_layers(self.encoder, layers)
        missing = list(range(len(contents)))
        keys = self._keys(contents)
        if self.cache is not None:
            known = {place: kept for place in missing if (kept := self.cache.get(keys[place], layers))}
            yield from ((place, self._encoded(contents[place], kept)) for place, kept in known.items())
            missing = [place for place in missing if place not in known]
        read = self._read([(place, contents[place]) for place in missing], layers)
        for place, states in counted("encoding", read, len(missing)):
            if self.cache is not None:
                self.cache.put(keys[place], states)
            yield place, self._encoded(contents[place], states)
        if self.cache is not None:
            self.cache.flush()

    def _keys(self, contents: Sequence[Ids]) -> list[bytes]:
        if self.cache is None:
            return []
        fields = self.fields()
        return [self.cache.key(fields, content) for content in contents]

    def _read(
        self, contents: Sequence[tuple[int, Ids]], layers: Sequence[int]
    ) -> Iterator[tuple[int, dict[int, Vectors]]]:
        """Run the model over contents and join the windows of each."""
        plans = {place: self._windows(len(content)) for place, content in contents}
        wrap = self.encoder.tokenizer.wrapped
        pieces = [
            Piece(place, window, wrap(content[window.start : window.stop]))
            for place, content in contents
            for window in plans[place]
        ]
        waiting: dict[int, dict[int, list[Vectors]]] = {}  # by text and window, one array per layer
        for piece, states in self._run(pieces, layers):
            parts = waiting.setdefault(piece.text, {})
            parts[piece.window.start] = states
            if len(parts) == len(plans[piece.text]):
                yield piece.text, self._joined(plans[piece.text], layers, waiting.pop(piece.text))

    def _windows(self, length: int) -> list[Window]:
        room = self.encoder.tokenizer.room
        return windows(length, room) if self.long == "window" else windows(min(length, room), room)

    def _run(self, pieces: list[Piece], layers: Sequence[int]) -> Iterator[tuple[Piece, list[Vectors]]]:
        """Yield each piece with its states, one array per layer."""
        encoder = self.encoder
        empty = [piece for piece in pieces if not piece.ids]
        pieces = [piece for piece in pieces if piece.ids]
        for piece in empty:
            yield piece, [np.zeros((0, encoder.dimension), dtype=np.float32) for _ in layers]

        def work(batch: list[int]) -> tuple[list[int], list[Vectors]]:
            ids, mask = padded([pieces[place].ids for place in batch], encoder.tokenizer.pad)
            with step("encode"):
                return batch, encoder.run(ids, None if mask.all() else mask, layers)

        plan = self.plan([len(piece.ids) for piece in pieces])
        with encoder.working():
            for batch, states in in_threads(work, plan, self.threads):
                for row, place in enumerate(batch):
                    length = len(pieces[place].ids)
                    yield pieces[place], [np.ascontiguousarray(layer[row, :length]) for layer in states]

    def plan(self, lengths: Sequence[int]) -> Iterable[list[int]]:
        """Put inputs of these token lengths into batches: those of about the same length together."""
        return batches(lengths, self.encoder.tokens, self.encoder.slack)

    def _joined(self, plan: list[Window], layers: Sequence[int], parts: dict[int, list[Vectors]]) -> dict[int, Vectors]:
        """Join one text's windows: special tokens from the first and the last, each other token once."""
        before, after = len(self.encoder.tokenizer.prefix), len(self.encoder.tokenizer.suffix)
        states = {}
        for number, layer in enumerate(layers):
            pieces = [parts[window.start][number] for window in plan]
            kept = [
                piece[before + window.keep_from - window.start : before + window.keep_to - window.start]
                for piece, window in zip(pieces, plan, strict=True)
            ]
            last = pieces[-1]
            whole = [pieces[0][:before], *kept, last[len(last) - after :]]
            states[layer] = last if len(plan) == 1 else np.concatenate(whole)
        return states

    def _encoded(self, content: Ids, states: dict[int, Vectors]) -> EncodedText:
        tokenizer = self.encoder.tokenizer
        cut = self.long != "window" and len(content) > tokenizer.room
        ids = np.asarray(tokenizer.wrapped(tokenizer.cut(content) if cut else content), dtype=np.int64)
        return EncodedText(ids, slice(len(tokenizer.prefix), len(ids) - len(tokenizer.suffix)), states, cut)

    def fields(self) -> dict[str, Value]:
        """Return the engine's part of a score's signature."""
        return {**self.encoder.fields(), "long": self.long}
