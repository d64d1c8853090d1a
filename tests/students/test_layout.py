"""A student's folder as a type: kinds, files, digests, limits and facts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from farthing.core.errors import ModelError
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED
from farthing.metrics.frugalscore import Size
from farthing.students.cross import CrossStudent
from farthing.students.estimator import EstimatorStudent
from farthing.students.layout import KINDS, StudentFolder, add_facts, open_student, rows_with
from farthing.students.match import MatchStudent


@pytest.mark.parametrize(
    ("size", "kind", "limit"), [("nano", "static", 4096), ("tiny", "match", 512), ("small", "match", 512)]
)
def test_the_embedded_students(size: str, kind: str, limit: int) -> None:
    folder = StudentFolder.read(EMBEDDED / size)
    assert (folder.name, folder.kind, folder.limit, folder.precision) == (size, kind, limit, "int8")
    assert folder.exported
    assert size in get_args(Size)


def test_the_digest_is_that_of_the_weights(student_folder: Path) -> None:
    content = b"".join((student_folder / name).read_bytes() for name in ("tokens.safetensors", "head.safetensors"))
    assert StudentFolder.read(student_folder).digest == hashlib.sha256(content).hexdigest()[:12]


def test_an_exported_cross_encoder_is_its_graph_and_a_plain_one_its_weights(
    cross_folder: Path, exported_folder: Path
) -> None:
    plain, exported = StudentFolder.read(cross_folder), StudentFolder.read(exported_folder)
    assert (plain.kind, exported.kind) == ("cross", "cross")
    assert (plain.exported, exported.exported) == (False, True)
    assert [path.name for path in (*plain.weights, *exported.weights)] == ["model.safetensors", "model.onnx"]
    assert plain.limit == exported.limit == 96
    assert exported.facts["precision"] == exported.precision == "fp32"


def test_weights_in_several_files_have_no_digest(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    assert StudentFolder.read(tmp_path).digest == "unknown"


def test_the_card_does_not_count(student_folder: Path) -> None:
    before = StudentFolder.read(student_folder).bytes
    for name in ("card.md", "card.json"):
        (student_folder / name).write_text("much text")
    assert StudentFolder.read(student_folder).bytes == before > 0


def test_weights_have_a_version(student_folder: Path) -> None:
    assert StudentFolder.read(student_folder).version == 1
    add_facts(student_folder, version=3)
    assert StudentFolder.read(student_folder).version == MatchStudent(student_folder).version == 3
    for wrong in (0, "two", 1.5):
        add_facts(student_folder, version=wrong)
        with pytest.raises(ModelError, match=r"version=.* is not a whole number from 1 on"):
            open_student(student_folder)


def test_an_unknown_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"farthing": {"kind": "marble"}}')
    with pytest.raises(ModelError, match=r"'marble' \(this version knows: cross, match, static, estimator\)"):
        StudentFolder.read(tmp_path)


def test_no_config_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a model's folder"):
        StudentFolder.read(tmp_path)


def test_facts_are_added_and_nothing_else_changes(student_folder: Path) -> None:
    before = StudentFolder.read(student_folder)
    add_facts(student_folder, teacher="bertscore", kind="static")
    after = StudentFolder.read(student_folder)
    assert after.facts == {"kind": "static", "teacher": "bertscore"}
    assert {**after.config, "farthing": before.facts} == before.config
    assert json.loads((student_folder / "config.json").read_text()) == after.config


def test_facts_are_added_to_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"name": "old"}')
    add_facts(tmp_path, kind="cross", size=1)
    add_facts(tmp_path, size=2)
    config = json.loads((tmp_path / "config.json").read_text())
    assert config == {"name": "old", "farthing": {"kind": "cross", "size": 2}}


def test_every_kind_is_opened_by_its_class(
    student_folder: Path, exported_folder: Path, estimator_folder: Callable[..., Path]
) -> None:
    opened = {
        "static": open_student(student_folder),
        "match": open_student(EMBEDDED / "tiny", threads=1),
        "cross": open_student(exported_folder, threads=1),
        "estimator": open_student(estimator_folder(), threads=1),
    }
    assert opened.keys() == KINDS.keys()
    assert {kind: type(student) for kind, student in opened.items()} == {
        "static": MatchStudent, "match": MatchStudent, "cross": CrossStudent, "estimator": EstimatorStudent
    }  # fmt: skip


def test_a_folder_tells_the_languages_that_its_student_reads(student_folder: Path) -> None:
    texts = ["the cat", "Я вижу кота.", "3.5"]
    assert StudentFolder.read(student_folder).foreign(texts) == frozenset()
    add_facts(student_folder, reads=["en"])
    folder = StudentFolder.read(student_folder)
    assert folder.reads == ("en",)
    assert folder.foreign(texts) == {"Я вижу кота."}


@pytest.mark.parametrize("size", ["nano", "tiny", "small"])
def test_the_embedded_students_read_english_and_know_their_lower_end(size: str) -> None:
    folder = StudentFolder.read(EMBEDDED / size)
    assert folder.reads == ("en",)
    assert -200 < float(str(folder.facts["lowest"])) < -30
    assert MatchStudent(folder).characters is not None


def test_rows_with_a_text_among_candidates_or_references() -> None:
    pairs = Pairs(["a", "b", "c"], [["x"], ["y", "a"], []])
    assert rows_with({"a", "z"}, pairs) == (0, 1)
    assert rows_with((), pairs) == ()
