"""Python tokenizers in the shape of fast ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import transformers

from farthing.core.errors import ModelError
from farthing.encoders.tokens.slow_tokens import SlowBackend
from farthing.encoders.tokens.tokenize import Tokenizer


def test_it_answers_as_the_fast_one_does(tiny_model: Callable[..., Path]) -> None:
    """A tokenizer that exists in both forms gives the same through either."""
    folder = tiny_model("bert")
    both = transformers.AutoTokenizer.from_pretrained(folder)
    slow, fast = SlowBackend(both), both.backend_tokenizer
    for special in (True, False):
        for text in ("the cat sat", "", "naïve 🙂"):
            expected = fast.encode(text, add_special_tokens=special).ids
            assert slow.encode(text, add_special_tokens=special).ids == expected
            assert slow.encode_batch_fast([text], add_special_tokens=special)[0].ids == expected
    assert slow.encode("the cat", "rain").ids == fast.encode("the cat", "rain").ids
    assert slow.get_vocab() == fast.get_vocab()
    assert slow.get_vocab_size() == fast.get_vocab_size(with_added_tokens=True)
    assert (slow.id_to_token(7), slow.token_to_id("[CLS]")) == (fast.id_to_token(7), fast.token_to_id("[CLS]"))
    assert slow.token_to_id("no such token") is None


class Vocabulary:
    def __init__(self, **vocabulary: int) -> None:
        self.vocabulary = vocabulary

    def get_vocab(self) -> dict[str, int]:
        return self.vocabulary


def test_the_description_changes_with_the_vocabulary_alone() -> None:
    one, same, other = (SlowBackend(Vocabulary(**words)).to_str() for words in
                        ({"a": 0, "b": 1}, {"b": 1, "a": 0}, {"a": 1, "b": 0}))  # fmt: skip
    assert one == same != other
    assert json.loads(one)["class"] == "Vocabulary"


def test_it_cannot_be_exported(dev_model: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="exists in Python only and cannot be exported"):
        Tokenizer(dev_model("opus-en-fr")).save(tmp_path / "tokenizer.json")
