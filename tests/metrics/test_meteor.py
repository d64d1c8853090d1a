"""METEOR against NLTK's."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

import farthing
from farthing import Pairs
from farthing.core.errors import SpecError, UsageError
from farthing.metrics.meteor import Meteor, matched, run_count
from farthing.text.words import word_splitter


class NoSynonyms:
    """A WordNet without words, for NLTK."""

    def synsets(self, word: str) -> list[object]:
        return []


@pytest.fixture(scope="module")
def peer() -> Callable[..., float]:
    module = pytest.importorskip("nltk.translate.meteor_score", reason="nltk is not installed")
    score: Callable[..., float] = module.meteor_score
    return score


@pytest.mark.parametrize("settings", [{}, {"alpha": 0.5, "beta": 1.0, "gamma": 0.3}])
def test_equals_nltk_on_real_translations(
    settings: dict[str, float], human: Callable[[str], list[dict[str, Any]]], peer: Callable[..., float]
) -> None:
    rows = [row for row in human("wmt16_da_seg") if row["lp"].endswith("en")][:1000]
    pairs = Pairs([row["candidate"] for row in rows], [[row["reference"], rows[0]["reference"]] for row in rows])
    found = Meteor(synonyms=False, **settings).score(pairs).segments  # type: ignore[arg-type]
    split = word_splitter("13a")
    expected = [
        peer([split(text.lower()) for text in references], split(text.lower()), wordnet=NoSynonyms(), **settings)
        for text, references in zip(pairs.candidates, pairs.references, strict=True)
    ]
    assert found == pytest.approx(expected, abs=1e-12)


def test_equals_nltk_with_synonyms(made_up_wordnet: None, peer: Callable[..., float]) -> None:
    chance = random.Random(0)
    words = ["car", "automobile", "dog", "dogs", "hound", "film", "movie", "picture", "image", "show", "buy",
             "purchase", "quick", "fast", "the", "a", "a"]  # fmt: skip
    texts = [chance.choices(words, k=chance.randint(0, 12)) for _ in range(600)]
    metric = Meteor(tokenizer="space")
    found = [metric.compared(a, b) for a, b in pairwise(texts)]
    wordnet = sys.modules["nltk.corpus"].wordnet
    expected = [peer([b], a, wordnet=wordnet) for a, b in pairwise(texts)]
    assert found == pytest.approx(expected, abs=1e-12)
    without = Meteor(tokenizer="space", synonyms=False)
    assert sum(found) > sum(without.compared(a, b) for a, b in pairwise(texts))
    assert metric.score(Pairs.of(["a"], ["a"])).signature.fields["synonyms"] == "wordnet-3.0"


@pytest.fixture
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from farthing.text.wordnet import find_synonyms

    find_synonyms.cache_clear()
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    yield
    find_synonyms.cache_clear()


def test_without_wordnet_a_note_says_so_and_asking_for_it_is_one_sentence(no_wordnet: None) -> None:
    scores = Meteor().score(Pairs.of(["the cat"], ["the cat"]))
    assert [note.kind for note in scores.notes] == ["synonyms"]
    assert Meteor(synonyms=False).score(Pairs.of(["the cat"], ["the cat"])).notes == ()
    with pytest.raises(UsageError, match="needs WordNet: pip install"):
        farthing.load("meteor(synonyms=true)")


def test_closed_forms() -> None:
    """Two words of two in one chunk; a stem; nothing in common; the order reversed."""
    metric = Meteor(synonyms=False)
    assert metric.compared(["the", "cat"], ["the", "cat"]) == pytest.approx(1 - 0.5 / 8)
    assert metric.compared(["cats"], ["cat"]) == pytest.approx(0.5)
    assert Meteor(synonyms=False, stemmer=False).compared(["cats"], ["cat"]) == 0.0
    assert metric.compared(["b", "a"], ["a", "b"]) == pytest.approx(0.5)
    assert run_count(matched(["b", "a"], ["a", "b"])) == 2


def test_empty_texts_score_zero_and_the_best_reference_counts() -> None:
    pairs = Pairs(["", "a b", "a b"], [["a"], [""], ["x", "a b"]])
    scores = Meteor(synonyms=False).score(pairs)
    assert scores.segments.tolist()[:2] == [0.0, 0.0]
    assert scores.segments[2] == pytest.approx(1 - 0.5 / 8)
    assert [note.rows for note in scores.notes] == [(0,), (1,)]


@pytest.mark.parametrize("spec", ["meteor(alpha=2)", "meteor(gamma=-1)", "meteor(beta=0)"])
def test_wrong_options_are_one_sentence(spec: str) -> None:
    with pytest.raises(SpecError, match="must be"):
        farthing.load(spec)


def test_other_scripts_by_the_unicode_tokenizer() -> None:
    metric = farthing.load("meteor(tokenizer=unicode, synonyms=false)")
    assert metric.score(Pairs.of(["你好世界"], ["你好世人"])).corpus > 0.5  # type: ignore[union-attr]
