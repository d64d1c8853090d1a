"""What the embedded students do with texts that they cannot read, with silence, and with almost equal texts.

FARTHING_FULL=1 asks the full number of questions, as `benchmarks/everyday_robustness.py` does.
"""

from __future__ import annotations

import importlib.util
import os
import unicodedata
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import farthing
from farthing.core.metric import Metric
from farthing.metrics.frugalscore import FrugalScore

PROJECT = Path(__file__).resolve().parents[2]
FULL = bool(os.environ.get("FARTHING_FULL"))
SIZES = ("nano", "tiny", "small")
ENGLISH = (PROJECT / "examples" / "translation" / "reference.en").read_text(encoding="utf-8").splitlines()
FRENCH = (PROJECT / "examples" / "translation" / "source.fr").read_text(encoding="utf-8").splitlines()
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=24)


@pytest.fixture(scope="session", params=SIZES)
def metric(request: pytest.FixtureRequest) -> Metric:
    return FrugalScore(size=request.param)


@pytest.fixture(scope="session")
def nano() -> Metric:
    return FrugalScore(size="nano")


@pytest.fixture(scope="session")
def robustness() -> ModuleType:
    """The benchmark of the same questions."""
    spec = importlib.util.spec_from_file_location("robustness", PROJECT / "benchmarks" / "everyday_robustness.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_unrelated_texts_of_no_script_score_high_without_a_note(metric: Metric, robustness: ModuleType) -> None:
    assert len(robustness.SCRIPTS) > 20
    assert robustness.silent_nonsense(metric, 2000 if FULL else 100) == []


def test_nothing_scores_below_the_empty_output(metric: Metric, robustness: ModuleType) -> None:
    assert robustness.below_empty(metric, list(zip(FRENCH, ENGLISH, strict=True))[: None if FULL else 12]) == []


def test_nothing_scores_below_the_empty_output_on_many_references(
    metric: Metric, robustness: ModuleType, shared: Path
) -> None:
    every = list(robustness.parallel(shared))
    rows = np.random.default_rng(2).choice(len(every), 2000 if FULL else 40, replace=False)
    assert robustness.below_empty(metric, [every[row] for row in rows]) == []


def test_a_run_in_another_language_is_refused_with_what_to_use(metric: Metric) -> None:
    with pytest.raises(farthing.UsageError) as caught:
        metric.score(ENGLISH, FRENCH)
    sentence = str(caught.value)
    assert "reads only English" in sentence
    assert "mostly French" in sentence
    assert "leave out the size, or pass size=multi" in sentence


def test_a_translation_into_the_wrong_language_scores_low_and_is_noted(metric: Metric) -> None:
    scores = metric.score(FRENCH, ENGLISH)
    [note] = [note for note in scores.notes if note.kind == "unread"]
    assert len(note.rows) > 0.9 * len(ENGLISH)
    assert scores.corpus < 25


ALMOST = [
    "Paris",
    "the café in Zürich",
    "José",
    "NASA",
    "Straße",
    "Αθήνα",
    "Москва",
    "ประเทศไทย",
    "漢字",
    "😀😀",
    "İstanbul",
]


@pytest.mark.parametrize("text", ALMOST)
def test_case_and_accents_never_print_as_100(metric: Metric, text: str) -> None:
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    variants = [text.upper(), text.lower(), text.swapcase(), bare, text + ".", text + text[-1]]
    candidates = [one for one in variants if unicodedata.normalize("NFC", one) != text]
    pairs = farthing.Pairs.of([*candidates, *ENGLISH], [*[text] * len(candidates), *ENGLISH])
    printed = [f"{score:.2f}" for score in np.asarray(metric.score(pairs).segments)[: len(candidates)]]
    assert "100.00" not in printed


@settings(max_examples=2000 if FULL else 150)
@given(candidate=TEXT, reference=TEXT)
@example(candidate="Páris", reference="Paris")
@example(candidate="\u200b", reference="")
@example(candidate="\u200b", reference="\u200d")
@example(candidate="a b", reference="ab")
def test_100_means_equal(nano: Metric, candidate: str, reference: str) -> None:
    """Whatever the script: the two English rows make it a run that can be read."""
    score = np.asarray(nano.score([candidate, "a", "b"], [reference, "a", "b"]).segments)[0]
    forms = [unicodedata.normalize("NFC", text).split() for text in (candidate, reference)]
    assert f"{score:.2f}" != "100.00" if forms[0] != forms[1] else score == 100.0


@settings(max_examples=500 if FULL else 60)
@given(text=TEXT)
def test_equal_texts_score_100_in_any_script_and_form(nano: Metric, text: str) -> None:
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert np.asarray(nano.score([text, apart, "a", "b"], [text, composed, "a", "b"]).segments).tolist() == [100.0] * 4
