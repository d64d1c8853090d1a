"""Where a student starts: an encoder's folder, its first layers, or a fresh architecture named by its shape."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import ModelError, UsageError
from farthing.encoders.backends.pretrained import load_config, load_pretrained, load_tokenizer
from farthing.encoders.folder.locate import locate
from farthing.learn.cross.vocabulary import learnt_tokenizer
from farthing.learn.train.layers import keep_first_layers

if TYPE_CHECKING:
    from transformers import BertConfig, PreTrainedModel, PreTrainedTokenizerBase

HEAD_WIDTH = 64  # numbers per attention head
SHAPES = ("2x128", "4x256", "4x512", "8x512")  #: the published ones; any other LAYERSxWIDTH will do
KIND = "cross"
_SHAPE = re.compile(r"([1-9]\d*)x([1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Start:
    """What a student is made from.

    :param name: a folder, a model's name, or the shape of a fresh BERT: its layers and its width, such as 2x128
    :param depth: keep only the first layers, so many of them
    :param tokenizer: for a shape the folder whose tokenizer it takes; without one it learns its own
    """

    name: str
    depth: int | None = None
    tokenizer: str | None = None

    @property
    def is_fresh(self) -> bool:
        """True if nothing was learnt yet."""
        return _SHAPE.fullmatch(self.name) is not None and not Path(self.name).is_dir()


def start_of(name: str, depth: int | None = None, tokenizer: str | None = None) -> Start:
    """Make a start that exists, or raise before any work is done."""
    start = Start(name, depth, tokenizer)
    if start.is_fresh:
        layers_and_width(name)
        if tokenizer:
            tokenizer_folder(tokenizer)
    else:
        locate(name)
    return start


def tokenizer_folder(name: str) -> Path:
    """Find the folder of a tokenizer, which needs no weights."""
    return Path(name) if Path(name).is_dir() else locate(name)


def layers_and_width(shape: str) -> tuple[int, int]:
    """Read the shape of a fresh architecture.

    >>> layers_and_width("4x256")
    (4, 256)
    """
    match = _SHAPE.fullmatch(shape)
    if match is None or int(match[2]) % HEAD_WIDTH:
        raise UsageError(f"{shape!r} is not LAYERSxWIDTH with a width that is a multiple of {HEAD_WIDTH}: say 2x128")
    return int(match[1]), int(match[2])


def make_student(start: Start, texts: Iterable[str], seed: int) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Make a cross-encoder with one output, and its tokenizer.

    :param texts: what a fresh vocabulary is learnt from
    """
    import torch
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(seed)
    if start.is_fresh:
        tokenizer = load_tokenizer(tokenizer_folder(start.tokenizer)) if start.tokenizer else learnt_tokenizer(texts)
        return AutoModelForSequenceClassification.from_config(_fresh_config(start, tokenizer)), tokenizer
    if start.tokenizer:
        raise UsageError("--tokenizer is for a shape such as 2x128 only: a folder brings its own tokenizer")
    folder = locate(start.name)
    model = _with_head(folder)
    if start.depth is not None:
        keep_first_layers(model, start.depth)
    tokenizer = load_tokenizer(folder)
    check_vocabulary(folder, len(tokenizer), model.get_input_embeddings().num_embeddings)
    return model, tokenizer


def _fresh_config(start: Start, tokenizer: PreTrainedTokenizerBase) -> BertConfig:
    from transformers import BertConfig

    layers, width = layers_and_width(start.name)
    return BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        num_hidden_layers=start.depth or layers,
        num_attention_heads=width // HEAD_WIDTH,
        intermediate_size=4 * width,
        num_labels=1,
        pad_token_id=tokenizer.pad_token_id,
    )


def _with_head(folder: Path) -> PreTrainedModel:
    """Load an encoder with a head of one output; a missing head is a new one, any other head is an error."""
    config = load_config(folder)
    has_head = any("SequenceClassification" in name for name in config.architectures or ())
    if has_head and config.num_labels != 1:
        raise ModelError(f"{folder} has a head of {config.num_labels} outputs: a student has one")
    config.num_labels = 1
    return load_pretrained(folder, "classifier", config=config)


def check_vocabulary(folder: Path, tokens: int, rows: int) -> None:
    """Raise if a tokenizer has tokens that the model has no vector for."""
    if tokens > rows:
        raise ModelError(
            f"{folder} has a tokenizer of {tokens} tokens but vectors for {rows} only: they do not belong together"
        )
