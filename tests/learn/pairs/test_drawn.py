"""Distinct pairs of one source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import UnknownName
from farthing.learn.pairs.drawn import drawn, texts_of


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_outputs_of_systems_meet_their_reference_or_each_other(tmp_path: Path) -> None:
    systems = {"a": {"output": ["a0", "a1"]}, "b": {"output": ["b0", "b1"]}}
    path = written(tmp_path / "s.jsonl", [{"reference": ["r0", "r1"], "systems": systems}])
    pairs = texts_of(drawn("systems", path, 6, seed=1))
    assert len(pairs) == 6
    assert all(first[1] == second[1] for first, second in pairs)
    assert any(second.startswith("r") for _, second in pairs)


def test_perturbed_and_unrelated_pairs_differ(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"news\tthe {n} cats are on their mat with {n} dogs\n" for n in range(30)))
    for kind in ("perturbed", "unrelated"):
        pairs = texts_of(drawn(kind, path, 10, seed=2))
        assert len(set(pairs)) == 10
        assert all(first != second for first, second in pairs)
        assert drawn(kind, path, 10, seed=2) == drawn(kind, path, 10, seed=2) != drawn(kind, path, 10, seed=3)


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="perturbed"):
        drawn("perturbd", tmp_path, 1, seed=1)


def test_pairs_of_a_file_come_once_and_can_be_barred(tmp_path: Path) -> None:
    rows = [{"candidate": f"c{n}", "reference": [f"r{n}", "z"], "score": n} for n in range(6)]
    barred = written(tmp_path / "b.jsonl", [{"candidate": "r3", "reference": "c1"}])
    pairs = texts_of(drawn("given", written(tmp_path / "g.jsonl", rows), 100, seed=1, without=[barred]))
    assert sorted(pairs) == [(f"c{n}", f"r{n}") for n in (0, 2, 4, 5)]


def test_paraphrases_are_the_last_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("tune\tone way\tanother way\ntest\tthis\tthat\n")
    assert sorted(texts_of(drawn("paraphrases", path, 9, seed=1))) == [("one way", "another way"), ("this", "that")]


def test_a_source_with_fewer_pairs_ends(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("one\ntwo\n")
    assert sorted(texts_of(drawn("equal", path, 5, seed=1))) == [("one", "one"), ("two", "two")]


def test_long_and_empty_texts_are_not_drawn(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("one two\n\nthree four five\n")
    assert texts_of(drawn("equal", path, 5, seed=1, most_words=2)) == [("one two", "one two")]


def test_any_source_of_the_table_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("one\ntwo\nthree\n")
    assert len(drawn("random", path, 5, seed=1)) == 1
