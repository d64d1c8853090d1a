"""Checks that every pair metric makes before it starts, and the notes that they share."""

from __future__ import annotations

from collections.abc import Sequence

from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.types import MetricInfo, Need, Note, Pairs


def check_pairs(info: MetricInfo, pairs: Pairs) -> None:
    """Raise one sentence where a metric cannot score these pairs."""
    if not len(pairs):
        raise UsageError(f"{info.name} has nothing to score: there are no candidates")
    if "source" in info.needs and pairs.sources is None:
        raise MissingInput(
            f"{info.name} needs a source for every candidate (-s on the command line, sources= in Python)"
        )
    if "reference" in info.needs:
        _check_references(info, pairs)


def _check_references(info: MetricInfo, pairs: Pairs) -> None:
    if not pairs.has_references:
        raise MissingInput(
            f"{info.name} needs a reference for every candidate (-r on the command line, references= in Python)"
        )
    for row, references in enumerate(pairs.references):
        if not references:
            raise MissingInput(f"{info.name} needs a reference for every candidate; row {row + 1} has none")


def others(pairs: Pairs, row: int, kind: Need) -> Sequence[str]:
    """What a row's candidate is compared with: its references, or its source."""
    if kind == "reference":
        return pairs.references[row]
    return [pairs.sources[row]] if pairs.sources is not None else []


def empty_notes(pairs: Pairs, kind: Need = "reference") -> tuple[Note, ...]:
    """A note with the rows whose candidate, or one of whose references (or whose source), has no text."""
    candidates = tuple(i for i, text in enumerate(pairs.candidates) if not text.strip())
    rest = tuple(i for i in range(len(pairs)) if any(not text.strip() for text in others(pairs, i, kind)))
    found = []
    if candidates:
        found.append(Note("empty", "the candidate has no text", candidates))
    if rest:
        found.append(Note("empty", f"a {kind} has no text", rest))
    return tuple(found)


def check_positive(metric: str, *, or_zero: bool = False, **values: int | float) -> None:
    """Raise one sentence where an option is not positive."""
    for name, value in values.items():
        if value < 0 or (value == 0 and not or_zero):
            raise SpecError(f"{metric}: {name}={value} must be {'at least 0' if or_zero else 'above 0'}")
