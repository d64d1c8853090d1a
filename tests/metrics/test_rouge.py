"""ROUGE against rouge-score itself, which only the tests need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import farthing
from farthing import Pairs
from farthing.core.errors import MissingInput
from farthing.files.inputs import Given
from farthing.metrics.rouge import TYPES, Rouge
from farthing.scoring.score import choose, score

HOSTILE = Pairs.of(
    ["", "   ", "word", "👩 🤖!", "שלום עולם", "the the the", "a", "", "word " * 10_000],
    ["text", "text", "word", "🤖", "עולם", "the cat", "", "", "word and " * 100],
)


def check(pairs: Pairs, stemmer: bool) -> None:
    found = farthing.load(f"rouge(stemmer={str(stemmer).lower()})").score(pairs)
    peer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    scorer = peer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"], use_stemmer=stemmer)
    for row, (candidate, references) in enumerate(zip(pairs.candidates, pairs.references, strict=True)):
        expected = scorer.score_multi(list(references), candidate)
        for name, peer_score in expected.items():
            assert found.parts[name][row] == pytest.approx(peer_score.fmeasure, abs=1e-9)  # type: ignore[index]
            assert found.parts[f"{name}_recall"][row] == pytest.approx(peer_score.recall, abs=1e-9)  # type: ignore[index]
            assert found.parts[f"{name}_precision"][row] == pytest.approx(peer_score.precision, abs=1e-9)  # type: ignore[index]
    assert found.segments is found.parts["rougeL"]
    assert found.corpus == pytest.approx(float(np.mean(found.parts["rougeL"])), abs=1e-12)


@pytest.mark.parametrize("stemmer", [False, True])
def test_equals_rouge_score_on_real_translations(stemmer: bool, human: Callable[[str], list[dict[str, Any]]]) -> None:
    rows = [row for row in human("wmt16_da_seg") if row["lp"].endswith("en")][:1000]
    check(Pairs.of([row["candidate"] for row in rows], [row["reference"] for row in rows]), stemmer)


def test_equals_rouge_score_on_hostile_texts() -> None:
    check(HOSTILE, stemmer=False)


@given(st.lists(st.sampled_from("abc\n"), max_size=20), st.lists(st.sampled_from("abc\n"), max_size=20))
def test_equals_rouge_score_on_texts_of_several_lines(candidate: list[str], reference: list[str]) -> None:
    check(Pairs.of([" ".join(candidate)], [" ".join(reference)]), stemmer=False)


def test_best_of_several_references() -> None:
    check(Pairs.of(["a b c", "x"], [["a b", "a c b"], ["x y"]]), stemmer=False)


def test_closed_forms() -> None:
    """Two of three words, one of two pairs of words, and a common subsequence of two words."""
    parts = farthing.load("rouge").score(Pairs.of(["a b c"], ["a b d e"])).parts
    found = [float(parts[name][0]) for name in ("rouge1_precision", "rouge1_recall", "rouge2", "rougeL")]  # type: ignore[index]
    assert found == pytest.approx([2 / 3, 2 / 4, 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3), 4 / 7])


def test_empty_texts_are_noted_and_score_zero() -> None:
    scores = farthing.load("rouge").score(Pairs.of(["", "a"], ["a", " "]))
    assert scores.segments.tolist() == [0, 0]
    assert [note.rows for note in scores.notes] == [(0,), (1,)]
    with pytest.raises(MissingInput, match="rouge needs a reference"):
        farthing.load("rouge").score(Pairs.of(["a"]))


def test_the_score_is_the_chosen_type() -> None:
    pairs = Pairs.of(["a b c"], ["a c b"])
    assert farthing.load("rouge(type=rouge1)").score(pairs).corpus == 1.0
    assert farthing.load("rouge(type=rouge2)").score(pairs).corpus == 0.0
    assert farthing.load("rouge(type=rougeLsum)").score(Pairs.of(["a\nb"], ["b\na"])).corpus == 1.0


def test_a_table_shows_all_four_in_one_row_unless_one_is_asked_for() -> None:
    pairs = Pairs.of(["a b c", "x y"], ["a c b", "x z"])
    table = str(score(choose("rouge"), Given([pairs])))
    assert table.splitlines()[0].split() == ["system", *(word for name in TYPES for word in (name, "↑"))]
    expected = [f"{float(np.mean(Rouge().score(pairs).parts[name])):.4f}" for name in TYPES]
    assert table.splitlines()[2].split() == ["system", *expected]
    assert str(score(choose("rouge(type=rouge1)"), Given([pairs]))).splitlines()[0].split() == ["system", "rouge", "↑"]


@pytest.mark.parametrize("text", ["שלום עולם", "Привет мир", "你好世界", "สวัสดีชาวโลก", "नमस्ते दुनिया", "👋🌍"])
def test_no_script_is_erased_by_the_unicode_tokenizer(text: str) -> None:
    pairs = Pairs.of([text, text], [text, "plain words"])
    found = farthing.load("rouge(tokenizer=unicode)").score(pairs)
    assert found.parts["rouge1"].tolist() == [1.0, 0.0]  # type: ignore[union-attr]
    assert found.notes == ()
    lost = farthing.load("rouge").score(pairs)
    assert lost.corpus == 0.0
    assert [(note.kind, note.rows) for note in lost.notes] == [("erased", (0, 1))]
    assert "tokenizer=unicode" in str(lost.notes[0])


def test_a_few_foreign_letters_are_no_erasure() -> None:
    assert farthing.load("rouge").score(Pairs.of(["the naïve café", "1 °C"], ["a naïve view", "2 °C"])).notes == ()
