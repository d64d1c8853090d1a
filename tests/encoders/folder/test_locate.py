"""Where a model is looked for, the one sentence if it is not found, and who may use the network."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder import locate as module
from farthing.encoders.folder.locate import find_local, local_models, locate


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty caches; nothing allows or forbids the network."""
    monkeypatch.setenv("FARTHING_MODELS", str(tmp_path / "own"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    for name in ("FARTHING_ONLINE", "FARTHING_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
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


def test_a_missing_model_is_a_sentence_and_never_a_download(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.socket, "create_connection", lambda *_, **__: pytest.fail("the network was used"))
    with pytest.raises(ModelError, match="not on this machine: run `farthing models pull org/name` first"):
        locate("org/name")


@pytest.mark.parametrize("variable", ["FARTHING_OFFLINE", "HF_HUB_OFFLINE"])
def test_offline_wins_over_online(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("FARTHING_ONLINE", "1")
    with pytest.raises(ModelError, match="offline: run `farthing models pull org/name`"):
        locate("org/name", online=True)


@pytest.mark.parametrize("by_variable", [True, False])
def test_the_user_may_allow_a_download(caches: Path, monkeypatch: pytest.MonkeyPatch, by_variable: bool) -> None:
    fetched = model(caches / "fetched")
    monkeypatch.setattr(module, "_reachable", lambda host: True)
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda name, allow_patterns: str(fetched))
    if by_variable:
        monkeypatch.setenv("FARTHING_ONLINE", "yes")
    assert locate("org/name", online=not by_variable) == fetched


def test_nothing_that_could_run_code_is_fetched(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns: list[str] = []

    def snapshot(name: str, allow_patterns: list[str]) -> str:
        patterns.extend(allow_patterns)
        return str(caches)

    monkeypatch.setattr(module, "_reachable", lambda host: True)
    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    module.pull("org/name")
    fetched = [name for name in ("x.py", "pytorch_model.bin", "x.pkl", "x.pt", "model.safetensors", "config.json")
               if any(fnmatch(name, pattern) for pattern in patterns)]  # fmt: skip
    assert fetched == ["model.safetensors", "config.json"]


def test_an_unreachable_hub_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_reachable", lambda host: False)
    with pytest.raises(ModelError, match=r"huggingface.co does not answer: run `farthing models pull") as caught:
        locate("org/name", online=True)
    assert "\n" not in str(caught.value)


def test_a_hub_that_refuses_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, allow_patterns: list[str]) -> str:
        raise OSError("401\nmore lines")

    monkeypatch.setattr(module, "_reachable", lambda host: True)
    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    with pytest.raises(ModelError, match="cannot be fetched: 401 ") as caught:
        locate("org/name", online=True)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_not_sought_on_the_hub(caches: Path) -> None:
    with pytest.raises(ModelError, match="there is no folder"):
        locate(caches / "nothing", online=True)


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
