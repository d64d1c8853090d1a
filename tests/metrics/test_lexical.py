"""BLEU, chrF and TER against sacrebleu itself, on real and on hostile texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import farthing
from farthing import Pairs
from farthing.core.errors import MissingInput, ModelError, UsageError

METRICS: dict[str, tuple[Any, Any]] = {  # spec: sacrebleu's corpus metric and its sentence metric
    "bleu": (BLEU(), BLEU(effective_order=True)),
    "bleu(lowercase=true, smooth_method=add-k)": (
        BLEU(lowercase=True, smooth_method="add-k"),
        BLEU(lowercase=True, smooth_method="add-k", effective_order=True),
    ),
    "chrf": (CHRF(), CHRF()),
    "chrf(word_order=2)": (CHRF(word_order=2), CHRF(word_order=2)),
    "ter": (TER(), TER()),
}

HOSTILE = Pairs.of(
    ["", "   ", "word", "👩‍👩‍👧 🤖!", "שלום עולם", "ما هذا؟", "a\u0000b\u200bc", "the the the the", "a", ""],
    ["text", "text", "word", "🤖 👩‍👩‍👧.", "עולם שלום", "هذا كتاب", "a b c", "the cat", "", ""],
)


def check(spec: str, pairs: Pairs) -> None:
    """The same segments, corpus score and signature as sacrebleu, to 1e-9."""
    whole, single = METRICS[spec]
    found = farthing.load(spec).score(pairs)
    width = max(map(len, pairs.references))
    streams = [[row[i] if i < len(row) else None for row in pairs.references] for i in range(width)]
    expected = whole.corpus_score(list(pairs.candidates), streams)
    segments = [
        single.sentence_score(candidate, list(references)).score
        for candidate, references in zip(pairs.candidates, pairs.references, strict=True)
    ]
    assert found.segments is not None
    np.testing.assert_allclose(found.segments, segments, rtol=0, atol=1e-9)
    assert found.corpus == pytest.approx(expected.score, abs=1e-9)
    assert str(whole.get_signature()) in str(found.signature)


@pytest.mark.parametrize("spec", METRICS)
def test_equals_sacrebleu_on_real_translations(spec: str, human: Callable[[str], list[dict[str, Any]]]) -> None:
    rows = [row for row in human("wmt16_da_seg") if row["lp"].endswith("en")][:1000]
    assert len(rows) == 1000
    check(spec, Pairs.of([row["candidate"] for row in rows], [row["reference"] for row in rows]))


@pytest.mark.parametrize("spec", METRICS)
def test_equals_sacrebleu_on_hostile_texts(spec: str) -> None:
    check(spec, HOSTILE)


@pytest.mark.parametrize("spec", METRICS)
def test_equals_sacrebleu_on_very_long_texts(spec: str) -> None:
    words = random.Random(1).choices(["one", "two", "three", "four,", "five."], k=10_000)
    check(
        spec, Pairs.of([" ".join(words)], [" ".join(reversed(words[:50]))] if spec == "ter" else [" ".join(words[1:])])
    )


@pytest.mark.parametrize("spec", METRICS)
def test_several_and_varying_references(spec: str) -> None:
    pairs = Pairs.of(["a b c d e", "x y z"], [["a b c d", "a b x d e"], ["x y"]])
    check(spec, pairs)
    assert "nrefs:var" in str(farthing.load(spec).score(pairs).signature)


def test_empty_texts_are_noted() -> None:
    kinds = [(note.kind, note.rows) for note in farthing.load("chrf").score(HOSTILE).notes]
    assert kinds == [("empty", (0, 1, 9)), ("empty", (8, 9))]


def test_missing_references_are_named() -> None:
    with pytest.raises(MissingInput, match="bleu needs a reference for every candidate"):
        farthing.score(["a"], metric="bleu")
    with pytest.raises(MissingInput, match="row 2 has none"):
        farthing.score(["a", "b"], [["a"], []], metric="bleu")
    with pytest.raises(UsageError, match="nothing to score"):
        farthing.score([], [], metric="bleu")


def test_corpus_scores_come_from_sums_of_statistics() -> None:
    pairs = Pairs.of(["a b c d e", "x y z", "the cat sat"], ["a b c d", "x y", "the cat sat"])
    for spec in METRICS:
        metric = farthing.load(spec)
        scores = metric.score(pairs)
        assert metric.aggregate(scores.statistics.sum(axis=0)) == scores.corpus
        some = metric.score(pairs.part(1, 3))
        assert metric.aggregate(scores.statistics[1:].sum(axis=0)) == some.corpus


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K"])
def test_no_tokenizer_is_downloaded_without_being_allowed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr("sacrebleu.tokenizers.tokenizer_spm.download_file", download)
    monkeypatch.delenv("FARTHING_ONLINE", raising=False)
    with pytest.raises(ModelError, match=f"the tokenizer '{name}' needs a model that is not on this machine"):
        farthing.load(f"bleu(tokenize={name})")


def test_direction() -> None:
    assert farthing.load("ter").info.arrow == "↓"
    assert farthing.load("bleu").info.arrow == "↑"
