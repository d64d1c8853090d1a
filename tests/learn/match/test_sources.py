"""Where the pairs come from that a teacher scores."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UnknownName
from farthing.learn.match import sources
from farthing.learn.match.make import asked

Writer = Callable[[str, list[dict[str, object]]], Path]


def test_outputs_of_systems_meet_their_reference_or_each_other(write: Writer) -> None:
    systems = {"a": {"output": ["a0", "a1"]}, "b": {"output": ["b0", "b1"]}}
    path = write("s.jsonl", [{"reference": ["r0", "r1"], "systems": systems}])
    pairs = sources.drawn("systems", path, 6, seed=1)
    assert len(pairs) == 6
    assert all(first[1] == second[1] for first, second in pairs)
    assert any(second.startswith("r") for _, second in pairs)


def test_perturbed_and_unrelated_pairs_differ(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"news\tthe {n} cats are on their mat with {n} dogs\n" for n in range(30)))
    for kind in ("perturbed", "unrelated"):
        pairs = sources.drawn(kind, path, 10, seed=2)
        assert len(pairs) == 10
        assert all(first != second for first, second in pairs)
        assert pairs == sources.drawn(kind, path, 10, seed=2)


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="perturbed"):
        sources.drawn("perturbd", tmp_path, 1, seed=1)


def test_replaced_words_come_from_the_pool() -> None:
    found = sources.replace_words("a b c d e", np.random.default_rng(1), ["x"])
    assert found is not None
    assert found.split().count("x") == 1


def test_pairs_of_a_file_come_once_and_can_be_barred(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": [f"r{n}", "z"], "score": n} for n in range(6)]
    barred = write("b.jsonl", [{"candidate": "r3", "reference": "c1"}])
    found = sources.drawn("given", write("g.jsonl", rows), 100, seed=1, without=[barred])
    assert sorted(found) == [(f"c{n}", f"r{n}") for n in (0, 2, 4, 5)]


def test_paraphrases_are_the_last_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("tune\tone way\tanother way\ntest\tthis\tthat\n")
    assert sorted(sources.drawn("paraphrases", path, 9, seed=1)) == [("one way", "another way"), ("this", "that")]


def test_a_teacher_is_asked_for_every_pair_in_its_place() -> None:
    pairs = [(str(n), str(n * n % 7)) for n in range(4500)]

    def teacher(first: list[str], second: list[str]) -> np.ndarray:
        return np.array([10 * int(a) + int(b) for a, b in zip(first, second, strict=True)])

    found = asked(teacher, pairs)
    assert found.tolist() == [10 * n + n * n % 7 for n in range(4500)]


def test_a_source_with_fewer_pairs_ends(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("one\ntwo\n")
    assert sorted(sources.drawn("equal", path, 5, seed=1)) == [("one", "one"), ("two", "two")]
