"""Where a model is looked for, and the one sentence where it is not found."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder import locate as module
from farthing.encoders.folder.locate import find_local, local_models, locate


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty caches, and no network."""
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path / "own"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("FARTHING_OFFLINE", "1")
    monkeypatch.setattr(module, "EMBEDDED", tmp_path / "embedded")
    return tmp_path


def model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"")
    return folder


def test_embedded_beats_folder_beats_cache(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(caches)
    hub = model(caches / "hub" / "models--nano" / "snapshots" / "abc")
    assert locate("nano") == hub
    own = model(caches / "own" / "nano")
    assert locate("nano") == own
    model(caches / "nano")
    assert locate("nano").resolve() == caches / "nano"
    embedded = model(caches / "embedded" / "nano")
    assert locate("nano") == embedded


def test_the_hub_cache_prefers_the_main_revision(caches: Path) -> None:
    wanted = model(caches / "hub" / "models--org--name" / "snapshots" / "aaa")
    model(caches / "hub" / "models--org--name" / "snapshots" / "bbb")
    (caches / "hub" / "models--org--name" / "refs").mkdir()
    (caches / "hub" / "models--org--name" / "refs" / "main").write_text("aaa")
    assert locate("org/name") == wanted
    assert local_models() == {"org/name": wanted}


def test_offline_says_how_to_get_it() -> None:
    with pytest.raises(ModelError, match="offline: run `farthing models pull org/name`"):
        locate("org/name")


def test_an_unreachable_hub_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_reachable", lambda host: False)
    with pytest.raises(ModelError, match=r"huggingface.co does not answer: run `farthing models pull") as caught:
        locate("org/name", offline=False)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_not_sought_on_the_hub(caches: Path) -> None:
    with pytest.raises(ModelError, match="there is no folder"):
        locate(caches / "nothing", offline=False)


def test_pickles_are_refused(caches: Path) -> None:
    folder = caches / "own" / "old"
    folder.mkdir(parents=True)
    (folder / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(ModelError, match="pickled weights"):
        locate("old")


def test_a_folder_without_weights_is_named(caches: Path) -> None:
    (caches / "own" / "bare").mkdir(parents=True)
    with pytest.raises(ModelError, match="has no weights"):
        locate("bare")


def test_an_empty_name(caches: Path) -> None:
    with pytest.raises(ModelError, match="empty"):
        find_local(" ")
