"""The table of backends: what "auto" picks, what plugins add, and one sentence for everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from farthing.core import registry
from farthing.core.errors import ModelError, SpecError, UnknownName
from farthing.core.types import Pairs
from farthing.encoders.backends.static import StaticEncoder
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.load import BACKENDS, backend_of, load_encoder, name_of
from farthing.encoders.protocol import FolderEncoder
from farthing.metrics.bertscore.bertscore import BertScore


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setitem(registry._ADDED, "backend", {})


def test_auto_takes_what_the_folder_holds(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    assert backend_of(tiny_model("bert")) == "torch"
    (tmp_path / "config.json").write_text('{"model_type": "model2vec"}')
    (tmp_path / "model.safetensors").write_bytes(b"")
    assert backend_of(tmp_path) == "static"
    (tmp_path / "model.onnx").write_bytes(b"")
    assert backend_of(tmp_path) == "onnx"


def test_a_folder_that_no_backend_runs(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.gguf").write_bytes(b"")
    with pytest.raises(ModelError, match="no backend runs"):
        load_encoder(tmp_path)


def test_the_same_encoder_is_loaded_once(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("bert")
    assert load_encoder(folder) is load_encoder(str(folder), "torch")
    assert load_encoder(folder) is not load_encoder(folder, cut=1)
    assert load_encoder(folder, cut=1).layers == (0, 1)


def test_mistakes_are_sentences(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("bert")
    with pytest.raises(UnknownName, match=r"unknown backend 'tourch'.*torch"):
        load_encoder(folder, "tourch")
    with pytest.raises(SpecError, match=r"has no model.onnx: run `farthing models export"):
        load_encoder(folder, "onnx")
    with pytest.raises(SpecError, match="backend static runs on the CPU and cannot cut models"):
        load_encoder(folder, "static", cut=1)
    with pytest.raises(SpecError, match="use backend=torch"):
        load_encoder(folder, "static", device="cuda")
    with pytest.raises(ModelError, match=r"has no layer 9 \(there are: 0 to 3\)"):
        load_encoder(folder, cut=9)


def test_names_of_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm").mkdir()
    monkeypatch.chdir(tmp_path / "minilm")
    assert name_of(tmp_path / "minilm") == name_of(f"{tmp_path}/minilm/") == name_of(".") == "minilm"
    assert name_of("org/name") == "org/name"


class Lengths(FolderEncoder):
    """A backend from outside: the vector of a token is its id and its place."""

    backend = "lengths"
    dimension = 2
    layers = (0,)

    @classmethod
    def detects(cls, folder: Path) -> bool:
        return (folder / "lengths.txt").is_file()

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        places = np.broadcast_to(np.arange(1, ids.shape[1] + 1), ids.shape)
        return [np.stack([ids, places], axis=-1).astype(np.float32) for _ in layers]


@pytest.mark.usefixtures("plugins")
def test_a_plugin_is_a_backend_like_any_other(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    for file in tiny_model("bert").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert backend_of(tmp_path) == "torch"
    registry.register("backend", "lengths", Lengths)
    assert backend_of(tmp_path) == "torch"  # it does not ask for this folder, but may be named
    assert load_encoder(tmp_path, "lengths").backend == "lengths"
    (tmp_path / "lengths.txt").write_text("")
    assert backend_of(tmp_path) == "lengths"
    encoder = load_encoder(tmp_path)
    [(_, text)] = Engine(encoder).encode(["the cat"], [0])
    assert text.states[0][:, 1].tolist() == list(range(1, len(text.ids) + 1))
    scores = BertScore(model=str(tmp_path), backend="lengths", layer=0).score(Pairs.of(["the cat"], ["the cat"]))
    assert scores.corpus == pytest.approx(1)
    assert "backend:lengths" in str(scores.signature)


def test_every_backend_of_ours_has_the_three_methods() -> None:
    for name in ("onnx", "static", "torch"):
        backend = BACKENDS.get(name)
        assert all(callable(getattr(backend, method)) for method in ("detects", "build", "files"))
        assert backend.backend == name  # type: ignore[attr-defined]
    assert (BACKENDS.get("static"), BACKENDS.get("torch")) == (StaticEncoder, TorchEncoder)
