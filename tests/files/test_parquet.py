"""Parquet files that are damaged in any way are a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from farthing.core.errors import InputError
from farthing.files.parquet import opened_parquet, parquet_records


def test_records_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"mt": ["a", "b"], "n": [1, None]}), path)
    assert list(parquet_records(str(path), "a")) == [(1, {"mt": "a", "n": 1}), (2, {"mt": "b", "n": None})]


def test_every_damage_is_a_sentence_with_the_file(tmp_path: Path) -> None:
    """One bit is flipped, or the end is cut off, at 400 places; whatever can still be read is read."""
    path = tmp_path / "a.parquet"
    texts = [f"text {number}" for number in range(50)]
    pyarrow.parquet.write_table(pyarrow.table({"mt": texts, "ref": texts}), path, compression="zstd")
    whole = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    random, sentences = np.random.default_rng(0), list[str]()
    for number in range(400):
        place = int(random.integers(len(whole)))
        damaged = whole.copy()
        damaged[place] ^= 1 << int(random.integers(8))
        path.write_bytes(damaged[:place].tobytes() if number % 10 == 0 else damaged.tobytes())
        try:
            list(parquet_records(str(path), "shown.parquet"))
        except InputError as error:
            sentences.append(str(error))
    assert len(sentences) > 100
    assert all(sentence.startswith("shown.parquet: not a readable Parquet file: ") for sentence in sentences)


def test_what_goes_wrong_outside_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"mt": ["a"]}), path)
    with pytest.raises(InputError, match="mine"), opened_parquet(str(path)):
        raise InputError("mine")
