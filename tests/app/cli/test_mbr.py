"""`farthing mbr` as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def blocks(tmp_path: Path) -> str:
    path = tmp_path / "nbest.txt"
    path.write_text("the cat sat\na cat sat\ndogs\n\na b c\na b d\nx\n")
    return str(path)


def test_the_candidate_that_agrees_most(farthing: Command, blocks: str) -> None:
    assert farthing("mbr", blocks, "-m", "chrf").stdout.splitlines() == ["the cat sat", "a b c"]


def test_scores_and_ranking(farthing: Command, blocks: str) -> None:
    said = farthing("mbr", blocks, "-m", "chrf", "--top", "2", "-f", "jsonl").stdout
    first, _ = map(json.loads, said.splitlines())
    assert [row["text"] for row in first["ranking"]] == ["the cat sat", "a cat sat"]
    assert first["score"] == first["ranking"][0]["score"] > first["ranking"][1]["score"] > 0


def test_itself_adds_its_own_score(farthing: Command, blocks: str) -> None:
    apart = json.loads(farthing("mbr", blocks, "-m", "chrf", "-f", "jsonl").stdout.splitlines()[0])["score"]
    within = farthing("mbr", blocks, "-m", "chrf", "-f", "jsonl", "--itself").stdout
    assert json.loads(within.splitlines()[0])["score"] == pytest.approx((2 * apart + 100) / 3)


def test_separate_pseudo_references(farthing: Command, blocks: str, tmp_path: Path) -> None:
    pseudo = tmp_path / "pseudo.txt"
    pseudo.write_text("dog\ndogs\nx\nx\n")  # as many lists as there are lists of candidates
    said = farthing("mbr", blocks, "-m", "chrf", "--pseudo", str(pseudo)).stdout
    assert said.splitlines() == ["dogs", "x"]


def test_references_in_the_table_do_not_help(farthing: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidates": ["a cat", "a cat sat", "dogs"], "reference": "dogs"}\n')
    assert farthing("mbr", str(path), "-m", "chrf").stdout.strip() != "dogs"


def test_counts_weigh(farthing: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"candidates": ["a cat", "a cat sat", "dogs"], "counts": [1, 1, 9]}\n')
    assert farthing("mbr", str(path), "-m", "chrf").stdout.strip() == "dogs"


def test_mistakes(farthing: Command, blocks: str, tmp_path: Path) -> None:
    assert "is an input" in farthing("mbr", blocks, "-o", blocks, code=2).stderr
    assert "judges a set" in farthing("mbr", blocks, "-m", "impar", code=2).stderr
    assert "but one chooses" in farthing("mbr", blocks, "-m", "bleu,chrf", code=2).stderr
    lines = tmp_path / "lines.txt"
    lines.write_text("a\nb\n")
    assert "--size N" in farthing("mbr", str(lines), code=2).stderr
    assert "2 lists of candidates but 1 sources" in farthing("mbr", blocks, "-s", _one(tmp_path), code=2).stderr


def _one(folder: Path) -> str:
    (folder / "one.txt").write_text("source\n")
    return str(folder / "one.txt")
