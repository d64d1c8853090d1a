"""The lower end of the scale."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import EMBEDDED
from farthing.learn.match.calibration import BAD_OUTPUTS, bad_pairs, character_scale, floor_of, write_lower_end
from farthing.students.match import MatchStudent
from farthing.students.student import PairOptions
from farthing.students.surface import CharacterScale


def test_half_of_the_unrelated_pairs_lie_below_the_floor() -> None:
    values = np.random.default_rng(1).normal(size=101)
    assert (values < floor_of(values, top=9.0)).sum() == 50


def test_a_student_that_learned_nothing_has_no_scale() -> None:
    with pytest.raises(UsageError, match="learned nothing"):
        floor_of(np.array([1.0, 2.0]), top=1.0)


def test_bad_outputs_are_made_of_the_reference() -> None:
    found = dict.fromkeys(bad_pairs(["The cat sat"]))
    assert len(found) == len(BAD_OUTPUTS) - 1  # its first word is the usual one
    assert ("The The The", "The cat sat") in found
    assert ("sat", "The cat sat") in found


def test_the_fit_of_the_character_scale_survives_outliers() -> None:
    gaps = np.linspace(0, 1, 60)
    scores = CharacterScale(0.9, 1.5).scores_of(gaps)
    scores[::10] += 80
    assert character_scale(gaps, scores) == CharacterScale(0.9, 1.5)


def test_the_lower_end_is_written_into_the_folder(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(EMBEDDED / "nano", tmp_path / "student"))
    shutil.copytree(EMBEDDED / "small", tmp_path / "small")  # it has the tokenizer
    weights = (folder / "head.safetensors").read_bytes()
    unrelated = [("the cat sat", "a dog ran far"), ("a mat", "the dog")]
    write_lower_end(folder, [("the cat", "the cat sat")], unrelated)
    facts = json.loads((folder / "config.json").read_text())["farthing"]
    student = MatchStudent(folder)
    pairs = [*unrelated, *bad_pairs([text for _, text in unrelated]), ("the cat", "the cat sat")]
    [scored] = student.score_systems([Pairs.of([one for one, _ in pairs], [other for _, other in pairs])])
    assert facts["lowest"] == pytest.approx(scored.segments.min(), abs=0.01)
    assert set(facts["characters"]) == {"far", "power"}
    sides = (
        MatchStudent(folder).score_systems([Pairs.of([a for a, _ in unrelated], [b for _, b in unrelated])])[0].parts
    )
    for side in ("precision", "recall"):
        assert facts["focus"][side]["far"] == pytest.approx(1 - sides[side].mean() / 100, abs=1e-4)
        focused = MatchStudent(folder, PairOptions(focus=side)).score_systems(
            [Pairs.of([a for a, _ in unrelated], [b for _, b in unrelated])]
        )
        assert focused[0].segments.mean() == pytest.approx(0, abs=0.05)  # unrelated texts read as 0
    assert (folder / "head.safetensors").read_bytes() == weights
