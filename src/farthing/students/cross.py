"""Students of the kind cross: two texts as one input, one score out.

Pairs are sorted by tokens and go in batches of about a thousand tokens. Each thread takes whole batches, so that
neither the order of the input nor the number of threads changes a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import InputError, ModelError, UsageError
from farthing.core.progress import phase, step
from farthing.core.specs import Value
from farthing.core.threads import in_threads, thread_count
from farthing.core.types import Note, Pairs
from farthing.encoders.batching import TOKENS, batches
from farthing.encoders.folder.layout import GRAPH
from farthing.encoders.tokens.tokenize import Ids, Tokenizer
from farthing.students.layout import USUAL, StudentFolder, rows_with
from farthing.students.pair_ids import PairIds, PairMatrices, as_batch, pair_ids, pair_windows, special_count
from farthing.students.runners import OnnxRunner, Runner, TorchRunner
from farthing.students.student import PairOptions, PairScores
from farthing.students.whole import WholeStudent, best_of_references, long_notes
from farthing.text.languages import listed

PUBLISHED_LIMIT = 128  # tokens of a pair in the published code
SLACK = 0.05  # the share of padding that a batch may have


class CrossStudent(WholeStudent):
    """A cross-encoder: reads both texts of a pair at once, and gives a raw number on its teacher's scale.

    :param folder: an exported student, or a Hugging Face folder with a head of one output
    :param threads: how many batches are worked on at a time
    """

    called = "a cross-encoder"
    refused = ("focus", "precision")  # they are for students that match tokens

    def __init__(
        self, folder: Path | StudentFolder, options: PairOptions = USUAL, *, threads: int | None = None
    ) -> None:
        super().__init__(folder, options)
        self.threads = thread_count(threads)
        self.tokenizer = Tokenizer(self.folder.path, leading_space=False)
        self._check()
        exported = self.folder.exported
        self.run: Runner = OnnxRunner(self.folder.path / GRAPH) if exported else TorchRunner(self.folder.path)
        self.limit = self._limit()
        self.needs = frozenset({self.against})
        self._room = self.limit - special_count(self.tokenizer)

    def _check(self) -> None:
        config, path = self.folder.config, self.folder.path
        labels = config.get("id2label")
        outputs = config.get("num_labels", len(labels) if isinstance(labels, Mapping) and labels else 1)
        if outputs != 1:
            raise ModelError(f"{path} has a head of {outputs} outputs: a metric needs one")
        rows = config.get("vocab_size")
        if isinstance(rows, int) and self.tokenizer.size > rows:
            raise ModelError(
                f"{path} has a tokenizer of {self.tokenizer.size} tokens but vectors for {rows} only: "
                "they do not belong together"
            )

    def _limit(self) -> int:
        asked, most, least = self.options.limit, self.tokenizer.limit, special_count(self.tokenizer) + 2
        if asked is None:
            return min(most, PUBLISHED_LIMIT) if self.options.compat == "evaluate" else most
        if not least <= asked <= most:
            raise UsageError(f"limit={asked} is not between {least} and the {most} tokens that the model reads")
        return asked

    def fields(self) -> dict[str, Value]:
        """Return the student's part of a signature: all that changes a score."""
        return {
            "weights": self.digest,
            "tokenizer": self.tokenizer.hash,
            "precision": self.folder.precision,
            "backend": self.run.backend,
            "limit": self.limit,
            "long": self.options.long or "truncate",
            "symmetric": self.options.symmetric,
            **({"against": self.against} if self.against == "source" else {}),
        }

    def score_systems(self, systems: Sequence[Pairs]) -> list[PairScores]:
        """Score the pairs of several systems; a text that they share, such as a reference, is tokenised once."""
        systems = [self.folder.compared(pairs) for pairs in systems]
        distinct = list(dict.fromkeys(text for pairs in systems for text in pairs.texts()))
        contents = dict(zip(distinct, self.tokenizer.contents(distinct), strict=True))
        unread = self.folder.foreign(distinct)
        scored = (self._scored(pairs, contents) for pairs in systems)
        return [
            one._replace(notes=(*one.notes, *self._unread_notes(rows_with(unread, pairs))))
            for one, pairs in zip(scored, systems, strict=True)
        ]

    def _scored(self, pairs: Pairs, contents: Mapping[str, Ids]) -> PairScores:
        owners, candidates, references = pairs.single_references()
        first, second = [contents[text] for text in candidates], [contents[text] for text in references]
        long = [row for row, sizes in enumerate(zip(first, second, strict=True)) if sum(map(len, sizes)) > self._room]
        if long and self.options.long == "error":
            self._refuse(candidates[long[0]], len(first[long[0]]) + len(second[long[0]]))
        values = self._values(first, second)
        if self.options.symmetric:
            values = (values + self._values(second, first)) / 2
        rows = sorted({owners[row] for row in long})
        notes = long_notes("pairs", self.limit, rows, windows=self.options.long == "window")
        return PairScores(best_of_references(len(pairs), owners, values), notes)

    def _refuse(self, candidate: str, size: int) -> None:
        raise InputError(
            f"a pair has {size} tokens, {self.folder.name} reads {self._room}: {candidate[:40]!r}…",
            remedy="use long=truncate or long=window",
        )

    def _values(self, first: Sequence[Ids], second: Sequence[Ids]) -> Segments:
        """Score pairs; a pair that is split into windows gets their mean, weighted by tokens."""
        rows: list[PairIds] = []
        owners: list[int] = []
        for owner, contents in enumerate(zip(first, second, strict=True)):
            windows = pair_windows(*contents, self._room) if self.options.long == "window" else [contents]
            rows += [pair_ids(self.tokenizer, *window, self.limit) for window in windows]
            owners += [owner] * len(windows)
        weights = np.array([len(row.ids) for row in rows], dtype=np.float64)
        total = np.bincount(owners, self.scores(rows) * weights, len(first))
        mean: Segments = total / np.bincount(owners, weights, len(first))
        return mean

    def scores(self, rows: Sequence[PairIds]) -> Segments:
        """Return one score per tokenised pair."""
        scores = np.empty(len(rows))
        groups = list(batches([len(row.ids) for row in rows], TOKENS, SLACK))
        pad = self.tokenizer.pad
        ready: Iterator[PairMatrices] = (as_batch([rows[place] for place in group], pad) for group in groups)
        with step("encode"), phase("encoding", len(rows)) as progress:
            for group, some in zip(groups, in_threads(self.run, ready, self.threads), strict=True):
                scores[group] = some
                progress(len(group))
        return scores

    def _unread_notes(self, rows: tuple[int, ...]) -> tuple[Note, ...]:
        message = f"{self.folder.name} reads only {listed(self.reads)}; the row's score means little"
        return (Note("unread", message, rows),) if rows else ()
