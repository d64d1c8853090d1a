"""Which words of a text are likely wrong, and which are likely missing, in every form in which people look at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from farthing.core.types import Note

NOT_LEARNED = Note(
    "marks", "not learned: a probability only says how far a word is from the nearest one of the other text"
)
#: From these probabilities on, words are shown in yellow and in red. Experts mark one word in ten of a modern
#: translation, so a word that is half again as likely wrong as an average one is worth a look.
LIKELY, SURE = 0.15, 0.3
_YELLOW, _RED, _PLAIN = "\x1b[33m", "\x1b[1;4;31m", "\x1b[0m"  # red words are underlined, too
_LEGEND = f"red: wrong or missing with a probability of at least {SURE}, yellow: {LIKELY}"


class Mark(TypedDict):
    """A word: its first character, the one behind it, and the probability that it is wrong or missing."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How likely each word of a candidate is wrong, and each word of what it was compared with is missing.

    Words that were not read, such as those beyond the longest text that a model reads, have no mark.

    :param candidate: the text in which the errors count their characters
    :param reference: the text in which the omissions do: the reference that counted, or the source
    :param errors: one mark per word of the candidate
    :param omissions: one mark per word of the reference or source
    :param counted: which reference counted, from 0; None if the candidate was compared with its source
    :param notes: what the reader should know, such as that the probabilities were not learned
    """

    candidate: str
    reference: str
    errors: list[Mark]
    omissions: list[Mark]
    counted: int | None = 0
    notes: tuple[Note, ...] = ()

    @property
    def learned(self) -> bool:
        """False if the probabilities only say how far a word is from the nearest one."""
        return NOT_LEARNED not in self.notes

    def texts(self) -> dict[str, tuple[str, list[Mark]]]:
        """Return both texts and their marks, by the role of the text: candidate, then reference or source."""
        other = "source" if self.counted is None else "reference"
        return {"candidate": (self.candidate, self.errors), other: (self.reference, self.omissions)}

    def printed(self, color: bool = False) -> str:
        """Return both texts with their likely errors and omissions, in colours or in brackets, then the notes."""
        shown = _coloured if color else _bracketed
        rows = [(name, "".join(shown(*one) for one in marked_pieces(*given))) for name, given in self.texts().items()]
        lines = [f"{name:<9}  {text}" for name, text in rows]
        return "\n".join([*lines, *([_LEGEND] if color else []), *(f"note: {note}" for note in self.notes)])

    def __str__(self) -> str:
        return self.printed()

    def to_dict(self) -> dict[str, object]:
        """Return the marks as values that JSON can hold."""
        return {
            "errors": [_rounded(mark) for mark in self.errors],
            "omissions": [_rounded(mark) for mark in self.omissions],
            "counted": self.counted,
            "notes": list(map(str, self.notes)),
        }

    def _repr_html_(self) -> str:
        from html import escape  # late: its tables are large, and few people look at pages

        rows = (f"<div>{escape(name)}: {marked_html(*given)}</div>" for name, given in self.texts().items())
        notes = (f'<div style="font-size:85%;opacity:.75">{escape(str(note))}</div>' for note in self.notes)
        return f'<div style="line-height:1.7">{"".join([*rows, *notes])}</div>'


def marked_pieces(text: str, marks: Sequence[Mark]) -> Iterator[tuple[str, float | None]]:
    """Cut a text into its words, each with its probability, and what stands between them, with None.

    >>> list(marked_pieces("a cat", [{"start": 2, "end": 5, "probability": 0.75}]))
    [('a ', None), ('cat', 0.75)]
    """
    place = 0
    for mark in marks:
        if place < mark["start"]:
            yield text[place : mark["start"]], None
        yield text[mark["start"] : mark["end"]], mark["probability"]
        place = mark["end"]
    if place < len(text):
        yield text[place:], None


def marked_html(text: str, marks: Sequence[Mark]) -> str:
    """Return a text as HTML in which a word is the redder, the more likely it is wrong; hovering shows how likely."""
    return "".join(_html(*one) for one in marked_pieces(text, marks))


def _html(text: str, probability: float | None) -> str:
    from html import escape

    if probability is None:
        return escape(text)
    line = ";text-decoration:underline" if probability >= SURE else ""
    shade = f"background:rgba(214,40,40,{min(1.0, max(0.0, 1.6 * probability - 0.16)):.2f}){line}"
    return f'<span title="{probability:.2f}" style="{shade}">{escape(text)}</span>'


def _coloured(text: str, probability: float | None) -> str:
    if probability is None or probability < LIKELY:
        return text
    return f"{_RED if probability >= SURE else _YELLOW}{text}{_PLAIN}"


def _bracketed(text: str, probability: float | None) -> str:
    return text if probability is None or probability < LIKELY else f"[{text} {probability:.2f}]"


def _rounded(mark: Mark) -> Mark:
    return {"start": mark["start"], "end": mark["end"], "probability": round(mark["probability"], 6)}
