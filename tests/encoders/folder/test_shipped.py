"""The embedded models are those that were published; a changed file is found when its digest is needed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from farthing.core.digest import digest_files
from farthing.core.errors import ModelError
from farthing.core.types import Pairs
from farthing.encoders.folder import shipped
from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.folder.shipped import DIGESTS, check_shipped, shipped_digests


def test_the_list_is_that_of_the_files() -> None:
    remedy = "python -m farthing.encoders.folder.shipped writes it again"
    assert json.loads(DIGESTS.read_text()) == shipped_digests(), remedy


@pytest.mark.parametrize(("file", "part"), [("tokens.safetensors", "encoder"), ("head.safetensors", "student")])
def test_a_changed_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, part: str) -> None:
    from farthing.encoders.backends.embedded import EmbeddedEncoder
    from farthing.students.layout import open_student

    for name in ("nano", "small"):  # nano uses the tokenizer of small
        shutil.copytree(EMBEDDED / name, tmp_path / name)
    monkeypatch.setattr(shipped, "EMBEDDED", tmp_path)
    pairs = [Pairs(["a cat"], [["a dog"]])]
    student = open_student(tmp_path / "nano")
    student.score_systems(pairs)
    assert student.fields()["weights"]
    content = bytearray((tmp_path / "nano" / file).read_bytes())
    content[-1] ^= 1
    (tmp_path / "nano" / file).write_bytes(content)
    with pytest.raises(ModelError, match=r"nano is damaged or was changed: its student has the digest .* install"):
        open_student(tmp_path / "nano").fields()
    encoder = EmbeddedEncoder(tmp_path / "nano", "nano")
    if part == "encoder":
        with pytest.raises(ModelError, match="its encoder has the digest"):
            encoder.fields()
    else:
        assert encoder.fields()


def test_other_folders_are_not_checked(tmp_path: Path) -> None:
    (tmp_path / "nano").mkdir()
    assert check_shipped(tmp_path / "nano", "student", "abc") == "abc"


@pytest.mark.parametrize("folder", sorted(path.parent for path in EMBEDDED.glob("*/head.safetensors")), ids=str)
def test_every_student_is_as_published(folder: Path) -> None:
    from farthing.students.layout import open_student

    assert open_student(folder).fields()["weights"] == shipped_digests()[folder.name]["student"]


def test_layers_that_are_shared_belong_to_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from farthing.encoders.backends.embedded import EmbeddedEncoder

    for name, files in (("first", ("lower.onnx", "encoder.onnx")), ("second", ("encoder.onnx",))):
        (tmp_path / name).mkdir()
        facts = {"kind": "match", **({"encoder": "first"} if name == "second" else {})}
        (tmp_path / name / "config.json").write_text(json.dumps({"farthing": facts}))
        for file in (*files, "head.safetensors"):
            (tmp_path / name / file).write_text(name + file)
    monkeypatch.setattr(shipped, "EMBEDDED", tmp_path)
    before = shipped_digests()
    for name, found in before.items():
        assert found["encoder"] == digest_files(EmbeddedEncoder.files(tmp_path / name))
    (tmp_path / "first" / "lower.onnx").write_text("changed")
    assert all(shipped_digests()[name] != before[name] for name in ("first", "second"))
