"""Every metric of pairs gives crossed pairs the scores that it gives single pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.metric import Metric
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.registry import load_pairs_metric
from farthing.metrics.crossed import crossed_empty_notes

TEXTS = ["the cat sat on the mat", "a dog was lying on the carpet", "the cat looked at the rain", "the mat"]
LISTS = [NBest(TEXTS, TEXTS), NBest(TEXTS[:2], ["the old bridge", "", "the cat sat"]), NBest([""], ["", "a cat"])]


def agrees(metric: Metric, lists: list[NBest]) -> None:
    found, expected = metric.score_crossed(lists), metric.score(crossed_pairs(lists))
    near = 1e-4 if metric.info.name == "frugalscore" else 1e-6  # students match pairs in single precision
    assert found.segments == pytest.approx(np.asarray(expected.segments), abs=near)
    assert found.corpus == pytest.approx(expected.corpus)
    assert found.signature == expected.signature
    assert found.notes == expected.notes
    assert set(found.parts) == set(expected.parts)
    for name, part in found.parts.items():
        assert part == pytest.approx(expected.parts[name], abs=near)


@pytest.mark.parametrize("spec", ["bleu", "chrf(word_order=2)", "ter", "frugalscore(size=nano)", "rouge"])
def test_texts_alone(spec: str) -> None:
    if spec == "rouge":
        pytest.importorskip("rouge_score")
    agrees(load_pairs_metric(spec), LISTS)


def test_long_lists_are_compared_all_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = load_pairs_metric("frugalscore(size=nano)")
    texts = [*TEXTS, "the cat", "", "a dog", "the carpet, the rain"]
    agrees(metric, [NBest(texts, texts), NBest(texts, TEXTS * 2)])
    monkeypatch.setattr(type(metric), "score_systems", None)  # no pair is scored by itself
    assert metric.score_crossed([NBest(texts, texts)]).segments is not None


@pytest.mark.parametrize(
    "options", ["", ", idf=true", ", layer=all", ", compat=bert_score", ", drop_punctuation=true", ", power_means=2"]
)
def test_bertscore(tiny_model: Callable[..., Path], options: str) -> None:
    layer = "" if "layer" in options else ", layer=2"
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}{layer}{options})")
    lists = LISTS[:2] if "compat" in options else LISTS
    agrees(metric, lists)


def test_a_student_that_reads_pairs_as_one(tmp_path: Path) -> None:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    from farthing.learn.cross.vocabulary import learnt_tokenizer

    vocabulary = learnt_tokenizer(TEXTS * 3, size=100)
    torch.manual_seed(2)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=96, num_labels=1, **shape)
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    vocabulary.save_pretrained(tmp_path)
    agrees(load_pairs_metric(f"frugalscore(model={tmp_path})"), LISTS[:1])


def test_empty_texts_are_noted() -> None:
    assert crossed_empty_notes([NBest(["a"], ["b"])]) == ()
    [note] = crossed_empty_notes([NBest(["a"], ["b"]), NBest(["a"], ["b", " "])])
    assert (note.message, note.rows) == ("a reference has no text", (2,))
