"""Where a student starts: an encoder's folder, its first layers, or a size name freshly initialised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farthing.core.errors import MissingExtra, ModelError, UsageError
from farthing.encoders.folder.locate import locate

SIZES: dict[str, tuple[int, int]] = {"2x128": (2, 128), "4x256": (4, 256), "4x512": (4, 512), "8x512": (8, 512)}
KIND = "cross"
VOCABULARY = 30_522
ALPHABET = 1000  # letters of a learnt vocabulary; rarer ones are unknown
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@dataclass(frozen=True, slots=True)
class Start:
    """What a student is made from.

    :param name: a folder, a model's name, or one of the sizes
    :param layers: keep only the first so many layers
    :param tokenizer: for a size name the folder whose tokenizer it takes; without one it learns its own
    """

    name: str
    layers: int | None = None
    tokenizer: str | None = None

    @property
    def is_fresh(self) -> bool:
        """True where nothing was learnt yet."""
        return self.name in SIZES and not Path(self.name).is_dir()


def make_student(start: Start, texts: Iterable[str], seed: int) -> tuple[Any, Any]:
    """A cross-encoder with one output, and its tokenizer.

    :param texts: what a fresh vocabulary is learnt from
    """
    torch, transformers = needs()
    torch.manual_seed(seed)
    if start.is_fresh:
        tokenizer = _load_tokenizer(locate(start.tokenizer)) if start.tokenizer else learnt_tokenizer(texts)
        model = transformers.AutoModelForSequenceClassification.from_config(_fresh_config(start, tokenizer))
        return model, tokenizer
    if start.tokenizer:
        raise UsageError("--tokenizer is for a size name only: a folder brings its own tokenizer")
    folder = locate(start.name)
    model = _with_head(folder)
    if start.layers is not None:
        keep_layers(model, start.layers)
    tokenizer = _load_tokenizer(folder)
    check_vocabulary(folder, len(tokenizer), model.get_input_embeddings().num_embeddings)
    return model, tokenizer


def needs() -> tuple[Any, Any]:
    """torch and transformers, or a sentence that names the extra."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("training", "learn") from error
    return torch, transformers


def _fresh_config(start: Start, tokenizer: Any) -> Any:
    layers, width = SIZES[start.name]
    _, transformers = needs()
    return transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        num_hidden_layers=start.layers or layers,
        num_attention_heads=width // 64,
        intermediate_size=4 * width,
        num_labels=1,
        pad_token_id=tokenizer.pad_token_id,
    )


def _with_head(folder: Path) -> Any:
    """The encoder with a head of one output; a head of any other width is an error, none at all is a new one."""
    from safetensors import SafetensorError

    _, transformers = needs()
    try:
        config = transformers.AutoConfig.from_pretrained(folder)
        trained = any("SequenceClassification" in name for name in config.architectures or ())
        if trained and config.num_labels != 1:
            raise ModelError(f"{folder} has a head of {config.num_labels} outputs: a student has one")
        return transformers.AutoModelForSequenceClassification.from_pretrained(
            folder, num_labels=1, use_safetensors=True
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"{folder} cannot be loaded as a student: {reason}") from error


def keep_layers(model: Any, count: int) -> None:
    """Cut an encoder after its first layers."""
    torch, _ = needs()
    available = model.config.num_hidden_layers
    if not 1 <= count <= available:
        raise UsageError(f"the model has {available} layers: it cannot keep the first {count}")
    lists = [part for part in model.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == available]
    if len(lists) != 1:
        raise ModelError(f"cannot tell the layers of a {model.config.model_type}: cut it beforehand")
    del lists[0][count:]
    model.config.num_hidden_layers = count


def check_vocabulary(folder: Path, tokens: int, rows: int) -> None:
    """Raise where a tokenizer has tokens that the model has no vector for."""
    if tokens > rows:
        raise ModelError(
            f"{folder} has a tokenizer of {tokens} tokens but vectors for {rows} only: they do not belong together"
        )


def _load_tokenizer(folder: Path) -> Any:
    _, transformers = needs()
    try:
        return transformers.AutoTokenizer.from_pretrained(folder)
    except (OSError, ValueError, ImportError) as error:
        raise ModelError(f"{folder} has no tokenizer that can be read: {str(error).splitlines()[0]}") from error


def learnt_tokenizer(texts: Iterable[str], size: int = VOCABULARY) -> Any:
    """A lower-casing WordPiece vocabulary of the texts themselves, the same for the same texts."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    _, transformers = needs()
    made = Tokenizer(models.WordPiece(_learnt_vocabulary(list(texts), size), unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(_SPECIAL)
    last, first = (("[SEP]", _SPECIAL.index("[SEP]")), ("[CLS]", _SPECIAL.index("[CLS]")))
    made.post_processor = processors.BertProcessing(last, first)
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    inputs = ["input_ids", "token_type_ids", "attention_mask"]  # or transformers' own loop would miss the types
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=512, model_input_names=inputs, **names
    )


def _learnt_vocabulary(texts: Sequence[str], size: int) -> dict[str, int]:
    """Tokens and their numbers.

    Left to itself the trainer numbers letters inside words by chance, and breaks ties by these numbers. It keeps
    the order of special tokens, so all letters are given to it as such.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    learning = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learning.normalizer = normalizers.BertNormalizer(lowercase=True)
    learning.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    counts = Counter(letter for text in texts for letter in learning.normalizer.normalize_str(text))
    letters = sorted(sorted(filter(str.strip, counts)), key=counts.__getitem__, reverse=True)[:ALPHABET]
    fixed = [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    trainer = trainers.WordPieceTrainer(
        vocab_size=max(size, len(fixed)), special_tokens=fixed, limit_alphabet=len(letters), show_progress=False
    )
    learning.train_from_iterator(texts, trainer)
    found: dict[str, int] = learning.get_vocab()
    return found


def parameters(model: Any) -> int:
    """How many numbers a model has."""
    return sum(part.numel() for part in model.parameters())
