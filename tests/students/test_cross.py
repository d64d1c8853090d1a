"""Pairs of texts under a limit: as the tokenizers library itself cuts them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from farthing.students.cross import PairIds, as_batch, longest_first


@settings(deadline=None)  # the first call imports the tokenizers
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
