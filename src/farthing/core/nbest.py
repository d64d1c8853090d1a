"""Several candidates for one segment, among which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from farthing.core.errors import UsageError
from farthing.core.types import Pairs


@dataclass(frozen=True, slots=True)
class NBest:
    """The candidates for one segment, and what they are compared with.

    :param candidates: the texts to choose from; a text may occur more than once
    :param references: the texts that every candidate is compared with; there may be none
    :param source: the text that the candidates were made from
    :param weights: one weight per candidate, such as a count or a probability; equal weights if not given
    :param id: the name of the segment
    """

    candidates: Sequence[str]
    references: Sequence[str] = ()
    source: str | None = None
    weights: Sequence[float] | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        for name in ("candidates", "references"):
            texts = getattr(self, name)
            if isinstance(texts, str) or not isinstance(texts, Sequence) or not all(map(_is_text, texts)):
                raise UsageError(f"the {name} of a segment are a list of strings, not {_told(texts)}")
        if not self.candidates:
            raise UsageError("a segment has no candidates: give each segment a list of at least one text")
        self._check_weights()

    def _check_weights(self) -> None:
        if self.weights is None:
            return
        if len(self.weights) != len(self.candidates):
            raise UsageError(f"a segment has {len(self.candidates)} candidates but {len(self.weights)} weights")
        if min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise UsageError("the weights of a segment must not be negative, and at least one must be above 0")

    @property
    def size(self) -> int:
        """How many pairs of a candidate and a reference there are."""
        return len(self.candidates) * len(self.references)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _told(texts: object) -> str:
    if isinstance(texts, str):
        return "one string"
    wrong = next(text for text in texts if not isinstance(text, str)) if isinstance(texts, Sequence) else texts
    return f"{type(wrong).__name__}"


def crossed_rows(one: NBest, concerns: Callable[[str], bool]) -> list[int]:
    """Return the pairs of a list in which a text concerns us, by their places in :func:`crossed_pairs`.

    >>> crossed_rows(NBest(["", "b"], ["c", "d"]), lambda text: not text)
    [0, 1]
    """
    theirs = [concerns(text) for text in one.references]
    marked = [ours or other for ours in map(concerns, one.candidates) for other in theirs]
    return [row for row, mark in enumerate(marked) if mark]


def crossed_pairs(lists: Sequence[NBest]) -> Pairs:
    """Pair every candidate with every reference of its list: list after list, candidate after candidate.

    >>> crossed_pairs([NBest(["a", "b"], ["c", "d"])]).candidates
    ['a', 'a', 'b', 'b']
    """
    candidates = [text for one in lists for text in one.candidates for _ in one.references]
    references = [[text] for one in lists for _ in one.candidates for text in one.references]
    sources = [one.source for one in lists for _ in range(one.size)]
    known = [source for source in sources if source is not None]
    return Pairs(candidates, references, known if len(known) == len(sources) else None)
