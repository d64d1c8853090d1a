"""The sets that experiments on diversity draw: disjoint, balanced, as large as the labels allow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError, UsageError
from farthing.meta.read.labelled import Labelled, read_labelled, split_evenly, split_labels, swapped


def corpus(**sizes: int) -> Labelled:
    return Labelled.of((label, f"{label} {place}") for label, size in sizes.items() for place in range(size))


def test_labels_by_size_and_texts_once() -> None:
    found = Labelled.of(iter([("a", "x"), ("b", "y"), ("b", "z"), ("a", "y"), ("b", " ")]))
    assert {label: list(texts) for label, texts in found.texts.items()} == {"b": ["y", "z"], "a": ["x"]}
    assert next(iter(found.texts)) == "b"


@pytest.mark.parametrize("sizes", [{"a": 500, "b": 500, "c": 500}, {"a": 900, "b": 60, "c": 400, "d": 70}])
def test_sets_are_disjoint_balanced_and_of_one_size(sizes: dict[str, int]) -> None:
    found = split_labels(corpus(**sizes), 200, np.random.default_rng(0))
    assert found.kept[0] == len(sizes)
    assert found.kept[-1] == 1
    for count, texts in zip(found.kept, found.steps, strict=True):
        assert len(texts) == len(set(texts)) == len(found.corpus)
        assert not set(texts) & set(found.corpus)
        labels = Counter(text.split()[0] for text in texts)
        assert len(labels) == count
        assert max(labels.values()) - min(labels.values()) <= 1
    assert set(Counter(text.split()[0] for text in found.corpus)) == set(sizes)


def test_fewer_samples_where_the_labels_are_small() -> None:
    found = split_labels(corpus(a=100, b=100), 1000, np.random.default_rng(0))
    assert 60 <= len(found.corpus) <= 67  # half of it and all of a generated set come from the label that stays
    with pytest.raises(UsageError, match="too few"):
        split_labels(corpus(a=3, b=3), 1000, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("sizes", "size", "shares"),
    [
        ({"a": 500, "b": 500, "c": 500}, 200, [66, 66, 66]),
        ({"a": 900, "b": 60, "c": 400}, 500, [270, 200, 30]),
        ({"a": 10, "b": 9}, 1000, [5, 4]),
    ],
)
def test_two_sets_are_as_balanced_as_the_labels_allow(sizes: dict[str, int], size: int, shares: list[int]) -> None:
    sets = split_evenly(corpus(**sizes), size, np.random.default_rng(0))
    for texts in sets:
        assert sorted(Counter(text.split()[0] for text in texts).values(), reverse=True) == shares
    assert len({*sets[0], *sets[1]}) == 2 * sum(shares)


def test_swaps_grow_with_the_probability_and_keep_the_words() -> None:
    text = "one two three four five six seven eight nine ten"
    for seed in range(20):
        changed = [
            sum(a != b for a, b in zip(text.split(), swapped(text, p, seed).split(), strict=True))
            for p in (0.0, 0.3, 1.0)
        ]
        assert changed[0] == 0
        assert changed[2] > 3
        assert sorted(swapped(text, 0.7, seed).split()) == sorted(text.split())
    assert swapped("", 1.0, 0) == ""


def test_tables_with_and_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("genre\ttext\nnews\tone\nfiction\ttwo\n")
    assert set(read_labelled(str(path), "text", "genre").texts) == {"news", "fiction"}
    assert set(read_labelled(str(path), "b", "a", ["a", "b"]).texts) == {"genre", "news", "fiction"}
    for wrong in ({"text": "txt", "label": "genre"}, {"text": "a", "label": "b", "header": ["a"]}):
        with pytest.raises(FarthingError):
            read_labelled(str(path), **wrong)  # type: ignore[arg-type]
    path.write_text("genre\ttext\nnews\tone\n")
    with pytest.raises(UsageError, match="two labels"):
        read_labelled(str(path), "text", "genre")
