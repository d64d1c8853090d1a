"""Exact match and token F1 against SQuAD's rules, written down from their description."""

from __future__ import annotations

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import farthing
from farthing import Pairs
from farthing.metrics.answers import ExactMatch, TokenF1, squad_words

TEXTS = st.text(st.sampled_from("aAnthe \n.,'“”é中"), max_size=20)


def normalised(text: str, articles: bool = False) -> str:
    """Lower case, then no punctuation, then no articles, then single spaces: the four steps of SQuAD's evaluation."""
    kept = "".join(letter for letter in text.lower() if letter not in set(string.punctuation))
    return " ".join((kept if articles else re.sub(r"\b(a|an|the)\b", " ", kept)).split())


def squad_f1(answer: str, gold: str) -> float:
    found, wanted = normalised(answer).split(), normalised(gold).split()
    if not found or not wanted:
        return float(found == wanted)
    same = sum((Counter(found) & Counter(wanted)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(found), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_equals_squad(answer: str, golds: list[str]) -> None:
    pairs = Pairs([answer], [golds])
    assert ExactMatch().score(pairs).corpus == max(normalised(answer) == normalised(gold) for gold in golds)
    assert TokenF1().score(pairs).corpus == pytest.approx(max(squad_f1(answer, gold) for gold in golds), abs=1e-12)
    keeping = ExactMatch(drop_articles=False).score(pairs).corpus
    assert keeping == max(normalised(answer, True) == normalised(gold, True) for gold in golds)


def test_closed_forms() -> None:
    pairs = Pairs.of(["The cat sat.", "a dog", "blue sky"], ["cat sat", "the dog!", "the sky"])
    assert ExactMatch().score(pairs).segments.tolist() == [1, 1, 0]
    scores = TokenF1().score(pairs)
    assert scores.segments.tolist() == pytest.approx([1, 1, 2 / 3])
    assert scores.parts["precision"].tolist() == [1, 1, 0.5]  # type: ignore[union-attr]
    assert scores.parts["recall"].tolist() == [1, 1, 1]  # type: ignore[union-attr]
    assert farthing.load("exact_match(drop_articles=false)").score(pairs).segments.tolist() == [0, 0, 0]  # type: ignore[union-attr]


def test_other_languages() -> None:
    """Unicode's rules drop every punctuation, know no articles, and cut Chinese into characters."""
    pairs = Pairs.of(["« Oui ! »", "an der Wand", "北京市"], ["oui", "der Wand", "北京"])
    assert ExactMatch(rules="unicode").score(pairs).segments.tolist() == [1, 0, 0]
    assert TokenF1(rules="unicode").score(pairs).segments.tolist() == pytest.approx([1, 0.8, 0.8])
    assert ExactMatch(rules="unicode", drop_articles=True).score(pairs).segments.tolist() == [1, 1, 0]
    assert ExactMatch(rules="space").score(Pairs.of(["a  B", "a b"], ["a B", "a B"])).segments.tolist() == [1, 0]


def test_empty_answers_are_equal_to_empty_references_only() -> None:
    scores = TokenF1().score(Pairs.of(["", "", "x"], ["", "x", "the"]))
    assert scores.segments.tolist() == [1, 0, 0]
    assert [note.rows for note in scores.notes] == [(0, 1), (0,)]


def test_squad_words_of_an_answer() -> None:
    assert squad_words("An apple a day", drop_articles=False) == ["an", "apple", "a", "day"]
