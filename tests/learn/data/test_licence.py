"""Where a licence is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from farthing.core.specs import parse_spec
from farthing.learn.data.licence import is_non_commercial, licence_of, teacher_licence
from farthing.students.layout import add_facts


def test_students_and_cards_tell_their_licence(tmp_path: Path) -> None:
    assert licence_of(tmp_path) is None
    (tmp_path / "README.md").write_text("---\nlanguage: en\nlicense: cc-by-nc-sa-4.0\n---\n# model\nlicense: MIT\n")
    assert licence_of(tmp_path) == "cc-by-nc-sa-4.0"
    (tmp_path / "config.json").write_text("{}")
    add_facts(tmp_path, licence="Apache-2.0")
    assert licence_of(tmp_path) == "Apache-2.0"


def test_a_teacher_has_the_licences_of_its_models(estimator_folder: Callable[..., Path]) -> None:
    folder = estimator_folder()
    specs = [parse_spec("chrf"), parse_spec(f"comet(model={folder})")]
    assert teacher_licence(specs) is None
    add_facts(folder, licence="CC BY-NC 4.0")
    assert teacher_licence(specs) == "CC BY-NC 4.0"
    assert is_non_commercial(teacher_licence(specs))


def test_what_forbids_commercial_use() -> None:
    assert all(map(is_non_commercial, ["CC BY-NC 4.0", "Non-Commercial use", "research-only"]))
    assert not any(map(is_non_commercial, ["MIT", "ncsa", "Apache-2.0", ""]))
