"""Files of pairs: whole or not at all, and what is wrong with a bad one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError, InputError
from farthing.learn.data.store import PairTable, read_pairs, table_of, write_pairs
from farthing.learn.pairs.base import given_pair
from farthing.learn.pairs.mix import draw
from farthing.learn.pairs.recipe import Recipe

TABLE = PairTable({"candidate": ["a", "b"], "reference": ["c", "d"], "score": [1.0, 2.0]}, {"teacher": "chrf"})


def test_a_full_disk_leaves_the_old_file(corpus_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = draw(Recipe({"random": {"corpus": str(corpus_file)}}, size=10))
    path = tmp_path / "pairs.parquet"
    write_pairs(path, table)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FarthingError, match="No space left on device; nothing was changed"):
        write_pairs(path, table)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["pairs.parquet"]


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.parquet"
    path.write_bytes(b"not parquet at all")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_pairs(path)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_pairs(tmp_path / "p.parquet", TABLE)
    back = read_pairs(tmp_path / "p.parquet", scored=True)
    assert (dict(back.columns), dict(back.notes)) == (dict(TABLE.columns), dict(TABLE.notes))
    assert back.scores.dtype == np.float64
    assert back.rows([1]).candidates == ["b"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"candidate": ["a"]}, "no column 'reference'"),
        ({"candidate": [], "reference": []}, "there is no pair"),
        ({"candidate": ["a"], "reference": ["b"]}, "run farthing learn annotate first"),
        ({"candidate": ["a", "b"], "reference": ["b", None], "score": [1.0, 2.0]}, ":2: no text in the column"),
        ({"candidate": ["a", "b"], "reference": ["b", "c"], "score": [1.0, float("nan")]}, ":2: the score is not"),
    ],
)
def test_bad_tables(tmp_path: Path, columns: dict[str, list[object]], words: str) -> None:
    write_pairs(tmp_path / "p.parquet", PairTable(columns))
    with pytest.raises(InputError, match=words):
        read_pairs(tmp_path / "p.parquet", scored=True)


def test_documents_of_different_sources_are_apart() -> None:
    pairs = [given_pair(source, "1", "a", "b") for source in ("x", "y", "x")]
    assert table_of(pairs, seed=3, notes={}).documents == ["x:1", "y:1", "x:1"]
    assert TABLE.documents == ["0", "1"]  # without a column every pair stands for itself


def test_other_columns_as_texts() -> None:
    assert TABLE.texts("reference") == ["c", "d"]
    with pytest.raises(InputError, match=r"no column 'source' .there are: candidate, reference, score"):
        TABLE.texts("source", "p.parquet")
    with pytest.raises(InputError, match="row 1: no text in the column 'score'"):
        TABLE.texts("score")
