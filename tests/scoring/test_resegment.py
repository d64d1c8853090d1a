"""Outputs cut anew at the segments of references."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import MissingInput, UsageError
from farthing.files.inputs import Inputs
from farthing.scoring.resegment import resegment, resegmented
from farthing.scoring.score import choose, score

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "translation"
REFERENCES = (EXAMPLE / "reference.en").read_text(encoding="utf-8").splitlines()
SECOND = (EXAMPLE / "reference2.en").read_text(encoding="utf-8").splitlines()
OUTPUT = (EXAMPLE / "fluent.en").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("width", [1, 3, 100])
def test_the_references_own_text_is_recovered(width: int) -> None:
    lines = [" ".join(REFERENCES[place : place + width]) for place in range(0, len(REFERENCES), width)]
    found = resegment(lines, [[text] for text in REFERENCES])
    assert found.pieces == REFERENCES
    assert found.error_rate == 0


def test_chinese_is_cut_by_characters() -> None:
    segments = ["今天天气很好。", "我们去公园吧！", "GPT-4 写了这句话。"]
    assert resegment(["".join(segments[:2]) + segments[2]], [[text] for text in segments]).pieces == segments
    assert resegment(["今天天气", "好我们公园吧！GPT-4 写这句。"], [[text] for text in segments]).pieces == [
        "今天天气好", "我们公园吧！", "GPT-4 写这句。",
    ]  # fmt: skip


def test_outputs_in_one_line_get_their_lines_back() -> None:
    found = resegment([" ".join(OUTPUT)], list(zip(REFERENCES, SECOND, strict=True)))
    assert np.mean([one == other for one, other in zip(found.pieces, OUTPUT, strict=True)]) > 0.9
    assert " ".join(" ".join(found.pieces).split()) == " ".join(OUTPUT)  # every word is kept, in its order


@pytest.mark.parametrize("seed", range(4))
def test_as_few_errors_as_mweralign(
    seed: int, edits: Callable[[list[str], list[str]], int], capfd: pytest.CaptureFixture[str]
) -> None:
    """The words of both are the same: lower case, no punctuation marks."""
    package = pytest.importorskip("mweralign", reason="mweralign is not installed")
    logging.getLogger().setLevel(logging.WARNING)
    random = np.random.default_rng(seed)
    segments = [[f"w{word}" for word in random.zipf(1.5, random.integers(2, 20)) % 300] for _ in range(40)]
    words = [word for segment in segments for word in segment if random.random() > 0.15]
    words = [word if random.random() > 0.2 else f"w{random.integers(300)}" for word in words]
    theirs = package.align_texts("\n".join(map(" ".join, segments)), " ".join(words)).rstrip("\n").split("\n")
    ours = resegment([" ".join(words)], [[" ".join(segment)] for segment in segments]).pieces
    errors = [
        sum(edits(piece.split(), segment) for piece, segment in zip(pieces, segments, strict=True))
        for pieces in (ours, theirs)
    ]
    assert errors[0] == errors[1]


def test_files_are_cut_and_the_signature_says_so(tmp_path: Path) -> None:
    (tmp_path / "hyp.txt").write_text(" ".join(OUTPUT[:10]) + "\n" + " ".join(OUTPUT[10:]), encoding="utf-8")
    files = Inputs([str(tmp_path / "hyp.txt")], [str(EXAMPLE / "reference.en")], str(EXAMPLE / "source.fr"))
    [row] = score(choose("chrf"), resegmented(files)).rows
    whole = score(choose("chrf"), Inputs([str(EXAMPLE / "fluent.en")], [str(EXAMPLE / "reference.en")])).rows[0]
    assert row.cells[0].scores.corpus == pytest.approx(whole.cells[0].scores.corpus, abs=1.0)
    assert "|segments:mwer|" in str(row.cells[0].scores.signature)
    [note] = row.cells[0].scores.notes
    assert str(note).startswith("resegmented: 2 lines cut at the 24 segments of the references; word error rate ")


def test_an_output_for_another_text_is_told() -> None:
    from farthing.scoring.resegment import _told

    assert "another text" in _told(1, 2, 0.95)
    assert "another text" not in _told(1, 2, 0.4)


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").write_text("one\ntwo\n")
    one, two = str(tmp_path / "a.txt"), str(tmp_path / "b.txt")
    with pytest.raises(MissingInput, match="give them with -r"):
        resegmented(Inputs([one]))
    with pytest.raises(UsageError, match="line counts differ"):
        resegmented(Inputs([one], [one, two]))
