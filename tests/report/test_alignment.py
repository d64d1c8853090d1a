"""An alignment in every form: text, JSON, a page and a heat map."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Alignment
from farthing.report.alignment import (
    alignment_html,
    alignment_json,
    alignment_text,
    check_alignment_path,
    draw_alignment,
    write_alignment,
)

FOUND = Alignment(
    candidate_tokens=("the", "<b>"),
    reference_tokens=("the", "cat", "sat"),
    similarity=np.array([[1.0, 0.25, 0.0], [0.125, 0.75, -0.5]]),
    matches=np.array([0, -1]),
    back_matches=np.array([0, 1, -1]),
    candidate_weights=np.array([0.5, 0.5]),
    reference_weights=np.array([0.25, 0.5, 0.25]),
    parts={"f1": 0.5},
)


def test_text_shows_every_candidate_token_with_its_partner() -> None:
    assert alignment_text(FOUND).splitlines() == ["the  →  the  1.000", "<b>  →  –", "f1         0.500000"]


def test_json_holds_everything() -> None:
    found = json.loads(alignment_json(FOUND))
    assert found["similarity"] == FOUND.similarity.tolist()
    assert (found["matches"], found["back_matches"], found["f1"]) == ([0, -1], [0, 1, -1], 0.5)


def test_a_page_escapes_its_tokens() -> None:
    page = alignment_html(FOUND, "a < b")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "a &lt; b" in page
    assert "http" not in page.replace("http-equiv", "")  # it needs nothing from elsewhere


def test_a_heat_map_frames_the_matches(drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("alignment")
    draw_alignment("a.png", FOUND, "title")
    axis = figures[0].axes[0]
    assert sorted((frame.get_x() + 0.5, frame.get_y() + 0.5) for frame in axis.patches) == [(0, 0), (0, 0), (1, 1)]
    assert [text.get_text() for text in axis.texts] == ["1.00", ".25", ".00", ".12", ".75", "-.50"]
    assert axis.get_title().startswith("title\nf1 0.500\n")
    nothing = Alignment((), (), np.zeros((0, 0)), *[np.zeros(0)] * 4, parts={})
    with pytest.raises(UsageError, match="without tokens"):
        draw_alignment("a.png", nothing)


@pytest.mark.parametrize(("name", "start"), [("a.json", b"{"), ("a.html", b"<!"), ("a.svg", b"<?xml")])
def test_the_suffix_is_the_form(tmp_path: Path, name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    write_alignment(tmp_path / name, FOUND)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_other_suffixes_are_refused() -> None:
    with pytest.raises(UsageError, match=r"a.doc: unknown kind of output \(there are: .json, .html"):
        check_alignment_path("a.doc")
