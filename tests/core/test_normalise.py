"""Unicode form, quotes and case: the same for every metric, and named in the signature."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import farthing
from farthing.core.errors import SpecError
from farthing.core.normalise import FORMS, Normaliser
from farthing.core.types import Sets

NAMES = st.builds(
    lambda form, rest: "+".join([*form, *rest]),
    st.sampled_from([[], *([form] for form in FORMS)]),
    st.sampled_from([["quotes"], ["lower"], ["quotes", "lower"]]),
)


@given(NAMES, st.text(max_size=20))
def test_a_text_that_was_changed_stays_as_it_is(words: str, text: str) -> None:
    normaliser = Normaliser.of(words)
    assert normaliser is not None
    once = normaliser(text)
    assert normaliser(once) == once
    if normaliser.form:
        assert unicodedata.is_normalized(normaliser.form, once)


def test_each_word_does_what_it_says() -> None:
    def changed(words: str, text: str) -> str:
        normaliser = Normaliser.of(words)
        return text if normaliser is None else normaliser(text)

    assert changed("nfc", "e\u0301") == "é"
    assert changed("nfd", "é") == "e\u0301"
    assert changed("nfkc", "ﬁ２") == "fi2"
    assert changed("nfkc+lower", "ℌ") == "h"
    assert changed("quotes", "„Don’t“ «x» ‹y› 5′") == "\"Don't\" \"x\" 'y' 5'"
    assert changed("quotes+nfkc", "l´eau") == "l'eau"
    assert changed("lower", "ÀÉ Ω") == "àé ω"
    assert changed("quotes", "A`b`") == "A`b`"


def test_words_in_any_order_have_one_name() -> None:
    assert str(Normaliser.of("Lower + NFC+quotes")) == str(Normaliser.of(["quotes", "lower", "nfc"]))
    assert str(Normaliser.of("lower+nfc")) == "nfc+lower"
    assert Normaliser.of(None) is Normaliser.of("") is Normaliser.of([]) is None


@pytest.mark.parametrize("words", ["case", "nfc+nfd", "nfc,lower", True, False, 3, ["nfc", 1]])
def test_unknown_words_are_a_sentence(words: object) -> None:
    with pytest.raises(SpecError, match=r"is not understood: join at most one of nfc, nfd, nfkc, nfkd"):
        Normaliser.of(words)


PAIRS = (["“The” CAT", "e\u0301te"], [['"the" cat', "a dog"], ["ÉTE"]])
PLAIN = (['"the" cat', "éte"], [['"the" cat', "a dog"], ["éte"]])


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "frugalscore(size=nano)", "rouge"])
def test_every_metric_reads_the_changed_texts(name: str) -> None:
    head, _, rest = name.partition("(")
    options = f"{rest.removesuffix(')')}, " if rest else ""
    metric = farthing.load(f"{head}({options}normalise=lower+nfc+quotes)")
    expected = farthing.load(name).score(*PLAIN)
    for found in (metric.score(*PAIRS), farthing.score(*PAIRS, metric)):
        assert found.segments == pytest.approx(expected.segments)  # type: ignore[arg-type]
        assert found.corpus == pytest.approx(expected.corpus)
        assert found.signature.fields == {**expected.signature.fields, "normalise": "nfc+quotes+lower"}
    assert "normalise" not in expected.signature.fields


def test_metrics_with_different_texts_do_not_share_a_pass() -> None:
    found = farthing.score(*PAIRS, ["chrf", "chrf(normalise=nfc+quotes+lower)"])
    plain = farthing.score(*PLAIN, "chrf")
    assert found.scores("chrf(normalise=nfc+quotes+lower)").corpus == plain.corpus > found.scores("chrf").corpus
    assert found.labels == ("chrf", "chrf(normalise=nfc+quotes+lower)")


def test_a_metric_of_sets_reads_the_changed_texts() -> None:
    class Shared(farthing.SetMetric):
        """The share of generated texts that the corpus has, too."""

        about = farthing.MetricInfo("shared", "Share of known texts.", "", (0, 1), level="set")

        def score_sets(self, sets: Sets) -> farthing.Scores:
            known = [text in sets.corpus for text in sets.generated]
            return farthing.Scores(float(np.mean(known)), None, farthing.Signature("shared"))

    farthing.register("metric", "shared", Shared)
    generated, corpus = ["A", "b", "c"], ["a", "B", "x"]
    assert farthing.score(generated, corpus, "shared").corpus == 0
    for scores in (
        farthing.score(generated, corpus, "shared(normalise=lower)"),
        farthing.load("shared", normalise="lower").score(generated, corpus),
    ):
        assert scores.corpus == pytest.approx(2 / 3)
        assert scores.signature.fields == {"normalise": "lower"}
    with pytest.raises(farthing.MissingInput, match="shared needs a corpus"):
        farthing.load("shared").score(generated)


def test_a_metric_may_have_an_option_of_that_name_itself() -> None:
    class Own(farthing.Metric):
        """Returns its option."""

        about = farthing.MetricInfo("own", "", "", (0, 1))

        def __init__(self, *, normalise: bool = False) -> None:
            self.own = normalise

        def score_pairs(self, pairs: farthing.Pairs) -> farthing.Scores:
            return farthing.Scores(float(self.own), np.array([float(self.own)]), farthing.Signature("own"))

    farthing.register("metric", "own", Own)
    assert farthing.score(["a"], ["b"], "own(normalise=true)").corpus == 1
