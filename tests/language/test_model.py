"""Language models with their tokenizers: complete ones only, with a limit that is true."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from farthing.core.errors import MissingExtra, ModelError
from farthing.language.model import language_weights, load_language_model


def test_an_unknown_limit_is_taken_from_the_positions(tiny_bart: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_bart, folder)
    assert load_language_model(folder, "seq2seq", 1).tokenizer.model_max_length == 48
    told = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({**told, "model_max_length": int(1e30)}))
    assert load_language_model(folder, "seq2seq", 1).tokenizer.model_max_length == 64


def test_torch_gets_the_threads_that_were_asked_for(tiny_bart: Path) -> None:
    before = torch.get_num_threads()
    try:
        load_language_model(tiny_bart, "seq2seq", 1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_a_model_without_its_head_is_refused(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(ModelError, match="is not a masked language model: it has no weights for "):
        load_language_model(tiny_model("bert"), "masked", 1)


def test_a_gguf_file_is_read_only_if_there_is_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.gguf").write_bytes(b"nonsense")
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(MissingExtra, match="reading a GGUF model needs the extra 'gguf'"):
        load_language_model(tmp_path, "causal", 1)
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(ModelError, match="cannot be loaded as a causal language model"):
        load_language_model(tmp_path, "causal", 1)


def test_the_hash_is_that_of_the_files_in_order(tmp_path: Path) -> None:
    for name, content in {"b.safetensors": b"2", "a.safetensors": b"1", "config.json": b"3"}.items():
        (tmp_path / name).write_bytes(content)
    assert language_weights(tmp_path) == hashlib.sha256(b"12").hexdigest()[:12]
