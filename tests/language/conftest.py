"""A random BART, small enough to generate in a moment."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_bart(tiny_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BART with the tokenizer of the tiny RoBERTa."""
    import torch
    import transformers

    folder = tmp_path_factory.mktemp("bart")
    for path in tiny_model("roberta").glob("tokenizer*.json"):
        shutil.copy(path, folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BartConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=24,
        decoder_ffn_dim=24, encoder_attention_heads=2, decoder_attention_heads=2, max_position_embeddings=64,
        init_std=0.5,
        bos_token_id=tokenizer.cls_token_id, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.sep_token_id,
        decoder_start_token_id=tokenizer.sep_token_id, forced_eos_token_id=tokenizer.sep_token_id,
    )  # fmt: skip
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    return folder
