"""Marked words as text, in colours, as HTML and as JSON."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.core.explanation import NOT_LEARNED, Explanation, Mark, marked_html, marked_pieces
from farthing.core.types import Note

ERRORS: list[Mark] = [
    {"start": 1, "end": 4, "probability": 0.1},
    {"start": 5, "end": 8, "probability": 0.8},
    {"start": 9, "end": 12, "probability": 0.2},
]
OMISSIONS: list[Mark] = [{"start": 0, "end": 3, "probability": 0.123456789}]
FOUND = Explanation(" The dog ran", "the cat", ERRORS, OMISSIONS, 2, (NOT_LEARNED,))


def test_plain_marks_are_brackets() -> None:
    assert str(FOUND).splitlines() == [
        "candidate   The [dog 0.80] [ran 0.20]",
        "reference  the cat",
        f"note: {NOT_LEARNED}",
    ]
    assert str(FOUND) == FOUND.printed()
    assert "not learned" in str(FOUND)


def test_colours_tell_likely_from_surer_errors() -> None:
    candidate, reference, legend, _ = FOUND.printed(color=True).splitlines()
    assert candidate == "candidate   The \x1b[1;4;31mdog\x1b[0m \x1b[33mran\x1b[0m"
    assert reference == "reference  the cat"
    assert legend == "red: wrong or missing with a probability of at least 0.3, yellow: 0.15"


def test_a_source_is_called_so() -> None:
    across = Explanation("a", "b", [], [], None)
    assert list(across.texts()) == ["candidate", "source"]
    assert (across.learned, FOUND.learned) == (True, False)


def test_json_has_the_marks() -> None:
    values = json.loads(json.dumps(FOUND.to_dict()))
    assert values["errors"] == ERRORS
    assert values["omissions"] == [{"start": 0, "end": 3, "probability": 0.123457}]
    assert (values["counted"], values["notes"]) == (2, [str(NOT_LEARNED)])


class Seen(HTMLParser):
    """Takes down what a reader sees, and what hovering shows."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.titles = "", []

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.titles += [value for name, value in attrs if name == "title"]


def test_html_shows_the_text_and_nothing_of_it_is_code() -> None:
    text, seen = "<b>&amp; cat", Seen()
    seen.feed(
        marked_html(text, [{"start": 0, "end": 3, "probability": 0.9}, {"start": 9, "end": 12, "probability": 0}])
    )
    assert (seen.text, seen.titles) == (text, ["0.90", "0.00"])
    page = Explanation("<i>", "<u>", [], [], 0, (Note("kind", "<script>"),))._repr_html_()
    assert not [tag for tag in ("<i>", "<u>", "<script>") if tag in page]


@given(st.text(max_size=30), st.lists(st.integers(0, 30), max_size=6))
def test_pieces_together_are_the_text(text: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts})
    marks: list[Mark] = [
        {"start": first, "end": last, "probability": 0.5}
        for first, last in zip(places[::2], places[1::2], strict=False)
    ]
    found = list(marked_pieces(text, marks))
    assert "".join(piece for piece, _ in found) == text
    assert [piece for piece, probability in found if probability is not None] == [
        text[mark["start"] : mark["end"]] for mark in marks
    ]
    assert [probability for _, probability in found if probability] == pytest.approx([0.5] * len(marks))
