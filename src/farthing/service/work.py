"""What a request asks the scoring thread to do, cut into pieces that fit into a window."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from farthing.core.types import Pairs
from farthing.scoring.engine import Keeping, LocalEngine, Ready, StretchScores, join_stretches
from farthing.service.limits import all_tokens

Answer = TypeVar("Answer")
RowScores: TypeAlias = Callable[[int, StretchScores], None]  #: called with the first row of a piece and its scores
PARTS = 4  # pieces of a long request that fill a window, so that requests can take turns


@dataclass(frozen=True, slots=True)
class WorkPiece:
    """Some rows of a request: those from `start` up to but not including `stop`."""

    start: int
    stop: int
    tokens: int


class QueuedWork(ABC):
    """One request in the queue."""

    def __init__(self) -> None:
        self.pieces: deque[WorkPiece] = deque()  #: what still waits

    @property
    def tokens(self) -> int:
        """The tokens that still wait; none for work that is over."""
        return 0 if self.over else sum(piece.tokens for piece in tuple(self.pieces))

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether there is an answer or an error, or nobody wants one any more."""

    @abstractmethod
    def fail(self, error: BaseException) -> None:
        """End the work with an error."""


class Asked(QueuedWork, Generic[Answer]):
    """Work with an answer. Whoever does not want it any more cancels it; then no piece that still waits is done."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: Future[Answer] = Future()

    @property
    def over(self) -> bool:
        """Whether there is an answer or an error, or nobody wants one any more."""
        return self.answer.done()

    def fail(self, error: BaseException) -> None:
        """End the work with an error."""
        with suppress(InvalidStateError):  # it was cancelled meanwhile
            self.answer.set_exception(error)

    def finish(self, answer: Answer) -> None:
        """End the work with its answer."""
        with suppress(InvalidStateError):
            self.answer.set_result(answer)


class CallWork(Asked[Answer]):
    """A call that cannot be split, such as an alignment or a metric of whole sets.

    :param tokens: what the call is expected to read
    """

    def __init__(self, call: Callable[[], Answer], tokens: int) -> None:
        super().__init__()
        self._call = call
        self.pieces.append(WorkPiece(0, 1, tokens))

    def run(self) -> None:
        """Make the call."""
        self.finish(self._call())


class ScoringWork(Asked[StretchScores]):
    """Pairs of one or several systems to be scored by some metrics: the answer is `[metric][system]`.

    :param metrics: returns the metrics; called in the scoring thread, which alone loads models
    :param systems: one `Pairs` per system, all with the same number of rows
    :param window: tokens of a window, of which a piece takes a part
    :param told: is called with the scores of each piece, in the order of the rows
    """

    def __init__(
        self,
        metrics: Callable[[], Sequence[Ready]],
        systems: Sequence[Pairs],
        window: int,
        told: RowScores | None = None,
    ) -> None:
        super().__init__()
        self._metrics, self.systems, self._told = metrics, systems, told
        self.rows = len(systems[0])
        self.ready: Sequence[Ready] = ()
        self._found: list[StretchScores] = []
        self.pieces.extend(self._cut(max(1, window // PARTS)))

    def _cut(self, most: int) -> Iterator[WorkPiece]:
        """Cut the rows into pieces of about so many tokens; a piece has at least one row."""
        start = total = 0
        for row in range(self.rows):
            size = sum(_row_tokens(pairs, row) for pairs in self.systems)
            if row > start and total + size > most:
                yield WorkPiece(start, row, total)
                start, total = row, 0
            total += size
        yield WorkPiece(start, self.rows, total)

    def prepare(self) -> None:
        """Load the metrics and let them look at all rows of the request, which is a corpus of its own."""
        if not self.ready:
            self.ready = LocalEngine().prepare(self._metrics(), lambda: [self.systems])

    def stretch(self, piece: WorkPiece) -> list[Pairs]:
        """Return the rows of a piece of every system."""
        return [pairs.part(piece.start, piece.stop) for pairs in self.systems]

    def take(self, piece: WorkPiece, scores: StretchScores) -> None:
        """Keep the scores of a piece; those of the last one end the work."""
        self._found.append(scores)
        if self._told and not self.over:
            self._told(piece.start, scores)
        if piece.stop == self.rows:
            self.finish(join_stretches(self.ready, self._found, Keeping()))


def _row_tokens(pairs: Pairs, row: int) -> int:
    source = [] if pairs.sources is None else [pairs.sources[row]]
    return all_tokens([pairs.candidates[row], *pairs.references[row], *source])
