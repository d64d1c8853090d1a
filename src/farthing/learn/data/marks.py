"""Which parts of a candidate are wrong: what experts marked, or what a post-edit changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

import numpy as np

from farthing.core.errors import InputError

CharacterSpan: TypeAlias = "tuple[int, int]"  #: the first character of a part of a text, and the one behind it
SPANS = "spans"  #: the column of experts' marks
POINTS = {"major": 5.0, "critical": 5.0, "minor": 1.0}  # as in MQM
# A word, a mark, or a character of a script without spaces.
_UNITS = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\W_\u2e80-\u9fff\uf900-\ufaff]+|[^\s\w]|_")


def wrong_spans(candidate: str, mark: object) -> list[CharacterSpan] | None:
    """Return the wrong parts of a candidate, None if nobody said which they are.

    :param mark: a post-edit of the candidate, or a list of spans with `start` and `end`
    """
    if isinstance(mark, str):
        return edited_spans(candidate, mark) if mark.strip() else None
    if isinstance(mark, Sequence):
        return [_given_span(one) for one in mark]
    return None


def _given_span(one: object) -> CharacterSpan:
    if not isinstance(one, Mapping) or not isinstance(one.get("start"), int) or not isinstance(one.get("end"), int):
        raise InputError(f"a mark needs the whole numbers `start` and `end`: {one!r}")
    return one["start"], one["end"]


def with_error_scores(record: dict[str, object]) -> dict[str, object]:
    """Add a score to a record whose experts marked errors but gave none: minus five per major, one per minor error.

    >>> with_error_scores({"spans": [{"severity": "major"}, {"severity": "minor"}]})["score"]
    -6.0
    """
    spans = record.get(SPANS)
    if not isinstance(spans, list) or "score" in record:
        return record
    points = [POINTS.get(str(one.get("severity")), 1.0) for one in spans if isinstance(one, Mapping)]
    return {**record, "score": -sum(points, start=0.0)}


def edited_spans(candidate: str, edit: str) -> list[CharacterSpan]:
    """Return the words of a candidate that are not in its post-edit, in order and without regard to case.

    >>> edited_spans("He have a cat.", "He has a cat .")
    [(3, 7)]
    """
    ours, theirs = ([match.span() for match in _UNITS.finditer(text)] for text in (candidate, edit))
    first, second = ([text[at:end].lower() for at, end in spans] for text, spans in ((candidate, ours), (edit, theirs)))
    kept = np.zeros(len(ours), dtype=bool)
    for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        kept[block.a : block.a + block.size] = True
    return [span for span, stays in zip(ours, kept, strict=True) if not stays]


def token_marks(tokens: Iterable[CharacterSpan], wrong: Sequence[CharacterSpan] | None) -> np.ndarray:
    """Tell for every token whether most of it is wrong: 1 or 0, NaN if that is not known or if it has no character.

    :param tokens: where the tokens are in the text

    >>> token_marks([(0, 2), (2, 3), (3, 7)], [(3, 6)])
    array([0., 0., 1.], dtype=float32)
    """
    marks = [
        np.nan if wrong is None or last <= first else float(2 * _common(first, last, wrong) > last - first)
        for first, last in tokens
    ]
    return np.array(marks, dtype=np.float32)


def _common(first: int, last: int, wrong: Sequence[CharacterSpan]) -> int:
    return sum(max(0, min(last, end) - max(first, start)) for start, end in wrong)
