"""The hard pairs: one per language, and the worst judged of them come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from farthing.core.metric import Metric
from farthing.learn.study.hard_languages import REFERENCED, SOURCED, language_failures
from farthing.learn.study.measure import SHOWN

Makes: TypeAlias = Callable[[Callable[[str, str], float]], Metric]


def test_the_pairs_are_in_many_languages_and_some_should_be_high() -> None:
    assert len({one.language for one in REFERENCED}) == len(REFERENCED)
    assert all("-" in one.language for one in SOURCED)
    for pairs in (REFERENCED, SOURCED):
        assert len({one.candidate for one in pairs}) == len(pairs) > SHOWN
        assert {one.same for one in pairs} == {True, False}
        assert all(one.candidate != one.against for one in pairs)


def test_the_worst_come_first(rule: Makes, sourced: Makes) -> None:
    wanted = {(one.candidate, one.against): one.same for one in (*REFERENCED, *SOURCED)}

    def right(candidate: str, against: str) -> float:
        return 99.0 if wanted[candidate, against] else 1.0

    wrong = rule(lambda candidate, against: 95.0 if "18 h" in candidate else right(candidate, against))
    assert len(language_failures(wrong)) == SHOWN
    [worst] = language_failures(wrong, count=1)
    assert (worst["language"], worst["why"], worst["same"], worst["score"]) == ("fr", "another time", False, 95.0)
    blind = sourced(lambda candidate, against: 0.0)
    assert [one["same"] for one in language_failures(blind, count=5)] == [True] * 5
    assert {one["language"] for one in language_failures(blind, count=5)} <= {one.language for one in SOURCED}
