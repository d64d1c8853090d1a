"""What requests may name, and what they may not."""

from __future__ import annotations

import pytest

from farthing.core.errors import UnknownName
from farthing.core.registry import METRICS, load, metric_options
from farthing.core.specs import Spec
from farthing.service.allowed import ALLOWED, NORMALISE, AllowedMetrics, Between, NotAllowed

MACHINE = {"threads", "device", "cache", "backend", "model", "sentence_model", "lm", "remap", "stop_words", "baseline"}


@pytest.mark.parametrize(
    "spec",
    [
        "judge(url=http://x)", "comet(model=/m)", "perplexity", "bartscore", "frugalscore(model=/etc/passwd)",
        "frugalscore(size=../../x)", "bertscore(model=roberta-large)", "bertscore(model=small, idf=/etc/passwd)",
        "bertscore(cache=/tmp)", "bertscore(threads=64)", "chrf(char_order=1000000)", "chrf(beta=true)",
        "bleu(tokenize=flores200)", "bleu(lowercase=1)", "spbleu", "chrf(nothing=1)", "chrf(", "", "chrf,bleu",
        "mine:Metric",
    ],
)  # fmt: skip
def test_paths_addresses_downloads_and_wild_numbers_are_refused(spec: str) -> None:
    with pytest.raises(NotAllowed):
        AllowedMetrics().spec(spec)


def test_no_entry_lets_a_path_or_the_machine_in() -> None:
    for name, entry in ALLOWED.items():
        for option, values in entry.options.items():
            assert option in metric_options(name)
            assert option not in MACHINE - {"model"}
            if option == "model":
                assert values == ("small", "tiny", "nano")
        assert not METRICS.get(name).__dict__.get("changes_segments", False)  # rows are final when they are streamed


@pytest.mark.parametrize("name", [name for name in ALLOWED if name != "frugalscore"])
def test_every_listed_value_is_one_that_the_metric_takes(name: str) -> None:
    entry = ALLOWED[name]
    for option, values in {**entry.options, "normalise": NORMALISE}.items():
        for value in (values.low, values.high) if isinstance(values, Between) else values:
            spec = AllowedMetrics().spec(str(Spec(name, {option: value})))
            load(spec)


def test_a_spec_is_completed_and_named_once() -> None:
    allowed = AllowedMetrics()
    assert [str(spec) for spec in allowed.specs(["chrF++", "chrf(word_order=2)", "BERTScore"])] == [
        "chrf(word_order=2)",
        "bertscore(model=small)",
    ]
    assert [str(spec) for spec in allowed.specs([])] == ["frugalscore"]
    assert allowed.characters(allowed.specs(["ter", "chrf"])) == 2_000
    assert allowed.characters(allowed.specs(["chrf"])) is None
    assert allowed.is_set(allowed.spec("distinct"))


def test_a_service_may_offer_less() -> None:
    few = AllowedMetrics(["chrf", "bleu"])
    assert few.default == "chrf"
    with pytest.raises(NotAllowed, match="there are: chrf, bleu"):
        few.spec("frugalscore")
    with pytest.raises(UnknownName):
        AllowedMetrics(["judge"])


def test_numbers_between() -> None:
    assert 3 in Between(1, 3)
    assert 0.5 in Between(0.0, 1.0)
    assert all(value not in Between(1, 3) for value in (0, 4, 2.0, True, "2", None))
    assert str(Between(1, 3)) == "1 to 3"
