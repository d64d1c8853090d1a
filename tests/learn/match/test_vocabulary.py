"""Pruned vocabularies: what stays, and that nothing is unknown."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from farthing.core.errors import ModelError, UsageError
from farthing.encoders.folder.layout import WEIGHTS
from farthing.encoders.tokens.tokenize import Tokenizer, read_json
from farthing.learn.match.vocabulary import (
    BYTES,
    COUNTED,
    UnigramPieces,
    Vocabulary,
    change_words,
    kept_pieces,
    largest_shares,
    piece_counts,
    pruned,
    pruned_tokenizer,
)

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789<>ABCDEF▁äß語"
LONGER = [f"{start}{end}" for start in ("▁th", "ing", "er", "▁a", "sch") for end in ("", "e", "en", "st", "o", "x")]
LEAST = len(SPECIAL) + len(LETTERS) + 1 + len(BYTES)  # "▁a" is a single character, too
SIZE = LEAST + 11


def make_model(folder: Path) -> Path:
    """A random BERT with a Unigram tokenizer; like real ones it has <mask> last, and rows without a piece."""
    import torch
    import transformers
    from tokenizers import Tokenizer as Backend
    from tokenizers.decoders import Metaspace as Decoder
    from tokenizers.models import Unigram
    from tokenizers.normalizers import NFKC
    from tokenizers.pre_tokenizers import Metaspace
    from tokenizers.processors import TemplateProcessing

    random = np.random.default_rng(4)
    pieces = [(one, 0.0) for one in SPECIAL]
    pieces += [(one, -float(chance)) for one, chance in zip(LETTERS, random.uniform(4, 9, len(LETTERS)), strict=True)]
    pieces += [(one, -float(chance)) for one, chance in zip(LONGER, random.uniform(5, 9, len(LONGER)), strict=True)]
    backend = Backend(Unigram([*pieces, ("<mask>", 0.0)], unk_id=3))
    backend.normalizer, backend.pre_tokenizer, backend.decoder = NFKC(), Metaspace(), Decoder()
    backend.add_special_tokens([*SPECIAL, "<mask>"])
    backend.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    backend.save(str(folder / "tokenizer.json"))
    told = {"tokenizer_class": "XLMRobertaTokenizer", "mask_token": "<mask>", "pad_token": "<pad>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(pieces) + 4, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, pad_token_id=1,
    )  # fmt: skip
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data")
    rows = [
        {"lang": "en", "candidate": "the thing there", "reference": "three things"},
        {"lang": "de", "candidate": "schon aschen", "reference": "schein", "split": "train"},
        {"lang": "de", "candidate": "tho tho tho", "reference": "erst", "split": "test"},
    ]
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return root


@pytest.fixture(scope="module")
def smaller(model: Path, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("pruned") / "smaller"
    pruned(model, Vocabulary(SIZE, ("rows.jsonl",)), data, target, seed=1)
    return target


@pytest.fixture(scope="module")
def tokenizer(smaller: Path) -> Tokenizer:
    return Tokenizer(smaller)


def spelt(tokenizer: Tokenizer, text: str) -> str:
    """What the pieces of a text say, put together again."""
    tokens = [tokenizer.token(number) for number in tokenizer.contents([text])[0]]
    return b"".join(bytes([BYTES.index(one)]) if one in BYTES else one.encode() for one in tokens).decode()


def marked(tokenizer: Tokenizer, text: str) -> str:
    """A text as the pieces should spell it: in its Unicode form, with a mark before words."""
    text = tokenizer._backend.normalizer.normalize_str(text.strip()).replace(" ", "▁")
    return text if not text or text.startswith("▁") else f"▁{text}"


@given(st.text())
@example("ᚠᚢᚦ 中文 𓀀")
@example("<0x41> <0xE1><0x9A><0xA0>")
def test_the_pieces_spell_every_text(tokenizer: Tokenizer, text: str) -> None:
    """So no text is unknown, and texts that differ after normalisation have different ids."""
    assert tokenizer.number("<unk>") not in tokenizer.contents([text])[0]
    assert spelt(tokenizer, text) == marked(tokenizer, text)


def test_bytes_are_known_as_such(model: Path, tokenizer: Tokenizer) -> None:
    assert not Tokenizer(model).bytes
    [runes, letters] = tokenizer.contents(["ᚠᚢ", "the"])
    assert sum(one in tokenizer.bytes for one in runes) == len("ᚠᚢ".encode())
    assert len(tokenizer.bytes) == 256
    assert tokenizer.bytes.isdisjoint(letters)


def test_decoding_gives_back_scripts_that_the_vocabulary_lacks(smaller: Path) -> None:
    transformers = pytest.importorskip("transformers")
    loaded = transformers.AutoTokenizer.from_pretrained(smaller)
    texts = ["ᚠᚢᚦ 中文 the 𓀀", "<0x41> Ж"]
    assert [loaded.decode(loaded(text).input_ids, skip_special_tokens=True) for text in texts] == texts
    ours = Tokenizer(smaller)
    assert [ours.wrapped(content) for content in ours.contents(texts)] == [loaded(text).input_ids for text in texts]


def test_the_pieces_are_those_of_a_brute_force(model: Path, smaller: Path) -> None:
    names = [*SPECIAL, *LETTERS, *LONGER]
    backend = Tokenizer(model)
    texts = {"en": ["the thing there", "three things"], "de": ["schon aschen", "schein"]}
    cut = {language: [n for row in backend.contents(some) for n in row] for language, some in texts.items()}
    share = [max(ids.count(n) / (len(ids) + 100_000) for ids in cut.values()) for n in range(len(names))]
    chances = [chance for _, chance in read_json(model / "tokenizer.json")["model"]["vocab"]]
    kept = {*range(len(SPECIAL) + len(LETTERS)), names.index("▁a")}
    for number in sorted(range(len(names)), key=lambda number: -share[number]):
        if share[number] and len(kept) < min(COUNTED * SIZE, SIZE - 256):
            kept.add(number)
    for number in sorted(range(len(SPECIAL), len(names)), key=lambda number: -chances[number]):
        if len(kept) < SIZE - 256:
            kept.add(number)
    found = [piece for piece, _ in read_json(smaller / "tokenizer.json")["model"]["vocab"]]
    assert found == [*(names[number] for number in sorted(kept)), *BYTES]
    assert len(found) == SIZE


def test_counts_come_before_probabilities() -> None:
    names = tuple("<0123456789ABCDEFx>") + tuple(f"p{number}" for number in range(2000))
    random = np.random.default_rng(3)
    pieces = UnigramPieces(names, -random.uniform(1, 9, len(names)), 0, np.arange(len(names)))
    shares = np.where(random.random(len(names)) < 0.6, random.random(len(names)), 0)
    kept = set(kept_pieces(pieces, shares, 1500).tolist())
    most = set(np.argsort(-shares)[: 1200 - 25].tolist())
    assert len(kept) == 1500 - 256
    assert len(most & kept) > 1150
    others = sorted(kept - set(np.argsort(-shares)[:1200].tolist()) - set(range(19)), key=lambda n: pieces.chances[n])
    assert all(pieces.chances[n] <= pieces.chances[others[0]] for n in set(range(len(names))) - kept)


def test_shares_are_of_the_language_that_needs_a_piece_most(model: Path) -> None:
    tokenizer = Tokenizer(model)
    counts = [piece_counts(tokenizer, some) for some in (["the the a"], ["thing"])]
    number = tokenizer.number("▁the")
    assert number is not None
    assert counts[0][number] == 2
    assert largest_shares(counts)[number] == 2 / (counts[0].sum() + 100_000)


def test_rows_belong_to_their_pieces(model: Path, smaller: Path) -> None:
    from safetensors.numpy import load_file

    old, new = (load_file(folder / "model.safetensors") for folder in (model, smaller))
    before, after = Tokenizer(model), Tokenizer(smaller)
    name = "embeddings.word_embeddings.weight"
    for number in range(SIZE - 256):
        assert np.array_equal(new[name][number], old[name][before.number(after.token(number))])
    plain = old[name][len(SPECIAL) : len(SPECIAL) + len(LETTERS) + len(LONGER)]
    off = (new[name][-256:] - plain.mean(axis=0)) / plain.std(axis=0)
    assert off.std() == pytest.approx(0.5, abs=0.02)
    assert all(np.array_equal(new[other], old[other]) for other in old if other != name)


def test_the_folder_is_a_model(smaller: Path) -> None:
    from farthing.learn.match.tokens import load_transformer

    assert load_transformer(smaller, None).get_input_embeddings().weight.shape == (SIZE, 32)
    assert read_json(smaller / "tokenizer_config.json") == {
        "tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "<pad>",
    }  # fmt: skip


def test_the_same_files_give_the_same_bytes(model: Path, data: Path, smaller: Path, tmp_path: Path) -> None:
    pruned(model, Vocabulary(SIZE, ("rows.jsonl",)), data, tmp_path / "again", seed=1)
    for path in smaller.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_size_that_cannot_be_is_a_sentence(model: Path, data: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"300 pieces is too small: .* alone are {LEAST}"):
        pruned(model, Vocabulary(300, ("rows.jsonl",)), data, tmp_path / "none", seed=1)
    assert not (tmp_path / "none").exists()


def test_other_tokenizers_are_refused(encoder: Path, smaller: Path) -> None:
    with pytest.raises(ModelError, match="of the kind Unigram"):
        UnigramPieces.of(read_json(encoder / "tokenizer.json"))
    with pytest.raises(ModelError, match="single bytes already"):
        UnigramPieces.of(read_json(smaller / "tokenizer.json"))


def test_the_multilingual_vocabulary(multilingual: Path, tmp_path: Path) -> None:
    """Texts of kept pieces are cut as before, and no text is unknown."""
    described = read_json(multilingual / "tokenizer.json")
    pieces = UnigramPieces.of(described)
    kept = kept_pieces(pieces, np.zeros(len(pieces.names)), 60_000)
    (tmp_path / "tokenizer.json").write_text(json.dumps(pruned_tokenizer(described, pieces, kept)))
    (tmp_path / "config.json").write_text("{}")
    before, after = Tokenizer(multilingual), Tokenizer(tmp_path)
    number = {int(old): new for new, old in enumerate(kept)}
    texts = ["The cat sat on the mat.", "Der Hund schläft.", "我们今天去公园。", "Кошка спит.", "नमस्ते दुनिया", "ᚠᚢᚦ 𓀀"]
    for old, new, text in zip(before.contents(texts), after.contents(texts), texts, strict=True):
        assert after.number("<unk>") not in new
        if all(one in number for one in old) and before.number("<unk>") not in old:
            assert [number[one] for one in old] == new, text
    assert after.size == 60_000


def test_a_model_without_a_table_of_words_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"other": np.ones(2)}, tmp_path / WEIGHTS)
    with pytest.raises(ModelError, match="has 0 tables of word vectors"):
        change_words(tmp_path / WEIGHTS, tmp_path / "new.safetensors", lambda table: table)
