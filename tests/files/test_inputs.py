"""Inputs from files and from memory: stretches, fingerprints, and lengths that differ."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import datasets
import numpy as np
import pytest

import farthing
from farthing import Pairs, Sets
from farthing.core.columns import Columns
from farthing.core.errors import InputError, UsageError
from farthing.files.inputs import Given, Inputs, fingerprint, pairs_of_records


def write(path: Path, *rows: str) -> str:
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_text_files_in_step(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.txt", "1", "2"), write(tmp_path / "b.txt", "x", "y")
    refs = [write(tmp_path / "r1.txt", "r", "s"), write(tmp_path / "r2.txt", "t", "u")]
    first, second = Inputs([a, b], refs, write(tmp_path / "s.txt", "q", "")).pairs()
    assert (first.candidates, second.candidates) == (["1", "2"], ["x", "y"])
    assert first.references == second.references == [("r", "t"), ("s", "u")]
    assert first.sources == ["q", ""]
    assert (first.system, second.system) == (a, b)


def test_datasets_and_lists_of_dicts() -> None:
    rows = [{"prediction": "a", "references": ["b", "c"], "source": "s"}]
    for data in (rows, datasets.Dataset.from_list(rows)):
        pairs = farthing.read(data)
        assert (pairs.candidates, pairs.references, pairs.sources) == (["a"], [("b", "c")], ["s"])


def test_stretches_are_the_whole_in_pieces(tmp_path: Path) -> None:
    a, r = write(tmp_path / "a.txt", *"abcdefg"), write(tmp_path / "r.txt", *"ABCDEFG")
    pieces = [pairs for [pairs] in Inputs([a], [r]).stretches(size=3)]
    assert [len(piece) for piece in pieces] == [3, 3, 1]
    assert [text for piece in pieces for text in piece.candidates] == list("abcdefg")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        path = write(tmp_path / f"{rows}.txt", *(f"sentence number {i} of a long file" for i in range(rows)))
        gc.collect()  # empties the free lists of Python, whose tuples would be used without being counted
        tracemalloc.start()
        for _ in Inputs([path], [path]).stretches(size=500):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(1000)
    assert peak(40_000) < 1.2 * peak(4_000)


@pytest.mark.parametrize("counts", [(2, 3), (3, 2)])
def test_lengths_that_differ_are_named(tmp_path: Path, counts: tuple[int, int]) -> None:
    a, r = write(tmp_path / "a.txt", *"x" * counts[0]), write(tmp_path / "r.txt", *"x" * counts[1])
    with pytest.raises(UsageError, match=rf"line counts differ: {a} has {counts[0]}, {r} has {counts[1]}"):
        Inputs([a], [r]).pairs()


def test_names_of_systems(tmp_path: Path) -> None:
    a = write(tmp_path / "a.txt", "x")
    assert Inputs([a, a], names=["one", "two"]).names == ["one", "two"]
    with pytest.raises(UsageError, match="two systems are called"):
        Inputs([a, a])
    with pytest.raises(UsageError, match="2 systems but 1 names"):
        Inputs([a, a], names=["one"])


def test_given_pairs_come_back_in_stretches() -> None:
    systems = [Pairs.of(list("abcde"), list("vwxyz"), system=name) for name in ("one", "two")]
    given = Given(systems)
    assert given.names == ["one", "two"]
    [whole] = given.stretches()
    assert whole == systems
    pieces = list(given.stretches(2))
    assert [len(pairs) for pairs, _ in pieces] == [2, 2, 1]
    assert [text for _, pairs in pieces for text in pairs.candidates] == list("abcde")
    assert given.vectors() is None
    with pytest.raises(UsageError, match="different numbers of outputs: one has 5, three has 1"):
        Given([systems[0], Pairs.of(["a"], ["b"], system="three")])


def test_given_sets_have_no_pairs() -> None:
    two = Sets(["a"], ["b", "c"], "system")
    given = Given(sets=[two])
    assert given.sets() == [two]
    assert given.names == ["system"]
    assert list(given.stretches()) == [[]]


def test_files_and_memory_have_the_same_fingerprint(tmp_path: Path) -> None:
    a, r = write(tmp_path / "a.txt", *"abc"), write(tmp_path / "r.txt", *"xyz")
    pairs = Pairs.of(list("abc"), list("xyz"), system="s")
    assert fingerprint(Inputs([a], [r], names=["s"])) == fingerprint(Given([pairs]))


def test_every_text_its_place_and_the_names_count_for_the_fingerprint() -> None:
    base = Pairs.of(["ab", "c"], ["x", "y"], ["s", "t"], system="s")
    others = [
        Pairs.of(["a", "bc"], ["x", "y"], ["s", "t"], system="s"),
        Pairs.of(["c", "ab"], ["x", "y"], ["s", "t"], system="s"),
        Pairs.of(["ab", "c"], [["x", "y"], []], ["s", "t"], system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], ["s", ""], system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], None, system="s"),
        Pairs.of(["ab", "c"], ["x", "y"], ["s", "t"], system="t"),
    ]
    names = {fingerprint(Given([pairs])) for pairs in [base, *others]}
    assert len(names) == 7
    assert fingerprint(Given([base, others[-1]])) not in names


def test_the_options_of_a_command_name_columns_and_systems(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "x\ty\tz", "1\t2\t3")
    inputs = Inputs.named([path], candidate="x", reference="y, z", names="mine")
    [pairs] = inputs.pairs()
    assert (pairs.system, pairs.candidates, pairs.references) == ("mine", ["1"], [("2", "3")])
    assert inputs.vectors() is None


def test_vectors_are_named_by_their_file(tmp_path: Path) -> None:
    path = str(tmp_path / "a.npy")
    np.save(path, np.zeros((3, 2)))
    assert Inputs([write(tmp_path / "b.txt", "x")], [path]).vectors() == path
    [two] = Inputs([path], [path]).sets()
    assert np.asarray(two.corpus).shape == (3, 2)


def test_empty_tables_and_standard_input_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the table has no rows"):
        Inputs([write(tmp_path / "a.tsv", "mt\tref")]).pairs()
    with pytest.raises(UsageError, match=r"standard input .* one file only"):
        Inputs(["-"], ["-"])
    with pytest.raises(InputError, match="there are no rows"):
        pairs_of_records([], Columns())


def test_documents_come_from_a_column_or_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("mt\tref\tdoc\nx\tr\t1\ny\tr\t2\n")
    (tmp_path / "d.txt").write_text("one\nother\n")
    table, file = str(tmp_path / "a.tsv"), str(tmp_path / "d.txt")
    [pairs] = Inputs.named([table]).pairs()
    assert pairs.documents == ["1", "2"]
    [pairs] = Inputs.named([table], documents=file).pairs()
    assert pairs.documents == ["one", "other"]
    [pairs] = Inputs.named([table], documents="ref").pairs()
    assert pairs.documents == ["r", "r"]
    [pairs] = Inputs.named([table], documents="none").pairs()
    assert pairs.documents is None
    first, second = Inputs.named([table], documents=file).stretches(size=1)
    assert (first[0].documents, second[0].documents) == (["one"], ["other"])
