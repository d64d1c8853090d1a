"""Sets from files of different lengths, kinds and columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.columns import Columns
from farthing.core.errors import FarthingError
from farthing.files.sets import any_vectors, read_sets


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    (tmp_path / "b.txt").write_text("three\n")
    (tmp_path / "corpus.txt").write_text("x\ny\nz\n")
    (tmp_path / "table.tsv").write_text("mt\tref1\tref2\na\tr\ts\nb\tt\tu\n")
    np.save(tmp_path / "a.npy", np.zeros((2, 3)))
    np.save(tmp_path / "wide.npy", np.zeros((2, 4)))
    return tmp_path


def paths(folder: Path, *names: str) -> list[str]:
    return [str(folder / name) for name in names]


def test_sizes_may_differ_and_the_corpus_is_shared(folder: Path) -> None:
    first, second = read_sets(paths(folder, "a.txt", "b.txt"), paths(folder, "corpus.txt", "b.txt"), ["a", "b"])
    assert (first.generated, second.generated) == (["one", "two"], ["three"])
    assert first.corpus == ["x", "y", "z", "three"]
    assert first.corpus is second.corpus


def test_a_table_brings_its_own_corpus(folder: Path) -> None:
    [found] = read_sets(paths(folder, "table.tsv"), [], ["s"])
    assert (found.generated, found.corpus) == (["a", "b"], ["r", "s", "t", "u"])
    [found] = read_sets(paths(folder, "table.tsv"), [], ["s"], Columns("ref1", ("ref2",)))
    assert (found.generated, found.corpus) == (["r", "t"], ["s", "u"])


def test_vectors(folder: Path) -> None:
    [found] = read_sets(paths(folder, "a.npy"), paths(folder, "a.npy", "a.npy"), ["s"])
    assert np.asarray(found.corpus).shape == (4, 3)
    assert any_vectors(paths(folder, "a.txt", "a.npy")) == str(folder / "a.npy")
    assert any_vectors(paths(folder, "a.txt")) is None


@pytest.mark.parametrize("name", ["a.txt", "a.npy"])
def test_a_corpus_may_be_missing(folder: Path, name: str) -> None:
    [found] = read_sets(paths(folder, name), [], ["s"])
    assert len(found.generated) == 2
    assert len(found.corpus) == 0


@pytest.mark.parametrize(
    ("systems", "corpus", "message"),
    [
        (["a.npy"], ["corpus.txt"], "both be texts or both be vectors"),
        (["a.npy"], ["a.npy", "corpus.txt"], "all be texts or all be vectors"),
        (["a.npy"], ["a.npy", "wide.npy"], "different dimensions"),
        (["none.txt"], ["corpus.txt"], "no such file"),
    ],
)
def test_mistakes_are_one_sentence(folder: Path, systems: list[str], corpus: list[str], message: str) -> None:
    with pytest.raises(FarthingError, match=message):
        read_sets(paths(folder, *systems), paths(folder, *corpus), ["s"])
