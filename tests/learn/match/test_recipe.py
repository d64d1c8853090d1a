"""Recipes of matching students."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from farthing.core.errors import FarthingError
from farthing.learn.match.recipe import StudentRecipe, read_student_recipe
from farthing.learn.match.vocabulary import Vocabulary
from farthing.learn.pairs.sources import SOURCES

RECIPES = Path(__file__).resolve().parents[3] / "recipes"


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_shipped_recipes_are_read(path: Path) -> None:
    recipe = read_student_recipe(path)
    assert recipe.about["size"] == path.stem.partition("-")[0]
    assert {one.kind for one in recipe.drawn} <= set(SOURCES.names())
    assert {one.by for one in recipe.human} <= {None, "lp", "lang", "doc"}


LEARNED = {"base-first", "base-second", "small"}  # what stands in recipes and learned from answers of GPT-4 itself


def _of_people(recipe: StudentRecipe) -> StudentRecipe:
    """Return a recipe without the answers of GPT-4, also without those that its teachers learned from."""

    def name(start: str) -> str:
        return f"{start}-people" if start in LEARNED else start

    return replace(
        recipe,
        student=replace(recipe.student, start=name(recipe.student.start)),
        human=tuple(one for one in recipe.human if not one.file.startswith("judges/")),
        teachers=tuple(replace(one, start=name(one.start)) for one in recipe.teachers),
        distillation=recipe.distillation and replace(recipe.distillation, teacher=name(recipe.distillation.teacher)),
        after=recipe.after and _of_people(recipe.after),
    )


@pytest.mark.parametrize("size", ["base", "base-first", "base-second", "multi", "nano", "small", "tiny"])
def test_a_recipe_without_the_answers_of_gpt4_is_the_same_in_everything_else(size: str) -> None:
    whole, people = (read_student_recipe(RECIPES / f"{name}.toml") for name in (size, f"{size}-people"))
    assert any(one.file.startswith("judges/") for one in (whole.after or whole).human)
    assert people == _of_people(whole)


def test_a_recipe_based_on_another_has_values_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('kind = "match"\nseed = 3\n[student]\nstart = "x"\n[[human]]\nfile = "h.jsonl"\n')
    (tmp_path / "b.toml").write_text('based_on = "a.toml"\nseed = 4\n')
    base, other = (read_student_recipe(tmp_path / name) for name in ("a.toml", "b.toml"))
    assert other == replace(base, seed=4)
    (tmp_path / "b.toml").write_text("based_on = 4\n")
    with pytest.raises(FarthingError, match="must be the name of a recipe"):
        read_student_recipe(tmp_path / "b.toml")


def test_the_students_training_has_its_own_table(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(
        'kind = "static"\n[student]\nstart = "x"\ndepth = 3\n[training]\nepochs = 2\nrate = 1\n'
        '[[human]]\nfile = "h.jsonl"\nwithout = ["a", "b"]\nonly = { lp = "*-en" }\n'
        '[[teachers]]\nstart = "y"\ntraining = { epochs = 5 }\n[vocabulary]\nsize = 900\nfiles = ["t.jsonl"]\n'
    )
    recipe = read_student_recipe(path)
    assert (recipe.student.depth, recipe.student.training.epochs, recipe.student.training.rate) == (3, 2, 1.0)
    assert recipe.teachers[0].training.epochs == 5
    assert recipe.human[0].without == ("a", "b")
    assert recipe.human[0].only == {"lp": "*-en"}
    assert recipe.distillation is None
    assert recipe.vocabulary == Vocabulary(900, ("t.jsonl",))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("kind = ", "broken TOML"),
        ('kind = "cross"\n[student]\nstart = "x"\n', "'cross' is not 'match' or 'static'"),
        ('kind = "match"\n', "'student' is missing"),
        ('kind = "match"\n[student]\nstart = "x"\nlayer = 3\n', r"unknown key .*\[student\] 'layer'"),
        ('kind = "match"\n[student]\nstart = "x"\n', r"no \[\[human\]\] table"),
        ('kind = "match"\n[student]\nstart = "x"\n[[drawn]]\nkind = "equal"\nfile = "f"\n', "count' is missing"),
        (
            'kind = "match"\n[student]\nstart = "x"\n[[human]]\nfile = "h"\n'
            '[[drawn]]\nkind = "contrasts"\nfile = "f"\ncount = 9\nteaches = "edits"\nwithin = true\n',
            '"edits" among the student\'s features',
        ),
        (
            'kind = "match"\n[student]\nstart = "x"\n[[human]]\nfile = "h"\n'
            '[[drawn]]\nkind = "contrasts"\nfile = "f"\ncount = 9\nteaches = "tokens"\nwithin = true\n',
            'teaches = "tokens" needs within = true, and aside = true of the student',
        ),
        (
            'kind = "match"\n[student]\nstart = "x"\n[[human]]\nfile = "h"\n[[teachers]]\nstart = "a"\n'
            '[[drawn]]\nkind = "equal"\nfile = "f"\ncount = 9\nby = ["a", "b"]\n',
            r"by names 'b', which is none of the \[\[teachers\]\]",
        ),
    ],
)
def test_bad_recipes_get_one_sentence(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(content)
    with pytest.raises(FarthingError, match=words):
        read_student_recipe(path)
