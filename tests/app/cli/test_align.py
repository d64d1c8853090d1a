"""`farthing align` as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Command = Callable[..., Any]


@pytest.mark.parametrize("suffix", ["json", "html", "png", "svg"])
def test_align(farthing: Command, model: str, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"a.{suffix}"
    spec = f"bertscore(model={model}, layer=2)"
    said = farthing("align", "-c", "the <b> cat", "-r", "the cat sat", "-m", spec, "-o", str(out)).stdout
    assert "f1" in said
    content = out.read_bytes()
    if suffix == "json":
        found = json.loads(content)
        similarity = np.array(found["similarity"])
        assert found["precision"] == pytest.approx(similarity.max(axis=1).mean(), abs=1e-5)
        assert found["matches"] == similarity.argmax(axis=1).tolist()
    elif suffix == "html":
        text = content.decode()
        assert "<b>" not in text
        assert "http" not in text  # nothing is fetched
    else:
        assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[suffix])


def test_align_mistakes(farthing: Command, model: str) -> None:
    assert "cannot show which tokens match" in farthing("align", "-c", "a", "-r", "b", "-m", "chrf", code=2).stderr
    wrong = farthing("align", "-c", "a", "-r", "b", "-m", f"bertscore(model={model})", "-o", "x.doc", code=2)
    assert "unknown kind of output" in wrong.stderr


def test_a_candidate_is_aligned_with_one_text(farthing: Command, model: str) -> None:
    spec = f"bertscore(model={model}, layer=2)"
    by_reference = farthing("align", "-c", "the cat", "-r", "a cat", "-m", spec).stdout
    assert farthing("align", "-c", "the cat", "-s", "a cat", "-m", spec).stdout == by_reference
    for given in ([], ["-r", "a", "-s", "b"]):
        assert "give a reference (-r) or a source (-s)" in farthing("align", "-c", "a", *given, code=2).stderr


STUDENT = "frugalscore(size=nano)"
TEXTS = ("-c", " The dog sat.", "-r", "The cat sat.", "-m", STUDENT)


def test_likely_errors_stand_in_brackets(farthing: Command) -> None:
    candidate, reference, note, *_ = farthing("align", *TEXTS).stdout.splitlines()
    assert candidate.startswith("candidate   The [dog 0.")
    assert reference.startswith("reference  The [cat 0.")
    assert "not learned" in note


def test_a_terminal_shows_colours(at_terminal: Callable[..., str]) -> None:
    shown = at_terminal("align", *TEXTS)
    assert "\x1b[" in shown
    assert "[dog" not in shown.replace("\x1b[", "")
    assert "[dog 0." in at_terminal("align", *TEXTS, NO_COLOR="1")


def test_marks_as_json_and_html(farthing: Command, tmp_path: Path) -> None:
    found = json.loads(farthing("align", *TEXTS, "--format", "json", "-o", str(tmp_path / "a.html")).stdout)
    assert [(mark["start"], mark["end"]) for mark in found["errors"]] == [(1, 4), (5, 8), (9, 12), (12, 13)]
    assert [(mark["start"], mark["end"]) for mark in found["omissions"]] == [(0, 3), (4, 7), (8, 11), (11, 12)]
    assert all(0 < mark["probability"] < 1 for mark in found["errors"])
    page = farthing("align", *TEXTS, "--format", "html").stdout
    assert page.startswith("<!doctype html>")
    assert page == (tmp_path / "a.html").read_text(encoding="utf-8")
    assert ">dog</span>" in page


def test_omissions_are_in_the_source(farthing: Command, with_every_size: Path) -> None:
    found = farthing("align", "-c", "The cat is black.", "-s", "Die Katze ist schwarz.").stdout
    assert found.splitlines()[1].startswith("source  ")
