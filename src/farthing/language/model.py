"""A language model with its own tokenizer, loaded to generate or to score text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from farthing.core.digest import digest_files
from farthing.core.errors import MissingExtra
from farthing.encoders.backends.pretrained import ModelTask, load_pretrained, load_tokenizer

if TYPE_CHECKING:
    import transformers

_UNKNOWN_LIMIT = 10**6  # transformers states a larger number if the limit is unknown
_USUAL_LIMIT = 512


class LanguageModel(NamedTuple):
    """A model of transformers and its tokenizer."""

    model: transformers.PreTrainedModel
    tokenizer: transformers.PreTrainedTokenizerBase


def load_language_model(folder: Path, task: ModelTask, threads: int) -> LanguageModel:
    """Load a complete model and its tokenizer from safetensors or, if there are none, from a GGUF file.

    :param threads: how many threads torch may use from now on
    """
    gguf = next(iter(sorted(folder.glob("*.gguf"))), None)
    packed = gguf.name if gguf and not any(folder.glob("*.safetensors")) else None
    if packed:
        _check_gguf()
    model = load_pretrained(folder, task, complete=packed is None, gguf=packed)
    tokenizer = load_tokenizer(folder, gguf=packed)
    import torch

    torch.set_num_threads(threads)
    if tokenizer.model_max_length > _UNKNOWN_LIMIT and not packed:
        tokenizer.model_max_length = getattr(model.config, "max_position_embeddings", _USUAL_LIMIT)
    return LanguageModel(model, tokenizer)


def _check_gguf() -> None:
    try:
        import gguf  # noqa: F401
    except ImportError as error:
        raise MissingExtra("reading a GGUF model", "gguf") from error


def language_weights(folder: Path) -> str:
    """Return twelve digits that name the content of the weight files."""
    return digest_files(sorted([*folder.glob("*.safetensors"), *folder.glob("*.gguf")]))
