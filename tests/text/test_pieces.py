"""How vocabularies mark words, and what is punctuation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.text.pieces import is_continuation, is_punctuation, style_of, surface


def test_styles() -> None:
    assert style_of(["a", "b"]) == ""
    assert style_of(["Ġthe", "ing", "##", "#"]) == "Ġ"
    assert not is_continuation("ing", "")
    assert [is_punctuation(token, "##") for token in ("...", "„", "a", "3", "##,", "$", "")] == [
        True, True, False, False, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize("family", ["bert", "roberta", "t5"])
def test_a_real_vocabulary_tells_where_words_start(tiny_model: Callable[..., Path], family: str) -> None:
    tokenizer = Tokenizer(tiny_model(family))
    style = style_of(tokenizer.token(number) for number in range(tokenizer.size))
    assert style == {"bert": "##", "roberta": "Ġ", "t5": "▁"}[family]
    tokens = [tokenizer.token(number) for number in tokenizer.contents(["the migration"])[0]]
    starts = [place for place, token in enumerate(tokens) if place == 0 or not is_continuation(token, style)]
    assert len(starts) == 2
    assert "".join(surface(token, style) for token in tokens) == "themigration"
