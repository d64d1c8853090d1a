"""Surface differences against sacrebleu's chrF and a brute force over Python counters."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.students import surface
from farthing.students.surface import CHRF, CharacterScale, most_of_unequal, surface_gaps

TEXT = st.text(alphabet="ab c,.é", max_size=30)


def column(name: str, candidates: list[str], references: list[str]) -> np.ndarray:
    return surface.surface_gaps(candidates, references)[:, surface.NAMES.index(name)]


def brute(candidate: str, reference: str, n: int) -> float:
    """One minus the precision of character n-grams, spaces left out."""
    bare = ("".join(text.split()) for text in (candidate, reference))
    grams = [Counter(text[i : i + n] for i in range(len(text) - n + 1)) for text in bare]
    if not grams[0]:
        return 0.0 if not grams[1] else 1.0
    return 1 - (grams[0] & grams[1]).total() / grams[0].total()


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), st.integers(1, surface.CHARACTERS))
def test_n_grams_are_counted_as_multisets(pairs: list[tuple[str, str]], n: int) -> None:
    candidates, references = [a for a, _ in pairs], [b for _, b in pairs]
    found = column(f"precision of {n} characters", candidates, references)
    assert found == pytest.approx([brute(a, b, n) for a, b in pairs])


def test_chrf_is_sacrebleus() -> None:
    from sacrebleu.metrics import CHRF

    candidates = ["The cat sat on the mat, he said.", "Completely other words", "A dog barks at night"]
    references = ["A cat sat on that mat, he says.", "Quite different terms here", "A dog barked in the night"]
    expected = [CHRF().sentence_score(a, [b]).score / 100 for a, b in zip(candidates, references, strict=True)]
    assert 1 - column("chrF", candidates, references) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_equal_texts_do_not_differ(texts: list[str]) -> None:
    assert not surface.surface_gaps(texts, texts).any()


@settings(max_examples=30)
@given(st.tuples(TEXT, TEXT))
def test_a_pair_does_not_depend_on_its_mates(pair: tuple[str, str]) -> None:
    alone = surface.surface_gaps([pair[0]], [pair[1]])[0]
    many = surface.surface_gaps(["other, text"] * 99 + [pair[0]], ["some text"] * 99 + [pair[1]])[-1]
    assert (alone == many).all()


def test_words_ignore_case_and_part_from_punctuation() -> None:
    assert column("precision of 1 words", ["The end."], ["the END ."]) == pytest.approx([0.0])
    assert column("precision of 2 words", ["a b c"], ["c b a"]) == pytest.approx([1.0])


def test_all_white_space_is_left_out() -> None:
    white = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert not surface_gaps([f"a{one}b c" for one in white], ["a b  c"] * len(white)).any()
    assert not surface_gaps(["".join(white)], [""]).any()


def test_a_letter_whose_small_form_is_two_characters() -> None:
    """The words of the texts behind it stay their own."""
    gaps = surface_gaps(["\u0130zmir x", "the cat", "a"], ["i\u0307zmir x", "the dog", "a"])
    assert gaps[:, surface.NAMES.index("precision of 1 words")].tolist() == [0.0, 0.5, 0.0]


def test_lengths_are_signed() -> None:
    longer = column("words", ["a b c d"], ["a b"])
    assert longer == pytest.approx([np.log(5 / 3)])
    assert column("words", ["a b"], ["a b c d"]) == pytest.approx(-longer)


def test_no_pair_gives_no_row() -> None:
    assert surface.surface_gaps([], []).shape == (0, len(surface.NAMES))


def test_the_scale_of_characters_in_closed_form() -> None:
    scale = CharacterScale(far=0.8, power=2.0)
    assert scale.scores_of(np.array([0.0, 0.4, 0.8, 1.0])) == pytest.approx([100.0, 75.0, 0.0, -56.25])
    gaps = surface_gaps(["кот спит", "кот спит"], ["кот спит", "дом"])
    assert scale.scores(gaps) == pytest.approx(scale.scores_of(gaps[:, CHRF]))


def test_unequal_texts_lose_the_share_that_differs_if_their_tokens_do_not() -> None:
    gaps = surface_gaps(["Páris", "a" * 500 + "á", "the cat"], ["Paris", "a" * 501, "thecat"])
    alike = np.array([True, True, True])
    assert most_of_unequal(gaps, alike).tolist() == [100 - gaps[0, CHRF], 99.99, 99.99]
    assert most_of_unequal(gaps, ~alike).tolist() == [99.99] * 3
