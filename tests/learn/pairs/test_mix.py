"""Mixing: counts, filters, exclusion, shortage."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.data.store import read_pairs, write_pairs
from farthing.learn.pairs.base import given_pair
from farthing.learn.pairs.mix import PATIENCE, Sieve, draw, folded, forbidden_texts
from farthing.learn.pairs.recipe import PairFilter, Recipe, read_recipe


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
    assert remarks == [f"random had only {len(table)} usable pairs of the 5000 that were wanted"]


def test_filter_and_exclusion(corpus_file: Path, corpus: list[str], tmp_path: Path) -> None:
    test_set = tmp_path / "test.jsonl"
    test_set.write_text(json.dumps({"reference": [corpus[0].upper(), corpus[1]], "candidate": corpus[2]}))
    chosen = PairFilter(min_words=5, max_words=9, exclude=(str(test_set),))
    sources = {"perturbation": {"corpus": str(corpus_file)}}
    table, _ = draw(Recipe(sources, size=400, filter=chosen))
    texts = [*table.candidates, *table.references]
    assert all(5 <= len(text.split()) <= 9 for text in texts)
    assert not {folded(text) for text in texts} & {folded(text) for text in corpus[:3]}
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


def test_a_pair_passes_once_in_either_direction() -> None:
    sieve = Sieve(PairFilter(equal=True), frozenset(["no texts"]))
    assert sieve.passes(given_pair("x", "1", "a", "b"))
    assert not sieve.passes(given_pair("x", "1", "b", "a"))
    assert sieve.passes(given_pair("x", "1", "a", "a"))
    assert not sieve.passes(given_pair("x", "1", "a", "No  Texts"))
    assert not Sieve(PairFilter(), frozenset()).passes(given_pair("x", "1", "a", "a"))


def test_nothing_usable_is_an_error(corpus_file: Path) -> None:
    assert PATIENCE > 400
    with pytest.raises(InputError, match="no pair came out"):
        draw(Recipe({"random": {"corpus": str(corpus_file)}}, filter=PairFilter(min_words=100)))


def test_every_text_of_a_test_set_is_forbidden(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"id": 3, "a": "One  Two", "b": ["x", "Y"]}))
    assert forbidden_texts(PairFilter(exclude=(str(path),))) == {"one two", "x", "y"}
