"""Several candidates for one segment, among which one is chosen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from farthing.core.errors import UsageError
from farthing.core.frames import texts_of_column
from farthing.core.texts import Texts, as_list, reference_rows
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


def crossed_rows_with(lists: Sequence[NBest], texts: Collection[str]) -> tuple[int, ...]:
    """Return the places in :func:`crossed_pairs` of the pairs that have one of these texts.

    >>> crossed_rows_with([NBest(["a", "b"], ["c", "d"])], {"b", "d"})
    (1, 2, 3)
    """
    if not texts:
        return ()
    sides = ([[text in texts for text in side] for side in (one.candidates, one.references)] for one in lists)
    marks = (own or other for ours, theirs in sides for own in ours for other in theirs)
    return tuple(row for row, mark in enumerate(marks) if mark)


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


def nbest_lists(
    texts: Texts, weights: Sequence[Sequence[float]] | None = None, name: str = "candidates"
) -> list[NBest]:
    """Return one list per segment, given lists, columns of lists or generators.

    :param name: what messages call the texts
    """
    rows = as_list(texts, name)
    if any(isinstance(row, str) for row in rows):
        raise UsageError(f"{name} are one list of texts per segment, such as [['a', 'b'], ['c', 'd', 'e']]")
    if weights is not None and len(weights) != len(rows):
        raise UsageError(f"{len(rows)} lists of {name} but {len(weights)} lists of weights: give one per segment")
    return [
        NBest(row, weights=None if weights is None else weights[place])
        for place, row in enumerate(reference_rows(rows, name))
    ]


def with_sides(lists: Sequence[NBest], references: Texts | None = None, sources: Texts | None = None) -> list[NBest]:
    """Give each list its references and its source; None leaves those of the lists as they are.

    :param references: for each list one reference or several
    """
    given = None if references is None else reference_rows(references)
    texts = None if sources is None else texts_of_column(sources, "sources")
    for name, column in (("references", given), ("sources", texts)):
        if column is not None and len(column) != len(lists):
            raise UsageError(f"{len(lists)} lists of candidates but {len(column)} {name}: give one entry per segment")
    return [
        replace(
            one,
            references=one.references if given is None else given[place],
            source=one.source if texts is None else texts[place],
        )
        for place, one in enumerate(lists)
    ]
