"""Alignments as text, JSON, pictures and HTML pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.core.explanation import NOT_LEARNED, Explanation
from farthing.core.types import Alignment
from farthing.report import alignment as module
from farthing.report.alignment import (
    ALIGNMENT_SUFFIXES,
    alignment_html,
    alignment_json,
    alignment_text,
    check_alignment_path,
    draw_alignment,
    write_alignment,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")

STARTS = {".json": b"{", ".html": b"<!doctype html>", ".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}
EMPTY = Alignment(
    (), ("a",), np.zeros((0, 1)), np.zeros(0, dtype=int), np.array([-1]), np.zeros(0), np.ones(1), {"f1": 0.0}
)


@pytest.mark.parametrize("suffix", [*ALIGNMENT_SUFFIXES, ".HTML"])
def test_every_format_is_written(suffix: str, alignment: Alignment, tmp_path: Path) -> None:
    write_alignment(tmp_path / f"a{suffix}", alignment, "title")
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(STARTS[suffix.lower()])


def test_other_names_are_refused(alignment: Alignment, tmp_path: Path) -> None:
    for act in (check_alignment_path, lambda path: write_alignment(path, alignment)):
        with pytest.raises(UsageError, match=r"a.txt: unknown kind of output \(there are: .json, .html, .png"):
            act(tmp_path / "a.txt")
        with pytest.raises(OutputError, match=r"the folder .* does not exist"):
            act(tmp_path / "no" / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_json_holds_the_alignment(alignment: Alignment) -> None:
    assert json.loads(alignment_json(alignment)) == {
        "candidate": ["<b>", "cat"],
        "reference": ["the", "cat", "&"],
        "similarity": [[0.25, 0.125, -0.5], [0.5, 1.0, 0.0]],
        "matches": [-1, 1],
        "back_matches": [1, 1, -1],
        "candidate_weights": [0.75, 1.5],
        "reference_weights": [1.0, 2.0, 0.5],
        "precision": 0.5,
        "f1": 2 / 3,
    }


def test_json_of_an_empty_text_is_strict() -> None:
    def refuse(constant: str) -> None:
        pytest.fail(constant)

    values = json.loads(alignment_json(EMPTY), parse_constant=refuse)
    assert (values["candidate"], values["similarity"], values["f1"]) == ([], [], 0.0)


def test_text_names_the_partner_or_none(alignment: Alignment) -> None:
    assert alignment_text(alignment).splitlines() == [
        "<b>  →  –",
        "cat  →  cat  1.000",
        "precision  0.500000",
        "f1         0.666667",
    ]
    assert alignment_text(EMPTY) == "f1         0.000000"


def test_picture_shows_similarities_and_matches(
    alignment: Alignment, figures: Callable[[ModuleType], list[Figure]]
) -> None:
    kept = figures(module)
    draw_alignment("a.png", alignment, "mine")
    axis = kept[0].axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["the", "cat", "&"]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["<b>", "cat"]
    assert [text.get_text() for text in axis.texts] == [".25", ".12", "-.50", ".50", "1.00", ".00"]
    assert axis.images[0].get_clim() == (-0.5, 1)
    frames = [(patch.get_y() + 0.5, patch.get_x() + 0.5) for patch in axis.patches]
    assert frames == [(1, 1), (1, 0), (1, 1)]  # one candidate token and two reference tokens have a partner
    assert axis.get_title().splitlines()[:2] == ["mine", "precision 0.500   f1 0.667"]


def test_dollars_are_drawn_as_they_are(alignment: Alignment, tmp_path: Path) -> None:
    tokens = replace(alignment, candidate_tokens=("$$", r"$\no_formula$"), reference_tokens=("$_$", "$", "a"))
    title = "from $5 to $6"
    write_alignment(tmp_path / "a.svg", tokens, title)
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    # matplotlib names the text of every group of glyphs in a comment
    for text in ("$$", r"$\no_formula$", "$_$", title):
        assert f"<!-- {text}" in drawn


def test_a_text_without_tokens_is_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="without tokens cannot be drawn"):
        draw_alignment(tmp_path / "a.png", EMPTY)
    assert "One of the texts has no tokens" in alignment_html(EMPTY)


def test_html_is_escaped(alignment: Alignment) -> None:
    page = alignment_html(alignment, '<script>alert(1)</script> & "more"')
    assert "<script" not in page
    assert "<b>" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;more&#34;") == 2
    assert '<th scope="row" title="weight 0.750">&lt;b&gt;</th>' in page
    assert 'title="&lt;b&gt; – &amp;: -0.5000"' in page


def test_html_holds_numbers_and_matches(alignment: Alignment) -> None:
    page = alignment_html(alignment)
    assert "<title>Alignment</title>" in page
    assert "<dt>f1</dt><dd>0.6667</dd>" in page
    table = page[page.index("<tbody>") : page.index("</table>")]
    cells = [[cell for cell in row if cell.tag == "td"] for row in ElementTree.fromstring(table)]
    assert [[cell.text for cell in row] for row in cells] == [["0.25", "0.12", "-0.50"], ["0.50", "1.00", "0.00"]]
    assert [[cell.attrib["class"].split() for cell in row] for row in cells] == [
        [[], [], []],
        [["column"], ["row", "column"], []],
    ]


def test_html_needs_no_other_file(alignment: Alignment) -> None:
    page = alignment_html(alignment)
    assert not [word for word in ("src=", "href=", "url(", "@import", "http") if word in page]


MARKED = Explanation(
    "<b> cat",
    "the cat &",
    [{"start": 0, "end": 3, "probability": 0.625}],
    [{"start": 8, "end": 9, "probability": 0.25}],
    notes=(NOT_LEARNED,),
)


def test_marks_come_first_in_every_form(alignment: Alignment, tmp_path: Path) -> None:
    text = alignment_text(alignment, MARKED)
    assert text.splitlines()[:2] == ["candidate  [<b> 0.62] cat", "reference  the cat [& 0.25]"]
    assert text.endswith("\n\n" + alignment_text(alignment))
    assert "\x1b[1;4;31m<b>\x1b[0m" in alignment_text(alignment, MARKED, color=True)
    values = json.loads(alignment_json(alignment, MARKED))
    assert values == {**json.loads(alignment_json(alignment)), **MARKED.to_dict()}
    page = alignment_html(alignment, explanation=MARKED)
    assert (
        '<span title="0.62" style="background:rgba(214,40,40,0.84);text-decoration:underline">&lt;b&gt;</span>' in page
    )
    assert page.index("rgba(214") < page.index("<tbody>")
    assert "not learned" in page
    assert "<b>" not in page
    write_alignment(tmp_path / "a.html", alignment, "", MARKED)
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
