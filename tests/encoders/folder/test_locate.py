"""Where a model is looked for, the one sentence if it is not found, and who may use the network."""

from __future__ import annotations

import json
from fnmatch import fnmatch
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder import locate as module
from farthing.encoders.folder.locate import (
    find_local,
    find_student,
    local_models,
    locate,
    missing_student,
    student_packages,
    versioned_name,
    weights_version,
)


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


def student(folder: Path, version: int | None = None) -> Path:
    model(folder)
    facts = {"kind": "match"} if version is None else {"kind": "match", "version": version}
    (folder / "config.json").write_text(json.dumps({"farthing": facts}))
    return folder


def install(site: Path, name: str, package: str) -> None:
    """A package with an entry point, as pip leaves it; importing it would fail."""
    (site / package).mkdir(parents=True)
    (site / package / "__init__.py").write_text("raise AssertionError('it was run')")
    described = site / f"{package}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[farthing.students]\n{name} = {package}\n")


def test_the_newest_version_has_the_plain_name(caches: Path) -> None:
    newest = student(caches / "embedded" / "small", 3)
    kept = student(caches / "embedded" / "small@2", 2)
    cached = student(caches / "own" / "small@1")
    assert [locate(name) for name in ("small", "small@3", "small@2", "small@1")] == [newest, newest, kept, cached]
    with pytest.raises(ModelError, match="'small@4' is not on this machine: run `farthing models pull small@4` first"):
        locate("small@4")
    assert weights_version(newest) == "3"
    assert weights_version(cached) == weights_version(caches) == "1"


def test_a_folder_with_a_wanted_file_comes_before_others(caches: Path) -> None:
    plain, full = student(caches / "embedded" / "small"), student(caches / "own" / "small@1")
    assert find_student("small@1") == plain
    assert find_student("small@1", "encoder.fp32.onnx") is None
    (full / "encoder.fp32.onnx").write_bytes(b"")
    assert find_student("small@1", "encoder.fp32.onnx") == full


@pytest.mark.parametrize("name", ["../small", "small@1/..", "small@0", "small@x", "org/small", ".small", "small@"])
def test_what_is_no_name_of_a_student(caches: Path, name: str) -> None:
    student(caches / "embedded" / "small")
    assert find_student(name) is None


def test_a_student_in_a_package_of_its_own(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_student("base") is None
    student_packages.cache_clear()
    site = caches / "site"
    install(site, "base", "farthing_other_base")
    monkeypatch.syspath_prepend(str(site))
    assert find_student("base") is None  # the package has no folder of that name
    student_packages.cache_clear()
    folder = student(site / "farthing_other_base" / "base", 2)
    try:
        assert locate("base") == locate("base@2") == folder
        assert local_models() == {"base": folder}
        assert versioned_name("base", folder) == "base@2"
        assert "base@1 is not on this machine, base@2 is" in str(missing_student("base@1"))
        own = student(caches / "embedded" / "base")
        assert locate("base") == own  # what comes with Farthing is never replaced
    finally:
        student_packages.cache_clear()


def test_only_own_students_are_named_with_a_version(caches: Path) -> None:
    own, other = student(caches / "embedded" / "small", 2), student(caches / "mine" / "small")
    assert versioned_name("small", own) == "small@2"
    assert versioned_name("small@2", own) == "small@2"
    assert versioned_name("small", other) == "small"
    assert versioned_name("mine", other) == "mine"


def test_a_version_is_pulled_from_its_revision(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = caches / "hub" / "models--farthing--small"
    snapshot = student(entry / "snapshots" / "abc")
    asked: list[tuple[str, str]] = []

    def fetch(name: str, allow_patterns: list[str], revision: str) -> str:
        asked.append((name, revision))
        (entry / "refs").mkdir()
        (entry / "refs" / revision).write_text("abc")
        return str(snapshot)

    monkeypatch.setattr(module, "_reachable", lambda host: True)
    monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
    assert find_student("small@1") is None
    assert module.pull("small@1") == snapshot
    assert asked == [("farthing/small", "v1")]
    assert find_student("small@1") == locate("small@1") == snapshot
    assert find_student("small@2") is None
