"""Vectors in and out of .npy and Parquet, and broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from farthing.core.errors import InputError
from farthing.files.vectors import holds_vectors, read_vectors

VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_npy(tmp_path: Path) -> None:
    path = str(tmp_path / "a.npy")
    np.save(path, VECTORS)
    assert holds_vectors(path)
    np.testing.assert_array_equal(read_vectors(path), VECTORS)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(VECTORS.tolist(), pa.list_(pa.float32())),
        pa.array(VECTORS.tolist(), pa.large_list(pa.float64())),
        pa.FixedSizeListArray.from_arrays(pa.array(VECTORS.ravel()), 3),
    ],
)
def test_parquet_lists(tmp_path: Path, column: pa.Array) -> None:
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"id": ["a", "b", "c", "d"], "vector": column}), path)
    assert holds_vectors(path)
    np.testing.assert_array_equal(read_vectors(path), VECTORS)
    np.testing.assert_array_equal(read_vectors(path, "vector"), VECTORS)
    assert not holds_vectors(path, "id")


def test_parquet_of_number_columns(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table(dict(zip("xyz", VECTORS.T, strict=True))), path)
    np.testing.assert_array_equal(read_vectors(path), VECTORS)


def test_a_table_of_texts_with_vectors_is_one_of_texts(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"candidate": list("abcd"), "embedding": VECTORS.tolist()}), path)
    assert not holds_vectors(path)
    assert holds_vectors(path, "embedding")


def test_other_files_hold_no_vectors(tmp_path: Path) -> None:
    assert not holds_vectors("texts.txt")


def test_broken_files_are_one_sentence(tmp_path: Path) -> None:
    broken = {
        "pickle.npy": lambda path: np.save(path, np.array([{"a": 1}], dtype=object), allow_pickle=True),
        "text.npy": lambda path: path.write_text("not numpy"),
        "words.npy": lambda path: np.save(path, np.array(["a", "b"])),
        "flat.npy": lambda path: np.save(path, np.arange(3)),
        "cut.npy": lambda path: path.write_bytes(_bytes(VECTORS)[:-5]),
        "ragged.parquet": lambda path: pq.write_table(pa.table({"v": [[1.0, 2.0], [3.0]]}), path),
        "hole.parquet": lambda path: pq.write_table(pa.table({"v": [[1.0, 2.0], None]}), path),
        "text.parquet": lambda path: path.write_text("not parquet"),
    }
    for name, make in broken.items():
        path = tmp_path / name
        make(path)
        with pytest.raises(InputError, match=name):
            read_vectors(str(path))
    with pytest.raises(InputError, match="no such file"):
        read_vectors(str(tmp_path / "none.npy"))


def _bytes(vectors: np.ndarray) -> bytes:
    import io

    stream = io.BytesIO()
    np.save(stream, vectors)
    return stream.getvalue()
