"""Keys and numbers of the real evaluate, whose metrics are scripts that its package downloads.

Its answers are recorded in evaluate_answers.json. With the scripts at hand (the folder `metrics` of the repository
huggingface/evaluate, named by EVALUATE_METRICS) the same cases are computed by the real package again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farthing.compat import evaluate
from farthing.compat.bert_score import BERTScorer
from farthing.compat.evaluate_answers import ANSWERS
from farthing.core.errors import UsageError
from farthing.metrics.rouge import TYPES

RECORDED = json.loads((Path(__file__).with_suffix("").with_name("evaluate_answers.json")).read_text(encoding="utf-8"))
TEXTS, CASES = RECORDED["texts"], RECORDED["answers"]


def same(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Equal keys in equal order, equal kinds of values, equal numbers."""
    kinds = [[type(value) for value in answer.values()] for answer in (found, expected)]
    numbers = all(found[key] == pytest.approx(value, rel=1e-9) for key, value in expected.items())
    return list(found) == list(expected) and kinds[0] == kinds[1] and numbers


@pytest.mark.parametrize(("name", "references", "options", "answer"), CASES)
def test_answers_are_those_of_evaluate(name: str, references: str, options: dict[str, Any], answer: Any) -> None:
    found = evaluate.load(name).compute(predictions=TEXTS["predictions"], references=TEXTS[references], **options)
    if name == "rouge":
        answer = {kind: value for kind, value in answer.items() if kind in TYPES}
    assert same(found, answer)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("name", "references", "options", "answer"), CASES)
def test_the_real_package_gives_the_recorded_answers(
    name: str, references: str, options: dict[str, Any], answer: dict[str, Any]
) -> None:
    real = pytest.importorskip("evaluate", reason="evaluate is not installed")
    scripts = os.environ.get("EVALUATE_METRICS")
    if scripts is None:
        pytest.skip("the scripts of evaluate are not here: set EVALUATE_METRICS to a folder with bleu, chrf, …")
    module = real.load(str(Path(scripts) / name))
    found = module.compute(predictions=TEXTS["predictions"], references=TEXTS[references], **options)
    assert list(found) == list(answer)
    assert all(
        found[key] == pytest.approx(value, abs=0.05 if name == "rouge" else 1e-9) for key, value in answer.items()
    )


def test_bleu_is_zero_without_a_match_and_takes_any_tokenizer() -> None:
    texts: dict[str, Any] = {"predictions": ["the cat sat"], "references": ["the cat sat"]}
    assert evaluate.compute("bleu", **texts)["bleu"] == 0  # no word 4-gram, and no smoothing
    letters = evaluate.compute("bleu", **texts, tokenizer=list)
    assert (letters["bleu"], letters["translation_length"]) == (1, len("the cat sat"))
    assert evaluate.compute("bleu", predictions=[""], references=["a b"])["bleu"] == 0
    with pytest.raises(UsageError, match="load sacrebleu"):
        evaluate.compute("bleu(tokenize=intl)", **texts)


def test_options_of_the_spec_and_of_the_call_add_up() -> None:
    texts: dict[str, Any] = {"predictions": ["The cat sat"], "references": ["the cat sat"]}
    assert evaluate.compute("chrf(lowercase=true)", **texts, word_order=2) == {
        "score": 100, "char_order": 6, "word_order": 2, "beta": 2,
    }  # fmt: skip
    assert evaluate.compute("sacrebleu(lowercase=true)", **texts, use_effective_order=True)["score"] == pytest.approx(
        100
    )


def test_bertscore_takes_the_arguments_of_bert_score(tiny_model: Callable[..., Path]) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    texts = ["the cat sat", "a dog"], ["the dog sat", "old winter"]
    options: dict[str, Any] = {"model_type": str(tiny_model("bert")), "num_layers": 2, "idf": True}
    module = evaluate.load("bertscore")
    module.compute(predictions=["rain"], references=["the rain"], **options)  # whose idf weights do not stay
    found = module.compute(predictions=texts[0], references=texts[1], **options)
    scorer = BERTScorer(**options, idf_sents=texts[1])
    expected: Any = scorer.score(*texts)
    assert found["hashcode"] == scorer.hash
    for name, part in zip(("precision", "recall", "f1"), expected, strict=True):
        assert found[name] == pytest.approx(part.tolist())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("exact_match", {"ignore_spaces": True}, "exact_match has no option 'ignore_spaces'"),
        ("rouge", {"rouge_types": ["rouge9"]}, "there is no rouge type 'rouge9'"),
        ("chrf", {"word_ordr": 2}, "word_order"),
        ("bertscore", {"model": "x"}, "bertscore of evaluate"),
    ],
)
def test_wrong_options_are_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate.compute(name, predictions=["a"], references=["b"], **options)


@pytest.mark.parametrize("name", [name for name in ANSWERS if name != "bertscore"])
def test_nothing_to_score_is_a_sentence(name: str) -> None:
    with pytest.raises(UsageError, match="nothing to score"):
        evaluate.load(name).compute(predictions=[], references=[])
