"""Words from memory against the tokenizer itself."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

import farthing
from farthing.encoders.tokens.slow_tokens import SlowBackend
from farthing.encoders.tokens.words import WordMemory, fits
from farthing.text import split

SMALL = Path(farthing.__file__).parent / "models" / "small" / "tokenizer.json"


def backend(change: str = "", to: str = "") -> Tokenizer:
    found = Tokenizer.from_str(SMALL.read_text(encoding="utf-8").replace(change or "\0", to))
    found.no_truncation()
    found.no_padding()
    return found


BACKEND = backend()
MEMORY = WordMemory(BACKEND)
RANGES = ((0, 0x7F), (0, 0x5FF), (0x2000, 0x20FF), (0, 0x10FFFF))


def cut(texts: list[str], memory: WordMemory = MEMORY) -> list[list[int] | None]:
    """The ids of every text, None for one that is left to the tokenizer."""
    numbered = split.split_texts([*texts, *[""] * split.MANY])
    found = iter(memory.cut(numbered))
    return [next(found) if plain else None for plain in numbered.plain[: len(texts)].tolist()]


@settings(max_examples=300)
@given(st.text(st.one_of(*(st.characters(min_codepoint=a, max_codepoint=b) for a, b in RANGES)), max_size=60))
def test_any_text_is_cut_as_the_tokenizer_cuts_it(text: str) -> None:
    [found] = cut([text])
    if found is not None:
        assert found == BACKEND.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a" * 101,
        "a" * 100,
        "don't-stop_now$5.00",
        "x  y",
        "  ",
        "`^~|<>=+",
        "UPPER Case",
        "Caf\u00e9",
        "\u201cDon\u2019t\u201d\u2014no\u2026",
        "\u03a3\u0391\u03a3 \u20ac5",
        "e\u0301-\u0301x",
    ],
)
def test_corners(text: str) -> None:
    assert cut([text]) == [BACKEND.encode(text, add_special_tokens=False).ids]


@pytest.mark.parametrize("text", ["\u00e9[", "a\u00a0b", "a\tb", "a\x00b", "[SEP]", "a [MASK] b", "\u4e2d"])
def test_other_texts_are_left_to_the_tokenizer(text: str) -> None:
    assert cut([text]) == [None]


def test_real_texts(shared: Path) -> None:
    with gzip.open(shared / "data" / "human" / "wmt16_da_seg.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["candidate"] for line in lines]
    expected = [one.ids for one in BACKEND.encode_batch_fast(texts, add_special_tokens=False)]
    found = cut(texts)
    assert [ids for ids in found if ids is not None] == [
        e for e, ids in zip(expected, found, strict=True) if ids is not None
    ]
    assert sum(ids is not None for ids in found) > 2000


def test_a_memory_of_other_words_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = WordMemory(BACKEND)
    monkeypatch.setattr(split, "MOST", 3)
    for number in range(5):
        text = f"qqxz{number} zzqk{number}"
        assert cut([text], memory) == [BACKEND.encode(text, add_special_tokens=False).ids]
    assert len(memory._known.ids) <= 4  # two words, the end of a text, and no more than that of former texts


def test_it_is_for_lower_casing_bert_only() -> None:
    assert fits(BACKEND)
    assert not fits(backend('"lowercase":true', '"lowercase":false'))
    assert not fits(backend('"BertPreTokenizer"', '"WhitespaceSplit"'))
    assert not fits(SlowBackend(PythonOnly()))


class PythonOnly:
    """A tokenizer of transformers that has no fast version."""

    def get_vocab(self) -> dict[str, int]:
        return {"a": 0}
