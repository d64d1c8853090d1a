"""Signatures against what is here: what a metric prints is found again, and every difference is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import UsageError
from farthing.core.metric import SetMetric
from farthing.core.registry import load
from farthing.core.signature import Signature
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs, Sets
from farthing.scoring.verification import ABSENT, FieldDifference, read_signature, verify_signature

SPECS = [
    "bleu", "bleu(tokenize=char, lowercase=true)", "bleu(smooth_method=floor, smooth_value=0.2)",
    "bleu(effective_order=true, max_ngram_order=2)", "chrf", "chrf(word_order=2, beta=3)",
    "chrf(char_order=4, whitespace=true, eps_smoothing=true)", "ter", "ter(case_sensitive=true, no_punct=true)",
    "rouge", "rouge(type=rouge1, stemmer=true)", "frugalscore", "frugalscore(size=nano)", "bertscore(model=nano)",
    "bertscore(model=nano, idf=true)", "moverscore(model=nano, ngram=2)", "fid(model=nano)",
    "prd(model=nano, clusters=10)",
]  # fmt: skip


def printed(spec: str) -> str:
    metric = load(spec)
    if isinstance(metric, SetMetric):
        return str(metric.score_sets(Sets([f"a cat {i}" for i in range(50)], ["a dog"] * 50)).signature)
    return str(metric.score(Pairs.of(["the cat sat", "a dog"], [["the cat", "b", "c"], ["a dog", "e", "f"]])).signature)


@pytest.mark.parametrize("spec", SPECS)
def test_what_a_metric_prints_is_found_again(spec: str) -> None:
    signature = printed(spec)
    found = verify_signature(signature)
    assert found.same, found
    assert printed(found.spec) == signature
    # the score of rouge is that of rougeL, and the default tells which student it has chosen
    assert found.spec == str(parse_spec(spec)) or "model=" in spec or spec in ("rouge", "frugalscore")
    assert set(found.unchecked) <= {"nrefs", "idf", "candidate_idf"}
    assert verify_signature(signature, spec).same


def test_differences_are_named() -> None:
    told = "chrf|nrefs:4|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.0.0|farthing:0.0.1"
    found = verify_signature(told)
    assert found.spec == "chrf(word_order=2)"
    assert [one.field for one in found.differences] == ["version", "farthing"]
    assert found.differences[0].told == "2.0.0"
    assert found.unchecked == ("nrefs",)
    other = verify_signature(told, "chrf")
    assert FieldDifference("nw", "2", "0") in other.differences


def test_other_weights_and_unknown_fields_are_named() -> None:
    signature = printed("frugalscore(size=nano)")
    weights = read_signature(signature)[1]["weights"]
    other = signature.replace(weights, "0123456789ab").replace("|farthing", "|more:1|farthing")
    found = verify_signature(other)
    assert found.differences == (
        FieldDifference("weights", "0123456789ab", weights),
        FieldDifference("more", "1", ABSENT),
    )


def test_what_is_not_here_is_a_sentence() -> None:
    assert "unknown metric 'comet22'" in verify_signature("comet22|nrefs:1|farthing:0.1.0").problem
    found = verify_signature("bertscore|nrefs:1|model:nobody/nothing|layer:5|farthing:0.1.0")
    assert not found.same
    assert found.problem.startswith(
        "bertscore cannot be loaded here: the model 'nobody/nothing' is not on this machine"
    )


@pytest.mark.parametrize("text", ["", "chrf", "chrf#0123abcd", "nrefs:1|case:mixed", "chrf|nrefs:1", "a|b|farthing:1"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a signature"):
        verify_signature(text)


def test_a_quoted_value_may_contain_the_separator() -> None:
    signature = Signature("x", {"prompts": ["a|b", 'c"d'], "n": 1})
    assert read_signature(str(signature)) == (
        "x", {"prompts": r'[a|b, "c\"d"]', "n": "1", "farthing": signature.version},
    )  # fmt: skip


def test_a_folder_is_compared_with_the_option(tiny_model: Callable[..., Path]) -> None:
    pytest.importorskip("torch")
    spec = f"bertscore(model={tiny_model('bert')}, layer=1)"
    signature = printed(spec)
    assert verify_signature(signature, spec).same
    other = verify_signature(signature, f"bertscore(model={tiny_model('bert')}, layer=2)")
    assert [one.field for one in other.differences] == ["layer"]
