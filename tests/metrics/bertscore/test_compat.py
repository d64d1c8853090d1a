"""compat="bert_score" against the golden numbers, against the installed bert_score, and on tiny random models."""

from __future__ import annotations

import contextlib
import io
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.types import Pairs, Scores
from farthing.metrics.bertscore.bertscore import BertScore

Rows = Callable[[str], list[dict[str, Any]]]
TEXTS = [
    "the cat sat on the mat",
    "a dog was lying on the carpet",
    "the bank's warning fell on Tuesday morning",
    "rain",
    "nobody expected the report before the hard winter",
    "please looked at birds, for the mat",
    "she survived",
    "the cat sat on the mat, and the dog sat on the cat, and the rain looked at the old bridge",
]


def triple(scores: Scores) -> np.ndarray:
    return np.stack([np.asarray(scores.parts["precision"]), np.asarray(scores.parts["recall"]), scores.segments])


def peer(candidates: list[str], references: list[Any], folder: Path, layer: int, **options: Any) -> np.ndarray:
    """What the installed bert_score says."""
    import bert_score

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        found = bert_score.score(
            candidates, references, model_type=str(folder), num_layers=layer, device="cpu", nthreads=0, **options
        )
    return np.stack([part.numpy() for part in found])


@pytest.mark.parametrize("run", range(7))
def test_golden_numbers(shared: Path, human: Rows, dev_model: Callable[[str], Path], run: int) -> None:
    golden = json.loads((shared / "golden" / "bert_score_minilm.json").read_text())
    every = human("wmt16_da_seg")
    rows, expected = [every[place] for place in golden["rows"]], golden["runs"][run]
    references = [[row["reference"]] for row in rows]
    if "references" in expected:
        assert expected["references"] == "own and the next row's"
        following = [every[golden["rows"][(place + 1) % len(rows)]]["reference"] for place in range(len(rows))]
        references = [[*own, other] for own, other in zip(references, following, strict=True)]
    metric = BertScore(
        model=str(dev_model("minilm-l6")), layer=expected["layer"], idf=expected["idf"], compat="bert_score"
    )
    found = metric.score(Pairs([row["candidate"] for row in rows], references))
    wanted = np.array([expected["precision"], expected["recall"], expected["f1"]])
    assert np.abs(triple(found) - wanted).max() < 2e-5


@pytest.mark.parametrize("idf", [False, True])
def test_equal_to_the_installed_package_on_fresh_pairs(
    human: Rows, dev_model: Callable[[str], Path], idf: bool
) -> None:
    rows = [row for row in human("wmt20_mqm_seg") if row["lp"] == "zh-en"][700:1200]
    candidates, references = [row["candidate"] for row in rows], [row["reference"] for row in rows]
    folder = dev_model("bert-tiny") if idf else dev_model("minilm-l6")
    layer = 1 if idf else 3
    expected = peer(candidates, references, folder, layer, idf=idf)
    metric = BertScore(model=str(folder), layer=layer, idf=idf, compat="bert_score")
    assert np.abs(triple(metric.score(Pairs.of(candidates, references))) - expected).max() < 2e-5


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet", "t5", "albert"])
@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [2, 3])
def test_tiny_random_models(tiny_model: Callable[..., Path], family: str, idf: bool, layer: int) -> None:
    """Random models are isotropic: many best similarities are negative, so padding's effects show."""
    theirs = tiny_model(family, prefix_space=True) if family == "roberta" else tiny_model(family)
    ours = tiny_model(family)  # whose tokenizer adds no space: it comes from us
    candidates = [text for text in TEXTS for _ in TEXTS]
    references = [text for _ in TEXTS for text in TEXTS]
    expected = peer(candidates, references, theirs, layer, idf=idf, batch_size=5)
    metric = BertScore(model=str(ours), layer=layer, idf=idf, compat="bert_score").with_batch(5)
    state = metric.prepare([[Pairs.of(candidates, references)]])
    metric = metric if state is None else metric.prepared(state)
    found = triple(metric.score(Pairs.of(candidates, references)))
    assert np.abs(found[:2] - expected[:2]).max() < 2e-5
    # F1 has a pole where precision = -recall; around it the last bit of a sum is blown up without bound
    steady = np.abs(expected[0] + expected[1]) > 0.05
    assert np.abs(found[2] - expected[2])[steady].max() < 2e-5
    assert steady.mean() > 0.5


def test_the_random_models_do_show_the_effect_of_padding(tiny_model: Callable[..., Path]) -> None:
    pairs = Pairs.of([text for text in TEXTS for _ in TEXTS], [text for _ in TEXTS for text in TEXTS])
    metric = BertScore(model=str(tiny_model("distilbert")), layer=2, compat="bert_score")
    batched, single = (triple(metric.with_batch(size).score(pairs)) for size in (64, 1))
    assert np.abs(batched - single).max() > 1e-3


def test_all_layers_equal_the_installed_package(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("bert")
    candidates, references = TEXTS[:4], TEXTS[4:]
    expected = peer(candidates, references, folder, 3, all_layers=True)
    scores = BertScore(model=str(folder), layer="all", compat="bert_score").score(Pairs.of(candidates, references))
    found = np.stack([scores.parts[f"layers_{name}"] for name in ("precision", "recall")])
    assert np.abs(found - expected[:2]).max() < 2e-5


def test_several_references_take_the_best_of_each_part(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("distilbert")
    candidates, references = TEXTS[:2], [TEXTS[2:5], TEXTS[5:7]]
    expected = peer(candidates, references, folder, 2)
    found = triple(BertScore(model=str(folder), layer=2, compat="bert_score").score(Pairs(candidates, references)))
    assert np.abs(found - expected).max() < 2e-5


def test_one_pair_with_idf_is_zero_with_a_note_where_the_package_says_nan(tiny_model: Callable[..., Path]) -> None:
    scores = BertScore(model=str(tiny_model("bert")), layer=2, idf=True, compat="bert_score").score(
        Pairs.of(["the dog sat"], ["the cat sat"])
    )
    assert scores.corpus == 0
    assert [note.kind for note in scores.notes] == ["idf"]
    assert np.isfinite(triple(scores)).all()


def test_empty_texts_are_zero_before_rescaling(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    baseline = tmp_path / "b.tsv"
    baseline.write_text("LAYER,P,R,F\n0,.5,.5,.5\n1,.5,.5,.5\n2,.5,.5,.5\n")
    metric = BertScore(model=str(tiny_model("bert")), layer=2, compat="bert_score", baseline=str(baseline))
    assert metric.score(Pairs.of(["", "the cat"], ["the cat", "the cat"])).segments == pytest.approx([-1, 1])
