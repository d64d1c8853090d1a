"""What a model's folder may name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.encoders.folder.links import check_links
from farthing.encoders.folder.locate import locate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "model.safetensors").write_bytes(b"weights")
    return made


@pytest.mark.parametrize("target", ["../../secret", "/etc/passwd", "../part/../../secret"])
def test_a_link_that_leaves_the_folder_is_refused(folder: Path, target: str) -> None:
    (folder.parent / "secret").write_text("secret")
    (folder / "part").mkdir()
    (folder / "part" / "tokenizer.json").symlink_to(target)
    with pytest.raises(ModelError, match=r"tokenizer.json is a link that leaves the folder"):
        locate(folder)


def test_links_inside_the_folder_and_to_it_are_followed(folder: Path) -> None:
    (folder / "same.safetensors").symlink_to("model.safetensors")
    (folder.parent / "other").symlink_to(folder)
    assert locate(folder.parent / "other") == folder.parent / "other"


def test_a_folder_of_links_to_another_one_is_refused(folder: Path) -> None:
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "model.safetensors").symlink_to(folder / "model.safetensors")
    with pytest.raises(ModelError, match="leaves the folder"):
        check_links(folder.parent / "other")


def test_the_cache_of_hugging_face_links_to_its_blobs(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "models--a--b" / "blobs", tmp_path / "models--a--b" / "snapshots" / "0123"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    (blobs / "digest").write_bytes(b"weights")
    (snapshot / "model.safetensors").symlink_to("../../blobs/digest")
    check_links(snapshot)
    (tmp_path / "elsewhere").write_bytes(b"weights")
    (snapshot / "other.safetensors").symlink_to("../../../elsewhere")
    with pytest.raises(ModelError, match="leaves the folder"):
        check_links(snapshot)


@pytest.mark.parametrize("name", ["../x.safetensors", "/x.safetensors", "a/x.safetensors", "..\\x.safetensors"])
def test_a_list_of_weights_names_files_beside_it(folder: Path, name: str) -> None:
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"layer": "model.safetensors"}}))
    check_links(folder)
    index.write_text(json.dumps({"weight_map": {"layer": "model.safetensors", "other": name}}))
    with pytest.raises(ModelError, match="names weights outside its folder"):
        check_links(folder)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"weight_map": 3}'])
def test_a_broken_list_is_left_to_who_reads_it(folder: Path, content: str) -> None:
    (folder / "model.safetensors.index.json").write_text(content)
    check_links(folder)


def test_tiny_models_pass(tiny_model: Callable[..., Path]) -> None:
    assert locate(tiny_model("bert")) == tiny_model("bert")
