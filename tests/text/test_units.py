"""Units of texts: words, marks and characters, and where a text may be cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text.units import NO_CUT, keys_of, units_of, without_line_ends


def pieces(text: str) -> list[str]:
    """The text, cut wherever it may be cut."""
    units = units_of(text)
    cuts = [start for start, rank in zip(units.starts, units.ranks, strict=True) if rank != NO_CUT]
    return [text[start:end].strip() for start, end in zip([0, *cuts[1:-1]], [*cuts[1:-1], len(text)], strict=True)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Don't stop (now), please.", ["Don't", "stop", "(now),", "please."]),
        ("我们走。好吗？", ["我", "们", "走。", "好", "吗？"]),
        ("「はい」と言った", ["「は", "い」", "と", "言", "っ", "た"]),
        ("यह हिन्दी है।", ["यह", "हिन्दी", "है।"]),
        ("GPT-4 在这里", ["GPT-4", "在", "这", "里"]),
        ("한국어 문장", ["한국어", "문장"]),
    ],
)
def test_words_are_not_torn(text: str, wanted: list[str]) -> None:
    assert pieces(text) == wanted


def test_thai_marks_stay_with_their_letters() -> None:
    assert all(piece[0] not in "\u0e31\u0e34\u0e49" for piece in pieces("สวัสดีครับน้ำ"))


@given(st.text())
def test_every_unit_has_its_place(text: str) -> None:
    units = units_of(text)
    assert keys_of(text) == units.keys
    assert len(units.starts) == len(units.ranks) == len(units.keys) + 1
    assert units.starts == sorted(units.starts)
    assert units.ranks[0] == units.ranks[-1] == 0


@given(st.text())
def test_nothing_but_space_is_lost(text: str) -> None:
    letters = "".join("".join(pieces(text)).split())
    assert letters == "".join(text.split())


def test_line_ends_and_sentence_ends_are_the_better_cuts() -> None:
    assert units_of("A b. C\nd").ranks == [0, 2, NO_CUT, 1, 0, 0]
    assert without_line_ends(" a \n b ") == "a b"
