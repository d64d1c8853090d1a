"""Maps of vectors: what they do to vectors, how they are kept, and which are refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, ModelError
from farthing.encoders.load import load_encoder
from farthing.encoders.remap import Remap, unit

RANDOM = np.random.default_rng(0)


def test_a_rotation_keeps_lengths_and_a_removed_direction_is_gone() -> None:
    vectors = RANDOM.normal(size=(5, 4)).astype(np.float32)
    turn, _ = np.linalg.qr(RANDOM.normal(size=(4, 4)))
    moved = Remap("clp", turn)(vectors)
    assert moved.dtype == np.float64
    assert np.linalg.norm(moved, axis=1) == pytest.approx(np.linalg.norm(vectors, axis=1))
    direction = unit(RANDOM.normal(size=4))
    removed = Remap("umd", direction)(vectors)
    assert removed @ direction == pytest.approx(np.zeros(5), abs=1e-12)
    assert Remap("umd", direction)(removed) == pytest.approx(removed)


@pytest.mark.parametrize(("method", "table"), [("clp", np.eye(3)[::-1]), ("umd", unit(np.array([1.0, 2.0, 2.0])))])
def test_a_saved_map_is_the_same_map(tmp_path: Path, method: str, table: np.ndarray) -> None:
    remap = Remap(method, table, weights="abc", layer=7)  # type: ignore[arg-type]
    remap.save(tmp_path / "map.safetensors")
    again = Remap.load(tmp_path / "map.safetensors")
    assert (again.method, again.weights, again.layer) == (method, "abc", 7)
    assert again.table == pytest.approx(table, abs=1e-7)
    assert again.hash == remap.hash == hashlib.sha256(table.astype("<f4").tobytes()).hexdigest()[:12]


def test_published_tables_are_read(tmp_path: Path) -> None:
    for name, table in {
        "clp": np.eye(2),
        "umd": np.array([[3.0, 4.0], [0.0, 1.0]])[:1],
        "one": np.array([3.0, 4.0]),
    }.items():
        np.save(tmp_path / f"{name}.npy", table)
    assert Remap.load(tmp_path / "clp.npy").method == "clp"
    for name in ("umd", "one"):
        assert Remap.load(tmp_path / f"{name}.npy").table.tolist() == [0.6, 0.8]


def test_a_map_of_another_encoder_is_refused(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    encoder = load_encoder(tiny_model("bert"))
    own = str(encoder.fields()["weights"])
    path = tmp_path / "map.safetensors"
    Remap("umd", np.ones(3)).save(path)
    with pytest.raises(ModelError, match=r"maps 3 dimensions, .* has 32"):
        Remap.load(path, encoder)
    Remap("umd", np.ones(32), weights="other").save(path)
    with pytest.raises(ModelError, match="learned with other weights"):
        Remap.load(path, encoder)
    Remap("umd", np.ones(32), weights=own, layer=2).save(path)
    assert Remap.load(path, encoder, 2).layer == 2
    with pytest.raises(ModelError, match="learned at layer 2, not 3: use layer=2"):
        Remap.load(path, encoder, 3)


def test_files_that_are_no_maps(tmp_path: Path) -> None:
    (tmp_path / "map.safetensors").write_bytes(b"nonsense")
    (tmp_path / "map.npy").write_bytes(b"nonsense")
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    sentences = {
        "map.safetensors": "not a remapping",
        "map.npy": "not a table of numbers",
        "cube.npy": "one or two dimensions, not 3",
        "none.safetensors": "not a remapping",
    }
    for name, sentence in sentences.items():
        with pytest.raises(InputError, match=sentence):
            Remap.load(tmp_path / name)
