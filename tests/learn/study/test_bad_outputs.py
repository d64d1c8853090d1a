"""Bad outputs: cases are made as described, and metrics whose mistakes are known are seen to make them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from farthing.core.metric import Metric
from farthing.core.types import Pairs
from farthing.learn.study import bad_outputs as study
from farthing.learn.study.bad_outputs import TranslationCase

Makes: TypeAlias = Callable[[Callable[[str, str], float]], Metric]

LANGUAGES = ("de", "en", "fr", "ja")
TEXTS = [{code: f"{code} says the sentence with the number {number}" for code in LANGUAGES} for number in range(5)]
GOOD = "eine gute lange Übersetzung"
CASE = TranslationCase(
    "de", "a good long source sentence", GOOD,
    {"empty": "", "copied source": "a good long source sentence", "unrelated": "etwas ganz anderes"},
    "gute Übersetzung",
)  # fmt: skip


def test_parallel_texts_give_every_language_the_same_share() -> None:
    cases = study.parallel_cases(TEXTS, 8, np.random.default_rng(1))
    assert [case.language for case in cases] == [*LANGUAGES, *LANGUAGES]
    for case in cases:
        code, number = case.language, case.real[-1]
        assert case.real == f"{code} says the sentence with the number {number}"
        assert case.bad["copied source"] == case.source != case.bad["other language"]
        assert {case.source[-1], case.bad["other language"][-1]} == {number}  # the same sentence elsewhere
        assert case.bad["unrelated"].startswith(code)
        assert case.bad["unrelated"][-1] != number
        assert len(case.reference.split()) == len(case.real.split()) - 1


def test_a_shorter_text_lacks_one_word_or_one_character() -> None:
    random = np.random.default_rng(1)
    assert len(study.shortened("one two three", random).split()) == 2
    assert len(study.shortened("短い文", random)) == 2


def test_unfair_cases_are_not_used() -> None:
    assert study.useful(CASE)
    assert study.useful(replace(CASE, reference=""))  # an empty output is bad, with or without a reference
    short = TranslationCase("de", "OK", "gut", {"empty": ""}, "ja")
    untranslated = TranslationCase("de", CASE.source, CASE.source, {"empty": ""}, "gute Übersetzung")
    right_after_all = TranslationCase("de", CASE.source, GOOD, {"unrelated": GOOD}, "gute Übersetzung")
    assert not any(map(study.useful, (short, untranslated, right_after_all)))


def test_the_middle_output_is_neither_the_best_nor_the_worst(length: Metric) -> None:
    assert study.middle_output("r", ["xxxxx", "x", "xxx", "x"], length) == "xxx"


def test_the_order_is_told_by_kind_and_language(rule: Makes, length: Metric) -> None:
    other = TranslationCase("fr", "another good source sentence", "une traduction", {"empty": ""}, "référence")
    longest = study.ordered(length, [CASE, other], sourced=False)  # the source is as long as the translation
    assert longest.kinds == {"empty": 1.0, "copied source": 0.0, "unrelated": 1.0}
    assert longest.languages == {"de": pytest.approx(2 / 3), "fr": 1.0}
    assert longest.wrong == [("copied source", CASE)]
    blind = study.ordered(rule(lambda candidate, reference: 1.0), [CASE], sourced=False)
    assert set(blind.kinds.values()) == {0.0}  # equal is not below


def test_sources_are_compared_if_they_are_wanted(rule: Makes, sourced: Makes) -> None:
    copies = sourced(lambda candidate, source: float(candidate == source))
    assert study.ordered(copies, [CASE], sourced=True).kinds["copied source"] == 0.0
    copied = rule(lambda candidate, reference: float(candidate == reference))
    assert (
        study.ordered(copied, [CASE], sourced=False).kinds["copied source"] == 0.0
    )  # both 0: no copy of the reference


def test_unrelated_pairs_are_never_equal() -> None:
    pairs = study.unrelated_pairs(["a", "b"], 50, np.random.default_rng(1))
    assert len(pairs) == 50
    assert set(pairs) == {("a", "b"), ("b", "a")}
    with pytest.raises(ValueError, match="two different texts"):
        study.unrelated_pairs(["a", "a"], 1, np.random.default_rng(1))


def test_a_batch_is_noticed_if_it_changes_a_score(length: Metric, crowded: Metric, sourced: Makes) -> None:
    pairs = Pairs.of(["a", "bb", "ccc"], ["r"] * 3)
    assert study.batch_difference(length, pairs) == 0
    assert study.batch_difference(crowded, pairs) == 2
    other = Pairs.of(["a", "bb"], None, ["r", "rr"])
    assert study.batch_difference(sourced(lambda candidate, source: float(len(source))), other) == 0


def test_a_source_does_not_tell_the_language_of_the_output(rule: Makes, sourced: Makes) -> None:
    bad: dict[study.BadOutput, str] = {"other language": "texte", "unrelated": "etwas"}
    case = study.TranslationCase("de", "a source", "ein Text", bad, "Text")
    by_reference, by_source = (make(lambda candidate, other: float(len(candidate))) for make in (rule, sourced))
    assert set(study.ordered(by_reference, [case], sourced=False).kinds) == {"other language", "unrelated"}
    assert set(study.ordered(by_source, [case], sourced=True).kinds) == {"unrelated"}


def test_a_system_that_does_not_translate() -> None:
    made = study.left_as_it_was("one two three", np.random.default_rng(1))
    assert made["empty"] == ""
    assert made["copied source"] == "one two three"
    assert made["source language"] in {"two three", "one three", "one two"}
