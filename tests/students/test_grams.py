"""N-grams that two texts have in common against a brute force over Python counters."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.students.grams import CHARACTERS, WORDS, common_of_pairs, cut_texts

TEXT = st.text(alphabet="aab c,.É", max_size=40)


def brute(first: Sequence[str], second: Sequence[str], n: int) -> int:
    """How many n-grams two sequences have in common, as multisets."""
    grams = [Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1)) for items in (first, second)]
    return (grams[0] & grams[1]).total()


def letters(text: str) -> list[str]:
    return list("".join(text.split()))


def words(text: str) -> list[str]:
    return re.findall(r"[abcé]+|[,.]", text.lower())


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5))
def test_common_n_grams_of_any_length(pairs: list[tuple[str, str]]) -> None:
    common = common_of_pairs([one for one, _ in pairs], [two for _, two in pairs])
    for row in range(CHARACTERS):
        assert common.letters[row].tolist() == [brute(letters(a), letters(b), row + 1) for a, b in pairs]
    for row in range(WORDS):
        assert common.words[row].tolist() == [brute(words(a), words(b), row + 1) for a, b in pairs]
    assert common.own.letters.tolist() == [len(letters(a)) for a, _ in pairs]
    assert common.other.words.tolist() == [len(words(b)) for _, b in pairs]


def test_an_n_gram_that_comes_again_and_again() -> None:
    common = common_of_pairs(["a" * 90 + "b" * 3, "xy" * 50], ["a" * 70 + "b" * 5, "xy" * 40 + "zz"])
    assert common.letters[0].tolist() == [73, 80]
    assert common.letters[5].tolist() == [65 + 3, 75]  # six times a, and three n-grams with both letters


def test_many_pairs_are_counted_as_each_alone() -> None:
    random = np.random.default_rng(0)
    texts = ["".join(random.choice(list("abc ,"), size=random.integers(0, 40))) for _ in range(300)]
    together = common_of_pairs(texts[:150], texts[150:])
    for row, (one, two) in enumerate(zip(texts[:150], texts[150:], strict=True)):
        alone = common_of_pairs([one], [two])
        assert (alone.letters[:, 0] == together.letters[:, row]).all()
        assert (alone.words[:, 0] == together.words[:, row]).all()


def test_sizes_of_cut_texts() -> None:
    cut = cut_texts(["a b,", "", "\u0130x y", "  "])
    assert cut.sizes.letters.tolist() == [3, 0, 3, 0]
    assert cut.sizes.words.tolist() == [3, 0, 2, 0]
    assert [len(hashes) for hashes, _ in cut.grams()[0]] == [6, 4, 2, 0, 0, 0]
