"""The facts of students, against their files and the signatures of their scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED
from farthing.students.facts import is_student, student_facts

PAIR = Pairs.of(["a cat"], ["the cat"])


@pytest.mark.parametrize(
    ("size", "kind", "layers", "version"),
    [("small", "match", 8, 3), ("tiny", "match", 3, 1), ("nano", "static", 0, 1)],
)
def test_the_embedded_students(size: str, kind: str, layers: int, version: int) -> None:
    folder = EMBEDDED / size
    assert is_student(folder)
    facts = student_facts(folder)
    assert facts.kind.startswith(f"{kind} (")
    assert (facts.layers, facts.layer, facts.version) == (layers, 1, version)
    own = load_pairs_metric(f"frugalscore(size={size})").score(PAIR).signature.fields
    other = load_pairs_metric(f"bertscore(model={size}, layer={facts.layer})").score(PAIR).signature.fields
    assert (facts.weights, facts.tokenizer, facts.longest) == (own["weights"], own["tokenizer"], own["limit"])
    assert facts.encoder_weights == other["weights"]
    assert facts.bytes == sum(file.stat().st_size for file in folder.iterdir() if not file.name.startswith("card"))
    assert facts.parameters is not None
    assert 0.8 < facts.parameters / facts.bytes < 1.0  # int8, and a tokenizer


def test_languages_come_from_the_folder(tmp_path: Path) -> None:
    for file in (EMBEDDED / "nano").iterdir():
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / "tokenizer.json").symlink_to(EMBEDDED / "small" / "tokenizer.json")
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").unlink()
    config["farthing"] = {"kind": "static", "reads": ["en", "de"], "version": 7}
    (tmp_path / "config.json").write_text(json.dumps(config))
    facts = student_facts(tmp_path)
    assert (facts.languages, facts.version) == ("en, de", 7)
    (tmp_path / "config.json").unlink()
    (tmp_path / "config.json").write_text("{}")
    assert not is_student(tmp_path)
