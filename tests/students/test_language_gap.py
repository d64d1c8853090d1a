"""Scripts and languages of two texts: closed forms, the definition in plain Python, and lists against pairs."""

from __future__ import annotations

import math
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from farthing.students.language_gap import NAMES, CrossedLanguages, language_gaps
from farthing.text.trigrams import TABLE, UNIT, trigrams

ENGLISH, GERMAN = "we walked all day and were very tired", "gestern sind wir den ganzen tag gelaufen"
RUSSIAN, CHINESE = "вчера мы весь день шли пешком", "昨天我们走了一整天"
TEXTS = [
    ENGLISH, GERMAN, RUSSIAN, CHINESE, "", "12 % …", "The OK", "Да, ok", "😀 ok", "été",
    "Ieri abbiamo camminato tutto il giorno", "SHOUTED WORDS ARE READ AS IF THEY WERE NOT", "क्या", "x1 y2",
    "中文 und Deutsch, das hier",
]  # fmt: skip
TEXT = st.one_of(st.sampled_from(TEXTS), st.text(alphabet="abcdeéß .中да1", max_size=20))


def script_by_hand(first: str, second: str) -> float:
    """The share of letters without a partner of the same script."""

    def shares(text: str) -> dict[str, float]:
        names = []
        for character in text:
            kind = unicodedata.category(character)
            if kind in ("So", "Co", "Cn"):
                names.append("symbol")
            elif kind[0] in "LM":
                name = "LATIN" if ord(character) < 0x250 else unicodedata.name(character, "").split(" ")[0]
                names += [name] if name not in ("COMBINING", "VARIATION", "MODIFIER", "") else []
        return {name: names.count(name) / len(names) for name in names}

    own, other = shares(first), shares(second)
    if not own or not other:
        return float(bool(own) != bool(other))
    return 1 - sum(min(own.get(name, 0.0), other.get(name, 0.0)) for name in {*own, *other})


def language_by_hand(first: str, second: str) -> float:
    [table] = load_file(TABLE).values()

    def shares(text: str) -> list[float]:
        sums = [value / UNIT for value in table[trigrams([text]).buckets].sum(axis=0, dtype=np.int64).tolist()]
        likely = [math.exp(max(value - max(sums), -30.0)) for value in sums]
        return [value / sum(likely) for value in likely]

    return 1 - sum(math.sqrt(p * q) for p, q in zip(shares(first), shares(second), strict=True))


@pytest.mark.parametrize("first", TEXTS)
def test_the_definition(first: str) -> None:
    found = language_gaps([first] * len(TEXTS), TEXTS)
    assert found.shape == (len(TEXTS), len(NAMES))
    for row, second in zip(found, TEXTS, strict=True):
        assert row[0] == pytest.approx(script_by_hand(first, second), abs=1e-12)
        assert row[1] == pytest.approx(language_by_hand(first, second), abs=1e-5)


def test_closed_forms() -> None:
    rows = language_gaps(
        [ENGLISH, ENGLISH, ENGLISH, "", "12", RUSSIAN, "ab да"], [GERMAN, RUSSIAN, "12", "", "%", CHINESE, "ab"]
    )
    assert rows[:, 0].tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.5]
    assert rows[0, 1] > 0.99  # two languages of one script
    assert rows[[3, 4, 5], 1].tolist() == [0.0, 0.0, 0.0]  # no trigrams on either side: two flat posteriors
    columns = load_file(TABLE).popitem()[1].shape[1]
    [[_, apart]] = language_gaps([ENGLISH], ["12"])  # one column against a flat one: 1 - 1 / sqrt(columns)
    assert apart == pytest.approx(1 - 1 / math.sqrt(columns), abs=1e-3)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=6))
def test_equal_texts_do_not_differ_and_order_does_not_matter(pairs: list[tuple[str, str]]) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    assert not language_gaps(first, first).any()
    found = language_gaps(first, second)
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()
    assert language_gaps(second, first) == pytest.approx(found, abs=1e-12)
    for row, (one, other) in zip(found, pairs, strict=True):
        assert language_gaps([one], [other])[0] == pytest.approx(row, abs=1e-12)


@settings(max_examples=30)
@given(st.lists(TEXT, min_size=1, max_size=5), st.lists(TEXT, min_size=1, max_size=5))
def test_lists_are_their_pairs(candidates: list[str], references: list[str]) -> None:
    found = CrossedLanguages(candidates, references)
    for begin in (0, 1):
        part = found.gaps(slice(begin, begin + 2))
        for row, candidate in zip(part, candidates[begin : begin + 2], strict=True):
            expected = language_gaps([candidate] * len(references), references)
            assert row == pytest.approx(expected, abs=1e-12)
    assert isinstance(found.gaps(slice(0)), np.ndarray)
