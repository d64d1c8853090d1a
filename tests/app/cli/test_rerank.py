"""`farthing rerank` as a user types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def texts(tmp_path: Path) -> Callable[..., str]:
    def write(name: str, *lines: str) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return str(path)

    return write


def test_an_oracle_with_two_references(farthing: Command, texts: Callable[..., str]) -> None:
    nbest = texts("n.txt", "0 ||| a dog", "0 ||| the cat", "1 ||| b", "1 ||| c d")
    options = ["-r", texts("r1.txt", "the dogs", "c"), "-r", texts("r2.txt", "the cat", "c d"), "-m", "chrf"]
    assert farthing("rerank", nbest, *options).stdout.splitlines() == ["the cat", "c d"]
    first = json.loads(farthing("rerank", nbest, *options, "-f", "jsonl").stdout.splitlines()[0])
    assert (first["id"], first["place"], first["score"]) == ("0", 1, pytest.approx(100))


def test_sources_choose_without_references(farthing: Command, model: str, texts: Callable[..., str]) -> None:
    pytest.importorskip("ot")
    nbest = texts("n.txt", "a dog was lying", "the cat sat", "the mat", "the rain")
    spec = f"sentsim(model={model})"
    said = farthing("rerank", nbest, "-s", texts("s.txt", "the cat sat", "the rain"), "-m", spec).stdout
    assert said.splitlines() == ["the cat sat", "the rain"]


def test_references_in_the_table(farthing: Command, texts: Callable[..., str]) -> None:
    rows = [{"id": 1, "mt": text, "gold": "dogs"} for text in ("a cat", "a cat sat", "dogs")]
    path = texts("a.jsonl", *map(json.dumps, rows))
    assert farthing("rerank", path, "-m", "chrf", "--reference", "gold").stdout.strip() == "dogs"


def test_mistakes(farthing: Command, texts: Callable[..., str]) -> None:
    nbest = texts("n.txt", "a", "b", "", "c")
    assert "or use mbr" in farthing("rerank", nbest, "-m", "chrf", code=2).stderr
    short, long = texts("r1.txt", "a"), texts("r2.txt", "a", "b")
    said = farthing("rerank", nbest, "-m", "chrf", "-r", short, "-r", long, code=2).stderr
    assert "different numbers of lines: 1, 2" in said
    assert "2 lists of candidates but 1 references" in farthing("rerank", nbest, "-r", short, code=2).stderr
