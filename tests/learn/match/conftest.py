"""A tiny encoder made in memory, and pairs that it can learn from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.learn.data.examples import Examples

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{number}" for number in range(40))]


@pytest.fixture(autouse=True)
def _in_single_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests compare digits, which bfloat16 does not keep."""
    monkeypatch.setattr("farthing.learn.match.tokens.has_bfloat16", lambda: False)


def make_encoder(folder: Path, width: int = 32) -> Path:
    """A random BERT of two layers that knows forty words."""
    import torch
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import BertProcessing

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=width, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=2 * width, max_position_embeddings=64,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(folder)
    backend = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    backend.pre_tokenizer = WhitespaceSplit()
    backend.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    backend.save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(scope="session")
def new_encoder() -> Callable[..., Path]:
    """Makes an encoder in a folder."""
    return make_encoder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="session")
def multilingual() -> Path:
    """A real model of about a hundred languages, if it has been assembled."""
    folder = Path(os.environ.get("DEV_MODELS", Path.home() / ".cache" / "dev-models")) / "multilingual-e5-small"
    if not (folder / "model.safetensors").is_file():
        pytest.skip("multilingual-e5-small is not here: assemble it, or set DEV_MODELS")
    return folder


@pytest.fixture(scope="session")
def pairs() -> Examples:
    """Sentences against copies of which a share of the words was exchanged; the share is the score."""
    random = np.random.default_rng(5)
    candidates, references, targets = [], [], []
    for _ in range(96):
        words = [f"w{number}" for number in random.integers(0, 40, 8)]
        gone = int(random.integers(0, 8))
        other = [f"w{random.integers(0, 40)}" if place < gone else word for place, word in enumerate(words)]
        candidates.append(" ".join(other))
        references.append(" ".join(words))
        targets.append(1 - gone / 4)
    return Examples(candidates, references, np.array(targets), np.ones(len(targets)))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, list[dict[str, object]]], Path]:
    """Writes rows as a file of JSON lines."""

    def one(name: str, rows: list[dict[str, object]]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return one
