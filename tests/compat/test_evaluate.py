"""The shape of evaluate, combinations of metrics, and no stale idf."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farthing.compat import evaluate
from farthing.core.errors import UnknownName, UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore


def test_bertscore_has_the_keys_of_evaluate(tiny_model: Callable[..., Path]) -> None:
    module = evaluate.load(f'bertscore(model="{tiny_model("bert")}", layer=2)')
    found = module.compute(predictions=["the cat", "rain"], references=[["the dog", "the cat"], "rain"])
    assert list(found) == ["precision", "recall", "f1", "hashcode"]
    assert found["f1"] == pytest.approx([1, 1], abs=1e-6)


def test_idf_belongs_to_the_call(tiny_model: Callable[..., Path]) -> None:
    model = str(tiny_model("bert"))
    module = evaluate.load(f'bertscore(model="{model}", layer=2, idf=true)')
    module.compute(predictions=["rain", "the cat"], references=["the rain", "the mat"])
    predictions, references = ["the dog sat", "a bridge"], ["the cat sat", "old winter"]
    second = module.compute(predictions=predictions, references=references)
    fresh = BertScore(model=model, layer=2, idf=True).score(Pairs.of(predictions, references))
    assert second["f1"] == pytest.approx(fresh.segments)


def test_compute_is_load_and_compute() -> None:
    pairs: dict[str, Any] = {"predictions": ["the cat", "rain"], "references": [["the dog", "a cat"], "rain"]}
    assert evaluate.compute("chrf", **pairs) == evaluate.load("chrf").compute(**pairs)
    default = evaluate.compute(**pairs)
    assert list(default)[:2] == ["frugalscore", "scores"]
    assert default["scores"] == load_pairs_metric("frugalscore").score(Pairs.of(*pairs.values())).segments.tolist()


def test_adding_bit_by_bit() -> None:
    module = evaluate.load("chrf")
    module.add(prediction="a b", reference="a b")
    module.add_batch(predictions=["c d"], references=[["c d", "e"]])
    assert module.compute()["score"] == 100
    with pytest.raises(UsageError, match="2 predictions but 1 references"):
        module.compute(predictions=["a", "b"], references=["a"])


def test_columns_of_any_kind() -> None:
    import pandas

    predictions, references = ["the cat", "rain"], ["the dog", "rain"]
    expected = evaluate.compute("chrf", predictions=predictions, references=references)
    for one, two in ((pandas.Series(predictions), pandas.Series(references)), (iter(predictions), iter(references))):
        assert evaluate.compute("chrf", predictions=one, references=two) == expected
    with pytest.raises(UsageError, match="predictions is a single string"):
        evaluate.compute("chrf", predictions="the cat", references=references)


PAIRS: dict[str, Any] = {"predictions": ["the cat sat", "rain"], "references": [["the dog", "a cat sat"], ["rain"]]}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    "names",
    [["bleu", "rouge"], ["chrf", "ter"], ["chrf", "bleu", "chrf(beta=1)"], {"a": "chrf", "b": "chrf(word_order=2)"}],
    ids=str,
)
def test_combine_names_keys_as_evaluate_does(names: Any, force: bool) -> None:
    real = pytest.importorskip("evaluate", reason="evaluate is not installed")
    found = evaluate.combine(names, force_prefix=force).compute(**PAIRS)
    named = names.items() if isinstance(names, dict) else enumerate(names)
    modules = {key: evaluate.load(name) for key, name in named}
    combined = real.combine(modules if isinstance(names, dict) else list(modules.values()), force_prefix=force)
    assert found == combined.compute(**PAIRS)
    combined.add_batch(**PAIRS)
    assert found == combined.compute()


def test_a_combination_collects_too() -> None:
    both = evaluate.combine(["chrf", "ter"])
    both.add("the cat sat", ["the dog", "a cat sat"])
    both.add_batch(iter(["rain"]), iter([["rain"]]))
    assert both.compute() == evaluate.combine([evaluate.load("chrf"), "ter"]).compute(**PAIRS)


def test_load_ignores_only_what_cannot_matter() -> None:
    assert evaluate.load("chrf", keep_in_memory=True, experiment_id="x").name == "chrf"
    with pytest.raises(UsageError, match="takes no config_name"):
        evaluate.load("chrf", "en")
    with pytest.raises(UsageError, match="takes no num_process"):
        evaluate.load("chrf", num_process=2)
    with pytest.raises(UnknownName, match="did you mean 'chrf'"):
        evaluate.load("chrff")
    with pytest.raises(UsageError, match="judges a set"):
        evaluate.load("impar(model=nano)")
