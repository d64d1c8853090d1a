"""What a student is, whatever its kind: it scores pairs of texts and says what its scores depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from farthing.core.arrays import Segments
from farthing.core.explanation import Explanation
from farthing.core.specs import Value
from farthing.core.types import Alignment, Need, Note, Pairs

LongPairs = Literal["truncate", "window", "error"]
WINDOWS = "windows"  #: the kind of the note about texts that were read in windows
Focus = Literal["balanced", "recall", "precision"]


@dataclass(frozen=True, slots=True)
class PairOptions:
    """How a student reads pairs.

    :param long: what to do with texts over the limit: truncate them, read them in windows, or raise an error; by
        default students that match tokens read them in windows, and those of the kind cross truncate them
    :param limit: the most tokens of a pair; by default what the model can read
    :param symmetric: take the mean of both orders of a pair
    :param compat: "evaluate" reads at most 128 tokens per pair, as the published code does
    :param focus: what the score of a student that matches tokens is: all that it learned, or one of its two parts
    :param precision: "fp32" runs the graph in full precision of a student that has one
    """

    long: LongPairs | None = None
    limit: int | None = None
    symmetric: bool = False
    compat: Literal["evaluate"] | None = None
    focus: Focus = "balanced"
    precision: Literal["fp32"] | None = None


class PairScores(NamedTuple):
    """One score per pair, that of its best reference, and what the reader should know of some of them.

    :param parts: further results by name, one value per pair
    """

    segments: Segments
    notes: tuple[Note, ...]
    parts: Mapping[str, Segments] = MappingProxyType({})


class Student(Protocol):
    """A small model that judges pairs. :func:`farthing.students.layout.open_student` opens one."""

    range: tuple[float | None, float | None]  #: the lowest and the highest score, None if there is no bound
    reads: tuple[str, ...]  #: codes of the languages that it reads; empty if its folder does not tell
    against: Need  #: what it compares candidates with, first of all
    needs: frozenset[Need]  #: all that it compares candidates with
    version: int  #: of its weights
    explains: bool  #: whether it matches tokens, so that it can say which words are wrong

    def score_systems(self, systems: Sequence[Pairs]) -> list[PairScores]:
        """Score the pairs of several systems; a text that they share, such as a reference, is read once."""
        ...

    def fields(self) -> dict[str, Value]:
        """Return the student's part of a signature: all that changes a score."""
        ...

    def align(self, candidate: str, reference: str) -> Alignment:
        """Return which token matched which; a student that does not match tokens raises a UsageError."""
        ...

    def explain(self, pairs: Pairs) -> list[Explanation]:
        """Say for each row which words are likely wrong or missing; raise as :meth:`align` does."""
        ...
