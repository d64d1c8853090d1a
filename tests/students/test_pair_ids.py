"""Two texts as one input: truncated as the tokenizers library itself does it, split into windows, padded."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.students.pair_ids import PairIds, as_batch, longest_first, pair_ids, pair_windows, special_count


@given(some.integers(0, 300), some.integers(0, 300), some.integers(2, 256))
def test_longest_first_is_the_tokenizers_own(first: int, second: int, room: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    backend = Tokenizer(models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.enable_truncation(room, strategy="longest_first")
    ids = backend.encode("a " * first, "b " * second).ids
    assert longest_first(first, second, room) == (ids.count(0), ids.count(1))


def test_a_batch_is_padded_on_the_right() -> None:
    batch = as_batch([PairIds([5, 6, 7], [0, 0, 1]), PairIds([8], [0])], pad=9)
    assert batch["input_ids"].tolist() == [[5, 6, 7], [8, 9, 9]]
    assert batch["token_type_ids"].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]


@given(some.integers(0, 200), some.integers(0, 200), some.integers(2, 50))
def test_windows_keep_every_token_once_and_fit(first: int, second: int, room: int) -> None:
    one, two = list(range(first)), list(range(second))
    windows = pair_windows(one, two, room)
    assert [token for left, _ in windows for token in left] == one
    assert [token for _, right in windows for token in right] == two
    assert all(len(left) + len(right) <= room for left, right in windows)
    assert len(windows) == 1 or first + second > room


def test_a_pair_that_fits_is_one_window() -> None:
    assert pair_windows([1, 2], [], room=2) == [([1, 2], [])]
    assert pair_windows([], [], room=2) == [([], [])]


def test_a_pair_has_the_specials_of_its_tokenizer(cross_folder: Path) -> None:
    tokenizer = Tokenizer(cross_folder, leading_space=False)
    [first, second] = tokenizer.contents(["the cat sat on", "a dog"])
    whole = pair_ids(tokenizer, first, second, limit=96)
    assert special_count(tokenizer) == 3  # [CLS] first [SEP] second [SEP]
    assert len(whole.ids) == len(whole.types) == len(first) + len(second) + 3
    assert whole.types == [0] * (len(first) + 2) + [1] * (len(second) + 1)
    assert len(pair_ids(tokenizer, first, second, limit=6).ids) == 6
