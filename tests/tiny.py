"""Tiny random models, saved as the folders that real ones are: no downloads, a fraction of a second each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

TEXTS = [
    "the cat sat on the mat and looked at the rain",
    "a dog was lying on the carpet, watching it pour outside",
    "shares fell by three percent after the bank's warning on Tuesday",
    "nobody expected the old bridge to survive another hard winter",
    "please send me the report before the meeting tomorrow morning",
    "she has studied the migration of birds for twenty years",
]
SPECIALS: dict[str, dict[str, str]] = {
    "bert": {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")},
    "roberta": {"cls_token": "<s>", "pad_token": "<pad>", "sep_token": "</s>", "unk_token": "<unk>"},
    "t5": {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"},
}
KIND = {"distilbert": "bert", "mpnet": "roberta", "albert": "bert"}
LIMIT = 48


def write_tiny(folder: Path, family: str, *, prefix_space: bool = False, layers: int = 3, seed: int = 0) -> Path:
    """A random model of a family ("bert", "roberta", "distilbert", "mpnet", "albert", "t5") with its tokenizer."""
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    kind = KIND.get(family, family)
    tokenizer = _tokenizer(kind, family, prefix_space)
    tokenizer.save(str(folder / "tokenizer.json"))
    told = {**SPECIALS[kind], "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": LIMIT}
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
    torch.manual_seed(seed)
    model = _model(family, layers, tokenizer.get_vocab_size())
    with torch.no_grad():
        for name, parameter in model.named_parameters():  # norms that do nothing would hide mistakes
            if "norm" in name.lower() and name.endswith("weight"):
                parameter.add_(0.5 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    return folder


def write_gpt(folder: Path) -> Path:
    """A random GPT-2 with the tokenizer of the tiny RoBERTa."""
    from transformers import GPT2Config, GPT2LMHeadModel

    return _write_generator(
        folder,
        lambda tokenizer: GPT2LMHeadModel(
            GPT2Config(
                vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=64, initializer_range=0.5,
                bos_token_id=tokenizer.cls_token_id, eos_token_id=tokenizer.sep_token_id,
            )
        ),
    )  # fmt: skip


def write_bart(folder: Path) -> Path:
    """A random BART with the tokenizer of the tiny RoBERTa, small enough to generate in a moment."""
    from transformers import BartConfig, BartForConditionalGeneration

    return _write_generator(
        folder,
        lambda tokenizer: BartForConditionalGeneration(
            BartConfig(
                vocab_size=len(tokenizer), d_model=16, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=24,
                decoder_ffn_dim=24, encoder_attention_heads=2, decoder_attention_heads=2, max_position_embeddings=64,
                init_std=0.5,
                bos_token_id=tokenizer.cls_token_id, pad_token_id=tokenizer.pad_token_id,
                eos_token_id=tokenizer.sep_token_id, decoder_start_token_id=tokenizer.sep_token_id,
                forced_eos_token_id=tokenizer.sep_token_id,
            )
        ),
    )  # fmt: skip


def _write_generator(folder: Path, make: Callable[[Any], Any]) -> Path:
    """Write a random language model, which is made of its tokenizer."""
    import torch
    import transformers

    write_tiny(folder, "roberta")
    for path in folder.iterdir():
        if not path.name.startswith("tokenizer"):
            path.unlink()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    make(tokenizer).save_pretrained(folder)
    return folder


def write_estimator(folder: Path) -> Path:
    """A random estimator, such as COMET, over the tiny BERT."""
    import numpy as np
    from safetensors.numpy import save_file

    from farthing.students.layout import HEAD, add_facts
    from farthing.students.regressor import EstimatorShape

    random, shape = np.random.default_rng(0), EstimatorShape(hidden=(16,))
    write_tiny(folder, "bert")
    told = json.loads((folder / "config.json").read_text())
    widths = [shape.width(told["hidden_size"]), 16, 1]
    head = {"mix.weights": random.normal(size=told["num_hidden_layers"] + 1), "mix.gamma": np.ones(())}
    for place, (before, after) in enumerate(pairwise(widths)):
        head[f"dense.{place}.weight"] = random.normal(size=(after, before)) / before
        head[f"dense.{place}.bias"] = random.normal(size=after)
    save_file({name: np.asarray(value, np.float32) for name, value in head.items()}, folder / HEAD)
    add_facts(folder, kind="estimator", estimator=shape.facts())
    return folder


def _tokenizer(kind: str, family: str, prefix_space: bool) -> Any:
    """A tokenizer with a vocabulary written down, not trained: the library's trainers break ties by chance."""
    import tokenizers as tk

    names = list(SPECIALS[kind].values())
    words = sorted({word for text in TEXTS for word in text.replace(",", "").split()})
    letters = sorted({letter for text in TEXTS for letter in text if letter != " "})
    if kind == "bert":
        pieces = [word[:4] for word in words] + [f"##{word[4:7]}" for word in words if len(word) > 4]
        vocabulary = dict.fromkeys([*names, *letters, *(f"##{letter}" for letter in letters), *pieces])
        numbers = {piece: number for number, piece in enumerate(vocabulary)}
        tokenizer = tk.Tokenizer(tk.models.WordPiece(numbers, unk_token="[UNK]"))
        tokenizer.normalizer = tk.normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = tk.pre_tokenizers.BertPreTokenizer()
    elif kind == "roberta":
        merges = _merges(["Ġ" + word for word in words], 60)
        vocabulary = dict.fromkeys([*names, *sorted(tk.pre_tokenizers.ByteLevel.alphabet()), *map("".join, merges)])
        tokenizer = tk.Tokenizer(tk.models.BPE({piece: n for n, piece in enumerate(vocabulary)}, merges))
        tokenizer.pre_tokenizer = tk.pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    else:
        pieces = [f"▁{word[:4]}" for word in words] + [word[4:7] for word in words if len(word) > 6]
        scores = dict.fromkeys(names, 0.0) | {"▁": -6.0} | dict.fromkeys(letters, -5.0)
        scores |= {piece: -2.0 - 0.01 * number for number, piece in enumerate(dict.fromkeys(pieces)) if len(piece) > 1}
        tokenizer = tk.Tokenizer(tk.models.Unigram(list(scores.items()), unk_id=names.index("<unk>")))
        tokenizer.pre_tokenizer = tk.pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(names)
    tokenizer.post_processor = _template(kind, family, tokenizer)
    return tokenizer


def _merges(words: list[str], count: int) -> list[tuple[str, str]]:
    """The most frequent pairs of pieces, joined one after another; of equal ones the last by the alphabet."""
    split = [list(word) for word in words]
    merges = []
    for _ in range(count):
        pairs = Counter(pair for pieces in split for pair in pairwise(pieces))
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        split = [_joined(pieces, best) for pieces in split]
    return merges


def _joined(pieces: list[str], pair: tuple[str, str]) -> list[str]:
    joined: list[str] = []
    for piece in pieces:
        if joined and (joined[-1], piece) == pair:
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _template(kind: str, family: str, tokenizer: Any) -> Any:
    import tokenizers as tk

    if kind == "t5":
        pairs = [("</s>", tokenizer.token_to_id("</s>"))]
        return tk.processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=pairs)
    first, last = SPECIALS[kind]["cls_token"], SPECIALS[kind]["sep_token"]
    pairs = [(token, tokenizer.token_to_id(token)) for token in (first, last)]
    middle = f"{last} {last}" if kind == "roberta" else last
    return tk.processors.TemplateProcessing(
        single=f"{first} $A {last}", pair=f"{first} $A {middle} $B {last}", special_tokens=pairs
    )


def _model(family: str, layers: int, vocabulary: int) -> Any:
    import transformers as hf

    size = {"hidden_size": 32, "num_hidden_layers": layers, "num_attention_heads": 4, "intermediate_size": 48}
    common: dict[str, Any] = {**size, "vocab_size": vocabulary, "pad_token_id": 0, "max_position_embeddings": LIMIT}
    common |= {"initializer_range": 0.6}
    offset = {**common, "max_position_embeddings": LIMIT + 2, "pad_token_id": 1}
    if family == "bert":
        return hf.BertModel(hf.BertConfig(**common))
    if family == "albert":
        return hf.AlbertModel(hf.AlbertConfig(**common, embedding_size=16))
    if family == "roberta":
        return hf.RobertaModel(hf.RobertaConfig(**offset))
    if family == "mpnet":
        return hf.MPNetModel(hf.MPNetConfig(**offset))
    if family == "distilbert":
        return hf.DistilBertModel(
            hf.DistilBertConfig(
                vocab_size=vocabulary, dim=32, n_layers=layers, n_heads=4, hidden_dim=48, pad_token_id=0,
                max_position_embeddings=LIMIT, initializer_range=0.6,
            )
        )  # fmt: skip
    return hf.T5EncoderModel(
        hf.T5Config(vocab_size=vocabulary, d_model=32, d_kv=8, d_ff=48, num_layers=layers, num_heads=4, pad_token_id=0)
    )
