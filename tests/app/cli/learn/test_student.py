"""`farthing learn student`: the recipe, the folders, and the mistakes that end it before any work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

RECIPE = 'kind = "match"\n[student]\nstart = "x"\n[[human]]\nfile = "h.jsonl"\n'


def test_folders_reach_the_maker(
    tmp_path: Path, learn: Callable[..., None], calls: Callable[..., SimpleNamespace]
) -> None:  # fmt: skip
    (tmp_path / "r.toml").write_text(RECIPE)
    made: list[tuple[object, ...]] = []
    maker = SimpleNamespace(make=lambda *arguments, **options: made.append((*arguments, options["overwrite"])))
    done = calls("farthing.learn.match.make.Maker", maker)
    learn("student", tmp_path / "r.toml", "--data", "d", "--models", "m", "-o", tmp_path / "out", "--overwrite", "-q")
    [((recipe, data, models, work, *_), _)] = done.given
    assert recipe.student.start == "x"
    assert (data, models, work) == (Path("d"), Path("m"), tmp_path / "out.work")
    assert made == [(tmp_path / "out", True)]


def test_a_wrong_recipe_is_a_sentence(
    tmp_path: Path, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    (tmp_path / "r.toml").write_text(RECIPE + 'groups = "lp"\n')
    learn("student", tmp_path / "r.toml", code=2)
    error = capfd.readouterr().err
    assert "'groups'" in error
    assert error.count("\n") == 1
