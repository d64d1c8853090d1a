"""Samples from texts and vectors, and one sentence for every kind of bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, SpecError, UsageError
from farthing.core.registry import load
from farthing.core.types import Sets
from farthing.metrics.sets.samples import SampleOptions, checked_vectors, gather

TEXTS = ["the cat sat on the mat", "a dog", "stocks fell", "a dog", "birds sing at dawn"]
METRICS = ["markevaluate", "fid", "prd", "impar(k=1)"]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("generated", "message"),
    [
        (np.ones((1, 4)), "the generated set has 1 samples, but .* needs at least 2"),
        (np.array([[1.0, np.nan], [0, 0]]), r"the generated set has a NaN or infinite number in row 1 \("),
        (np.array([[1.0, 0], [np.inf, 0]]), "NaN or infinite number in row 2"),
        (np.ones((5, 3)), "generated vectors have 3 dimensions, those of the corpus 4"),
        (np.ones(5), "the generated set has the shape 5"),
        (np.ones((3, 4)) * 1e200, r"numbers as large as 1e\+200"),
        (["", " "], "the generated set has no text"),
        ([1, 2], "must be a list of texts or a matrix"),
    ],
)
def test_bad_input_is_one_sentence(metric: str, generated: object, message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message) as error:
        load(metric).score_sets(Sets(generated, np.random.default_rng(0).standard_normal((6, 4))))  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_k_beyond_the_samples_names_the_metric() -> None:
    vectors = np.random.default_rng(0).standard_normal((3, 2))
    with pytest.raises(InputError, match=r"3 samples, but impar needs at least 4 .*smaller k than 3"):
        load("impar").score_sets(Sets(vectors, vectors))


@pytest.mark.parametrize("metric", METRICS)
def test_all_identical_vectors_give_a_note_and_a_number(metric: str) -> None:
    corpus = np.random.default_rng(0).standard_normal((300, 3))
    result = load(metric).score_sets(Sets(np.ones((300, 3)), corpus))
    assert np.isfinite(result.corpus)
    assert any("all 300 samples of the generated set are equal" in note.message for note in result.notes)


def test_any_kind_of_number_will_do() -> None:
    base = np.random.default_rng(0).integers(-9, 9, (20, 4))
    for kind in (np.float16, np.float32, np.int8, np.int64):
        assert checked_vectors(base.astype(kind), "x").dtype in (np.float32, np.float64)
    assert checked_vectors(np.asfortranarray(base.astype(np.float32)), "x").flags.c_contiguous


def test_wrong_options() -> None:
    for wrong in ({"last": 0}, {"sample": -1}, {"repeats": 1}):
        with pytest.raises(SpecError):
            SampleOptions(**wrong)  # type: ignore[arg-type]


def test_sentence_samples_are_the_sentence_encoders(dev_model: Callable[[str], Path]) -> None:
    from farthing.encoders.engine import Engine
    from farthing.encoders.load import load_encoder
    from farthing.encoders.sentence import sentence_vectors

    folder = dev_model("minilm-l6")
    found = gather([*TEXTS, "  "], SampleOptions(model=str(folder)), "the corpus")
    peer = sentence_vectors(Engine(load_encoder(folder)), TEXTS)
    np.testing.assert_allclose(found.vectors, peer, atol=1e-6)
    assert [note.rows for note in found.notes] == [(5,)]
    assert found.fields["samples"] == "sentence"


def test_every_token_gives_its_last_layers(dev_model: Callable[[str], Path]) -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = dev_model("minilm-l6")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    found = gather(TEXTS, SampleOptions(model=str(folder), samples="word"), "the corpus").vectors
    expected = []
    for text in TEXTS:
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        expected += [states[layer][0, 1:-1].numpy() for layer in range(2, 7)]
    np.testing.assert_allclose(found, np.concatenate(expected), atol=2e-4)


def test_long_texts_are_noted(dev_model: Callable[[str], Path]) -> None:
    found = gather(["word " * 900, *TEXTS], SampleOptions(model=str(dev_model("minilm-l6"))), "the corpus")
    assert [(note.kind, note.rows) for note in found.notes] == [("truncated", (0,))]
