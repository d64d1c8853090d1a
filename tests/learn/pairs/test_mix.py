"""Recipes and mixing: counts, filters, exclusion, shortage."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from farthing.core.errors import FarthingError, InputError, UnknownName, UsageError
from farthing.learn.data.store import read_pairs, write_pairs
from farthing.learn.pairs.mix import draw, plain
from farthing.learn.pairs.recipe import Filter, Recipe, given_recipe, read_recipe


def test_shares_follow_the_weights(corpus_file: Path) -> None:
    path = str(corpus_file)
    sources = {"perturbation": {"corpus": path, "weight": 3}, "random": {"corpus": path}}
    table, remarks = draw(Recipe(sources, size=200))
    assert Counter(table.columns["source"]) == {"perturbation": 150, "random": 50}
    assert remarks == []
    assert set(table.columns["seed"]) == {1}
    again, _ = draw(Recipe(sources, size=200))
    other, _ = draw(Recipe(sources, size=200, seed=2))
    assert again.columns == table.columns
    assert other.candidates != table.candidates


def test_a_dry_source_is_told(corpus_file: Path) -> None:
    table, remarks = draw(Recipe({"random": {"corpus": str(corpus_file)}}, size=5000))
    assert len(table) < 5000
    assert remarks == [f"random had only {len(table)} usable pairs where 5000 were wanted"]


def test_filter_and_exclusion(corpus_file: Path, corpus: list[str], tmp_path: Path) -> None:
    test_set = tmp_path / "test.jsonl"
    test_set.write_text(json.dumps({"reference": [corpus[0].upper(), corpus[1]], "candidate": corpus[2]}))
    chosen = Filter(min_words=5, max_words=9, exclude=(str(test_set),))
    sources = {"perturbation": {"corpus": str(corpus_file)}}
    table, _ = draw(Recipe(sources, size=400, filter=chosen))
    texts = [*table.candidates, *table.references]
    assert all(5 <= len(text.split()) <= 9 for text in texts)
    assert not {plain(text) for text in texts} & {plain(text) for text in corpus[:3]}
    keys = {tuple(sorted(pair)) for pair in zip(table.candidates, table.references, strict=True)}
    assert len(keys) == len(table)


def test_recipe_file_is_relative_to_itself_and_kept(corpus_file: Path, tmp_path: Path) -> None:
    recipe = corpus_file.parent / "recipe.toml"
    recipe.write_text(
        "seed = 3\nsize = 20\n[filter]\nmax_words = 50\n"
        '[sources.mine]\nsource = "perturbation"\ncorpus = "corpus.txt"\n'
    )
    table, _ = draw(read_recipe(recipe))
    assert set(table.columns["source"]) == {"mine"}
    write_pairs(tmp_path / "pairs.parquet", table)
    back = read_pairs(tmp_path / "pairs.parquet")
    assert json.loads(back.notes["recipe"])["seed"] == 3
    assert dict(back.columns) == dict(table.columns)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("size = ", "broken TOML"),
        ("size = 'x'\n[sources.random]", "is not int"),
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
        given_recipe(None, None, None, None, [], None, None)
    with pytest.raises(UsageError, match=r"source\.option=value"):
        given_recipe(None, "random", None, None, ["denoising.model=x"], None, None)
    with pytest.raises(UnknownName):
        given_recipe(None, "rndom", None, None, [], None, None)


def test_a_full_disk_leaves_the_old_file(corpus_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = draw(Recipe({"random": {"corpus": str(corpus_file)}}, size=10))
    path = tmp_path / "pairs.parquet"
    write_pairs(path, table)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FarthingError, match="No space left on device; nothing was changed"):
        write_pairs(path, table)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["pairs.parquet"]


def test_broken_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.parquet"
    path.write_bytes(b"not parquet at all")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_pairs(path)
