"""Words as numbers: those of a text stand for it, in any order of texts, with any memory and in any thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.text import split
from farthing.text.split import MANY, NumberedWords, SplitTexts, is_plain, split_texts

TEXT = st.text(st.sampled_from(["a", "B", "é", "\u0301", " ", "\t", "[", "中", "\0", ".", "\u00a0"]), max_size=12)


def words_of(found: SplitTexts) -> list[list[str]]:
    words = [found.memory.words[number] for number in found.numbers.tolist()]
    ends = np.cumsum(found.sizes)
    return [words[end - size : end] for end, size in zip(ends.tolist(), found.sizes.tolist(), strict=True)]


@settings(max_examples=60)
@given(st.lists(TEXT, max_size=20))
def test_the_words_of_plain_texts_are_found_again(texts: list[str]) -> None:
    every = [*texts, *["x y"] * MANY]
    found = split_texts(every)
    assert found.plain.tolist() == [is_plain(text) for text in every]
    assert words_of(found) == [text.split() for text in every if is_plain(text)]


def test_few_texts_are_not_split() -> None:
    found = split_texts(["a b"] * (MANY - 1))
    assert not found.plain.any()
    assert not len(found.numbers)
    assert not len(split_texts([]).plain)


@pytest.mark.parametrize("text", ["a[b", "a\tb", "a\nb", "a\0b", "中", "a\u00a0b", "é ["])
def test_other_texts_are_not_plain(text: str) -> None:
    assert not is_plain(text)


def test_a_full_memory_is_left_to_those_who_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split, "MOST", 2)
    first = split_texts(["p q r"] * MANY)
    second = split_texts(["s p"] * MANY)
    assert first.memory is not second.memory
    assert words_of(first)[0] == ["p", "q", "r"]
    assert words_of(second)[-1] == ["s", "p"]


def test_threads_give_no_number_twice() -> None:
    memory, words = NumberedWords(), [f"w{number % 500}" for number in range(4000)]
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(memory.__getitem__, words))
    assert [memory.words[number] for number in numbers] == words
    assert len(memory.words) == len(memory) == 500
