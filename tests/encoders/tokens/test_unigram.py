"""Tokenizers of a few pieces against the whole."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Library

from farthing.encoders.folder.locate import EMBEDDED
from farthing.encoders.tokens import unigram
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.encoders.tokens.unigram import PartedUnigram, UnigramFile

MULTI = EMBEDDED / "multi" / "tokenizer.json"
CONTENT = MULTI.read_bytes()
WHOLE = Library.from_file(str(MULTI))
TEXTS = [
    "The cat sat on the mat.",
    "A gata estava sentada no tapete.",
    "Кошка сидела на коврике. 猫はマットの上に座っていた。",
    "แมวนั่งอยู่บนเสื่อ",
    "ᎠᏂᏴᏫᏯ 𓀀 \u200d\u0301 ﬁ ①",
    "  two  spaces\tand a tab\n",
    "",
]


def opened(path: Path = MULTI) -> PartedUnigram:
    file = UnigramFile.of(path.read_bytes())
    assert file is not None
    return PartedUnigram(path, file)


def changed(tmp_path: Path, change: Callable[[dict], None]) -> Path:  # type: ignore[type-arg]
    """A tokenizer.json with few pieces, changed."""
    described = json.loads(CONTENT)
    described["model"]["vocab"] = [*described["model"]["vocab"][:300], *described["model"]["vocab"][-256:]]
    change(described)
    (tmp_path / "tokenizer.json").write_text(json.dumps(described))
    return tmp_path / "tokenizer.json"


PARTED = opened()
RANGES = ((0, 0x7F), (0, 0x5FF), (0x900, 0xFFF), (0x3000, 0x30FF), (0, 0x10FFFF))
WORDS = st.sampled_from([piece.replace("▁", " ") for piece, _ in json.loads(CONTENT)["model"]["vocab"][4:3000]])
LETTERS = st.text(st.one_of(*(st.characters(min_codepoint=a, max_codepoint=b) for a, b in RANGES)), max_size=30)


@settings(max_examples=300)
@given(st.lists(st.lists(st.one_of(WORDS, LETTERS), max_size=8).map("".join), min_size=1, max_size=3))
def test_any_texts_are_cut_as_the_whole_cuts_them(texts: list[str]) -> None:
    PARTED._left = unigram.CHARACTERS
    try:
        whole = [found.ids for found in WHOLE.encode_batch_fast(texts, add_special_tokens=False)]
    except TypeError:  # halves of characters
        with pytest.raises(TypeError):
            opened().encode_batch_fast(texts, add_special_tokens=False)
        return
    assert [found.ids for found in PARTED.encode_batch_fast(texts, add_special_tokens=False)] == whole


def test_the_texts_above_need_no_whole() -> None:
    parted = opened()
    assert [found.ids for found in parted.encode_batch_fast(TEXTS)] == [WHOLE.encode(text).ids for text in TEXTS]
    assert isinstance(parted._known, UnigramFile)
    assert len(parted._known.within({"▁cat"})) < 300 < parted.get_vocab_size()


def test_pairs_and_places() -> None:
    mine, whole = opened().encode(TEXTS[1], TEXTS[2]), WHOLE.encode(TEXTS[1], TEXTS[2])
    assert (mine.ids, mine.type_ids, mine.offsets) == (whole.ids, whole.type_ids, whole.offsets)
    text = "  A gata  estava"
    assert [text[first:last] for first, last in Tokenizer(EMBEDDED / "multi").spans(text)] == ["A", "gata", "estava"]


@pytest.mark.parametrize("text", ["one</s>two", "<unk>", "a<s>"])
def test_a_special_token_within_a_text_is_left_to_the_whole(text: str) -> None:
    parted = opened()
    assert parted.encode(text).ids == WHOLE.encode(text).ids
    assert not isinstance(parted._known, UnigramFile)


def test_a_student_opens_its_tokenizer_in_parts() -> None:
    assert isinstance(Tokenizer(EMBEDDED / "multi")._backend, PartedUnigram)
    assert not isinstance(Tokenizer(EMBEDDED / "small")._backend, PartedUnigram)


def test_many_texts_open_the_whole_and_forget_the_file() -> None:
    parted = opened()
    before = parted.get_vocab_size(), parted.token_to_id("▁cat"), parted.id_to_token(5), parted.token_to_id("no such")
    texts = [text * 100 for text in TEXTS] * 5
    assert [found.ids for found in parted.encode_batch_fast(texts)] == [WHOLE.encode(text).ids for text in texts]
    assert not isinstance(parted._known, UnigramFile)
    after = parted.get_vocab_size(), parted.token_to_id("▁cat"), parted.id_to_token(5), parted.token_to_id("no such")
    assert before == after == (96_000, WHOLE.token_to_id("▁cat"), WHOLE.id_to_token(5), None)
    assert parted.id_to_token(10**6) is opened().id_to_token(10**6) is None
    assert parted.get_vocab() == opened().get_vocab() == WHOLE.get_vocab()


def test_many_short_runs_open_the_whole_in_the_end() -> None:
    parted = opened()
    for _ in range(unigram.CHARACTERS // len(TEXTS[0]) + 1):
        assert isinstance(parted._known, UnigramFile)
        parted.encode(TEXTS[0])
    assert not isinstance(parted._known, UnigramFile)


def test_unknown_characters_are_as_bad_as_in_the_whole(tmp_path: Path) -> None:
    """What an unknown character costs depends on the lowest score, whether or not a text has that piece."""

    def bad(described: dict) -> None:  # type: ignore[type-arg]
        described["model"] = {
            "type": "Unigram", "unk_id": 3, "byte_fallback": False,
            "vocab": [*described["model"]["vocab"][:4], ["a", -1.0], ["▁", -2.0], ["x", -500.0], ["b", -30.0]],
        }  # fmt: skip

    path = changed(tmp_path, bad)
    whole, parted = Library.from_file(str(path)), opened(path)
    for text in ("ab", "aéb", "ééa", "x"):
        assert parted.encode(text).ids == whole.encode(text).ids
    assert 7 in parted.encode("ab").ids
    assert isinstance(parted._known, UnigramFile)
    assert json.loads(parted.to_str()) == json.loads(whole.to_str())


@pytest.mark.parametrize("name", ["special token behind", "normalized", "other wrapping", "other model", "no unknown"])
def test_what_does_not_fit_is_opened_as_a_whole(tmp_path: Path, name: str) -> None:
    def change(described: dict) -> None:  # type: ignore[type-arg]
        added, model = described["added_tokens"], described["model"]
        if name == "special token behind":
            added.append({**added[0], "id": 100, "content": model["vocab"][100][0]})
        if name == "normalized":
            added[0]["normalized"] = True
        if name == "other wrapping":
            tokens = described["post_processor"]["special_tokens"]
            tokens["▁cat"] = {"id": "▁cat", "ids": [40], "tokens": ["▁cat"]}
        if name == "other model":
            model.update(type="WordLevel", vocab={"<s>": 0}, unk_token="<s>", note="Unigram")
        if name == "no unknown":
            model["unk_id"] = None

    assert UnigramFile.of(changed(tmp_path, change).read_bytes()) is None
    assert UnigramFile.of(changed(tmp_path, lambda described: None).read_bytes()) is not None


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"model": {"type": "Unigram"}}', b"\xff"])
def test_broken_files_are_left_to_the_library(content: bytes) -> None:
    assert UnigramFile.of(content) is None


def test_garbage_is_collected_again() -> None:
    assert gc.isenabled()
    opened()
    assert gc.isenabled()
