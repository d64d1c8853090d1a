"""Recipes of training pairs, from files and from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import FarthingError, UnknownName, UsageError
from farthing.learn.pairs.mix import draw
from farthing.learn.pairs.recipe import Recipe, given_recipe, read_recipe


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("size = ", "broken TOML"),
        ("size = 'x'\n[sources.random]", "is not an integer"),
        ("sise = 3\n[sources.random]", "did you mean 'size'"),
        ("size = 3", "no source"),
        ("[sources.randm]", "did you mean 'random'"),
        ("[sources.random]\nweight = 0", "all zero"),
        ("[sources.random]\ncorpus = 'no.txt'", "no such file"),
        ("[filter]\nmin_words = 9\nmax_words = 2\n[sources.random]", "min_words"),
    ],
)
def test_bad_recipes(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(content)
    with pytest.raises(FarthingError, match=words):
        draw(read_recipe(path))


def test_recipe_of_the_command_line(corpus_file: Path) -> None:
    recipe = given_recipe(
        None, "perturbation=2, random", str(corpus_file), "2", ["perturbation.changes=[drop, typo]"], 30, None
    )
    assert recipe.weights == {"perturbation": 2, "random": 1}
    assert recipe.options("perturbation") == {"corpus": str(corpus_file), "column": 2, "changes": ["drop", "typo"]}
    assert recipe.size == 30
    with pytest.raises(UsageError, match="either"):
        given_recipe(None, None, None)
    with pytest.raises(UsageError, match=r"source\.option=value"):
        given_recipe(None, "random", None, None, ["denoising.model=x"], None, None)
    with pytest.raises(UnknownName):
        given_recipe(None, "rndom", None, None, [], None, None)


def test_counts_add_up_to_the_size() -> None:
    for size in range(1, 40):
        counts = Recipe({"random": {"weight": 1}, "given": {"weight": 0.7}, "equal": {"weight": 3}}, size=size).counts()
        assert sum(counts.values()) == size
        assert abs(counts["equal"] - size * 3 / 4.7) <= 1


def test_the_corpus_goes_to_the_option_that_a_source_has() -> None:
    recipe = given_recipe(None, "equal, perturbation", corpus="c.txt")
    assert recipe.options("equal") == {"file": "c.txt"}
    assert recipe.options("perturbation") == {"corpus": "c.txt"}


def test_files_are_relative_to_the_recipe(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text('[filter]\nexclude = ["test.jsonl"]\n[sources.news]\nsource = "random"\ncorpus = "news.txt"\n')
    recipe = given_recipe(path, None, size=7, seed=0)
    assert recipe.options("news") == {"corpus": str(tmp_path / "news.txt")}
    assert recipe.filter.exclude == (str(tmp_path / "test.jsonl"),)
    assert (recipe.kind("news"), recipe.size, recipe.seed) == ("random", 7, 0)
