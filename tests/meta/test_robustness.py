"""Minimal pairs from references: which texts stand in them, and who wins."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.registry import load
from farthing.meta.correlation import Undefined
from farthing.meta.robustness import make_checks, preference

REFERENCES = [
    ["He was not happy in Paris after 30 days.", "After 30 days in Paris he was unhappy."],
    ["The big film was sold to Maria.", "They sold Maria the large movie."],
    [],
    ["One"],
]


def test_checks_hold_the_good_text_and_a_changed_copy() -> None:
    checks = {check.name: check for check in make_checks(REFERENCES, good="identical", seed=1)}
    assert set(checks) == {
        "negation", "number", "name", "antonym", "word order", "neighbours", "drop", "repeat", "typo",
    }  # fmt: skip
    assert checks["number"].rows == (0,)
    assert checks["number"].good == (REFERENCES[0][0],)
    assert checks["number"].bad[0] != REFERENCES[0][0]
    assert checks["repeat"].rows == (0, 1, 3)
    assert len(checks["drop"].pairs()) == 4


def test_another_reference_is_the_good_text_where_there_is_one() -> None:
    (check,) = make_checks(REFERENCES, changes=["repeat"], good="reference")
    assert check.good == (REFERENCES[0][1], REFERENCES[1][1])
    assert check.rows == (0, 1)
    assert check.references == (REFERENCES[0][0], REFERENCES[1][0])
    assert make_checks(REFERENCES, changes=["repeat"], good="auto") == [check]
    single = [texts[:1] for texts in REFERENCES]
    assert make_checks(single, changes=["repeat"]) == make_checks(single, changes=["repeat"], good="harmless")


def test_a_harmless_change_competes_with_a_harmful_one() -> None:
    (check,) = make_checks(REFERENCES, changes=["antonym"], good="harmless", seed=3)
    assert check.rows == (0, 1)
    assert all(good != reference for good, reference in zip(check.good, check.references, strict=True))
    assert check.bad[1] in ("The small film was sold to Maria.", "The big film was bought to Maria.")


def test_sources_follow_their_rows_and_a_seed_fixes_the_texts() -> None:
    sources = ["a", "b", "c", "d"]
    checks = make_checks(REFERENCES, sources, good="identical", seed=2)
    repeat = next(check for check in checks if check.name == "repeat")
    assert repeat.sources == ("a", "b", "d")
    assert repeat.pairs().sources == ["a", "b", "d", "a", "b", "d"]
    assert checks == make_checks(REFERENCES, sources, good="identical", seed=2)
    assert checks != make_checks(REFERENCES, sources, good="identical", seed=3)


def test_a_bag_of_words_cannot_see_word_order_and_a_string_metric_can() -> None:
    texts = [[f"alpha beta gamma delta epsilon zeta number {number} ends here"] for number in range(20)]
    (check,) = make_checks(texts, changes=["word order"], good="identical")
    scores = load("chrf").score(check.pairs()).segments
    assert scores is not None
    assert preference(scores[:20], scores[20:]).rate == 1
    bag = np.array([len(set(text.split())) for text in check.pairs().candidates], dtype=float)
    blind = preference(bag[:20], bag[20:])
    assert (blind.rate, blind.ties, blind.margin) == (0.5, 1, 0)


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="unknown change 'colour'"):
        make_checks(REFERENCES, changes=["colour"])
    with pytest.raises(UsageError, match="unknown kind of good text"):
        make_checks(REFERENCES, good="best")  # type: ignore[arg-type]
    with pytest.raises(Undefined, match="no reference allows"):
        make_checks([["..."]], changes=["number"])
    with pytest.raises(UsageError, match="as many good as bad"):
        preference(np.zeros(2), np.zeros(3))
