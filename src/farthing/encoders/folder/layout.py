"""A model's folder as a type: which files it has and which facts they state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from farthing.encoders.tokens.tokenize import read_json

CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
GRAPH = "model.onnx"  # an export
WEIGHTS = "model.safetensors"  # one of perhaps several files
STATIC = "model2vec"  # the family of static token vectors
EXPORT_CARD = "farthing.json"  # what an export was made from
#: files that describe a model beside its weights and its tokenizer; an export copies them
BESIDE = (CONFIG, "tokenizer_config.json", "special_tokens_map.json")

READABLE = ("*.safetensors", "*.onnx", "*.npy", "*.gguf")  #: weights that may be read
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")  #: weights that may not: they can run code
FETCHED = ["*.json", "*.txt", "*.safetensors", "*.model", "*.spm", "*.onnx", "*.tsv", "*.md"]  #: what a hub may send


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model's folder; each property reads the file that states it."""

    path: Path

    @property
    def config(self) -> dict[str, object]:
        """The model's configuration."""
        return read_json(self.path / CONFIG)

    @property
    def card(self) -> dict[str, object]:
        """What an export was made from; empty for a folder that is not one."""
        return read_json(self.path / EXPORT_CARD, missing_ok=True)

    @property
    def precision(self) -> str:
        """The precision of the numbers, "fp32" unless an export says otherwise."""
        return str(self.card.get("precision", "fp32"))

    @property
    def safetensors(self) -> list[Path]:
        """The files of weights that transformers reads."""
        return sorted(self.path.glob("*.safetensors"))

    @property
    def family(self) -> str:
        """The name of the architecture, such as "bert"."""
        return str(self.config.get("model_type", "unknown"))

    @property
    def layers(self) -> int:
        """How many blocks the encoder has; static vectors have none."""
        return 0 if self.family == STATIC else layer_count(self.config) or 0

    @property
    def dimension(self) -> int | None:
        """The width of a token's vector."""
        config = self.config
        keys = ("hidden_dim",) if self.family == STATIC else ("hidden_size", "d_model", "dim")
        return next((width for key in keys if isinstance(width := config.get(key), int)), None)


def layer_count(config: Mapping[str, object]) -> int | None:
    """Return how many blocks a model's config says its encoder has."""
    for key in ("num_hidden_layers", "encoder_layers", "n_layers", "n_layer", "num_layers"):
        count = config.get(key)
        if isinstance(count, int):
            return count
    return None
