"""Metrics by name: lazily, with plug-ins, and with a helpful word for a wrong name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from typing import Annotated, Literal

import pytest

from farthing import Pairs
from farthing.core import registry
from farthing.core.errors import MissingExtra, SpecError, UnknownName, UsageError
from farthing.core.options import checked_options, options_of
from farthing.core.registry import load_pairs_metric, metric_options
from farthing.core.specs import SPELLINGS, parse_spec, plain_name

GROUP = "farthing.metrics"


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    found: list[EntryPoint] = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found)
    registry.METRICS.__dict__.pop("_entry_points", None)
    yield found
    registry.METRICS.__dict__.pop("_entry_points", None)


def test_unknown_metric_says_what_is_near() -> None:
    with pytest.raises(UnknownName, match="unknown metric 'blue'; did you mean 'bleu'"):
        registry.load("blue")


def test_unknown_option_says_what_is_near() -> None:
    with pytest.raises(UnknownName, match="unknown option of chrf 'wordorder'; did you mean 'word_order'"):
        registry.load("chrf(wordorder=2)")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("chrf(word_order=two)", "chrf: word_order=two is not integer"),
        ("chrf(word_order=true)", "word_order=true is not integer"),
        ("chrf(lowercase=1)", "lowercase=1 is not true | false"),
        ("bleu(smooth_method=good)", "is not exp | floor | add-k | none"),
        ("chrf(char_order=0)", "char_order=0 must be above 0"),
    ],
)
def test_wrong_values_are_refused(spec: str, expected: str) -> None:
    with pytest.raises(SpecError) as caught:
        registry.load(spec)
    assert expected in str(caught.value)


def test_none_is_a_word_where_it_is_a_choice() -> None:
    found = registry.load("bleu(tokenize=none, smooth_method=none)").score(Pairs.of(["a b"], ["a b"]))
    assert "tok:none|smooth:none" in str(found.signature)


def test_plugin_is_found(plugins: list[EntryPoint]) -> None:
    plugins.append(EntryPoint("mine", "farthing.metrics.lexical:Chrf", GROUP))
    assert registry.load("mine(word_order=2)").info.name == "chrf"
    assert "mine" in registry.METRICS.names()


def test_what_is_registered_is_found_by_class_or_by_location(monkeypatch: pytest.MonkeyPatch) -> None:
    from farthing.metrics.lexical import Chrf

    monkeypatch.setitem(registry._ADDED, "metric", {})
    registry.register("metric", "mine", Chrf)
    registry.register("metric", "other", "farthing.metrics.lexical:Bleu")
    assert isinstance(registry.load("mine(beta=3)"), Chrf)
    assert registry.load("other").info.name == "bleu"
    assert {"mine", "other", "chrf"} <= set(registry.METRICS.names())
    with pytest.raises(UnknownName, match="unknown kind of thing to register 'metrics'; did you mean 'metric'"):
        registry.register("metrics", "x", Chrf)  # type: ignore[arg-type]


def test_a_metric_of_sets_is_none_of_pairs() -> None:
    assert registry.load_pairs_metric("chrf").info.level == "segment"
    with pytest.raises(UsageError, match="fid judges a set, not pairs"):
        registry.load_pairs_metric("fid")


def test_every_builtin_metric_is_described_and_documents_its_options() -> None:
    for name in registry.METRICS.builtin:
        about = registry.METRICS.get(name).about
        assert (about.name, bool(about.summary), bool(about.paper)) == (name, True, True)
        assert all(option.help for option in registry.metric_options(name).values()), name


def test_two_of_one_name_are_refused(plugins: list[EntryPoint]) -> None:
    plugins.append(EntryPoint("bleu", "elsewhere:Bleu", GROUP))
    with pytest.raises(UsageError, match="two metrics are called 'bleu'"):
        registry.METRICS.names()


def test_broken_plugin_is_one_sentence(plugins: list[EntryPoint]) -> None:
    plugins.append(EntryPoint("mine", "no_such_module_here:X", GROUP))
    with pytest.raises(UsageError, match="'mine' cannot be imported"):
        registry.load("mine")


def test_missing_extra_names_the_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    builtin = registry.Registry("metric", {"deep": "torch:Metric"})
    with pytest.raises(MissingExtra, match=r"deep needs the extra 'torch': pip install 'farthing\[torch\]'"):
        builtin.get("deep")


def test_options_come_from_the_constructor() -> None:
    class Example:
        def __init__(
            self, *, size: Annotated[int, "how big"], mode: Literal["a", "b"] = "a", ratio: float = 1.0
        ) -> None: ...

    known = options_of(Example)
    assert known["size"].help == "how big"
    assert known["size"].default is ...
    assert known["mode"].type_name == "a | b"
    assert checked_options("example", {"size": 1, "ratio": 2}, known) == {"size": 1, "ratio": 2.0}
    with pytest.raises(SpecError, match="example needs the option size: how big"):
        checked_options("example", {}, known)


def test_import_is_light() -> None:
    """`import farthing`, and making the lexical metrics, must not load the heavy libraries."""
    heavy = "{'torch', 'transformers', 'ot', 'matplotlib', 'pandas', 'scipy', 'pyarrow', 'onnxruntime'}"
    code = f"import sys, farthing; farthing.load('chrf'); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("BLEU", "bleu"), ("sacrebleu", "bleu"), ("SacreBLEU", "bleu"), ("chrF", "chrf"), ("chrF2", "chrf"),
        ("chrF++", "chrf(word_order=2)"), ("chrF2++", "chrf(word_order=2)"), ("chrf_pp", "chrf(word_order=2)"),
        ("TER", "ter"), ("ROUGE", "rouge"), ("rougeL", "rouge(type=rougeL)"), ("rouge-l", "rouge(type=rougeL)"),
        ("ROUGE-1", "rouge(type=rouge1)"), ("rouge_2", "rouge(type=rouge2)"), ("BERTScore", "bertscore"),
        ("bert_score", "bertscore"), ("bert-score(layer=5)", "bertscore(layer=5)"), ("MoverScore", "moverscore"),
        ("BARTScore", "bartscore"), ("FrugalScore", "frugalscore"), ("Mark-Evaluate", "markevaluate"), ("FID", "fid"),
    ],
)  # fmt: skip
def test_usual_spellings_are_understood(written: str, meant: str) -> None:
    assert str(parse_spec(written)) == meant
    assert metric_options(written.partition("(")[0])


def test_every_spelling_leads_to_a_metric_and_its_options() -> None:
    for name, (own, options) in SPELLINGS.items():
        assert name == plain_name(name)
        assert set(options) <= set(metric_options(own))


def test_a_spelling_scores_under_the_canonical_name() -> None:
    found = load_pairs_metric("chrF++").score(Pairs.of(["a b"], ["a c"]))
    assert found.metric == "chrf"
    assert found.signature.fields["nw"] == "2"


def test_a_registered_name_is_not_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.core.registry.OWN_NAMES", {"BLEU"})
    monkeypatch.setattr("farthing.core.specs.OWN_NAMES", {"BLEU"})
    assert str(parse_spec("BLEU")) == "BLEU"
    assert str(parse_spec("Bleu")) == "bleu"
