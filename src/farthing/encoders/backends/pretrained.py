"""The one way in which Farthing opens a Hugging Face folder by transformers, with every safety switch set.

Weights are safetensors (or GGUF, if asked for), never pickles; no code of the folder is run; the network is never used;
nothing is written to the user's terminal.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias

from farthing.core.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    import transformers

ModelTask: TypeAlias = Literal["encoder", "seq2seq", "causal", "masked", "classifier"]


@dataclass(frozen=True, slots=True)
class _Loader:
    """A class of transformers, what its models are called in messages, and where a complete one comes from."""

    name: str
    what: str
    remedy: str = "choose another model"


_LOADERS: dict[ModelTask, _Loader] = {
    "encoder": _Loader("AutoModel", "an encoder"),
    "seq2seq": _Loader("AutoModelForSeq2SeqLM", "a seq2seq model"),
    "causal": _Loader("AutoModelForCausalLM", "a causal language model"),
    "masked": _Loader("AutoModelForMaskedLM", "a masked language model"),
    "classifier": _Loader(
        "AutoModelForSequenceClassification", "a cross-encoder", "train it with `farthing learn distil`"
    ),
}
# Encoder-decoders whose encoder is a class of its own, so that the decoder is never loaded.
_ENCODERS = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel", "umt5": "UMT5EncoderModel"}
_COMPUTED = ("embed_positions.weight", "position_ids")  # not every version stores what can be computed
_SAFE = {"trust_remote_code": False, "local_files_only": True}


def load_config(folder: Path, **changes: object) -> transformers.PretrainedConfig:
    """Read a model's configuration.

    :param changes: fields to set, such as ``num_labels=1``; a field that the model does not have is left alone
    """
    library = _library("reading a model's configuration")
    with _loading(folder, "a model"):
        config = library.AutoConfig.from_pretrained(folder, **_SAFE)
    for name, value in changes.items():
        if hasattr(config, name):
            setattr(config, name, value)
    return config


def load_pretrained(
    folder: Path,
    task: ModelTask = "encoder",
    *,
    config: transformers.PretrainedConfig | None = None,
    complete: bool = False,
    full_precision: bool = False,
    attention: str | None = None,
    gguf: str | None = None,
) -> transformers.PreTrainedModel:
    """Load a model from a folder, ready to run (`eval`), on the CPU.

    :param task: what the model is for
    :param config: a changed configuration, see :func:`load_config`; weights that it adds are initialised at random
    :param complete: refuse a folder that lacks some of the weights, such as those of the task's own head
    :param full_precision: convert the numbers to fp32; otherwise they keep the type they are stored in
    :param attention: transformers' implementation of attention, such as "eager"
    :param gguf: the name of a GGUF file in the folder to read instead of safetensors
    """
    library, loader, name = _library("running a model by torch"), _LOADERS[task], _LOADERS[task].name
    if task == "encoder":
        name = _ENCODERS.get((config or load_config(folder)).model_type, name)
    dtype = "float32" if full_precision else None
    options = {"config": config, "dtype": dtype, "attn_implementation": attention, "gguf_file": gguf}
    given = {option: value for option, value in options.items() if value is not None}
    given["use_safetensors"] = None if gguf else True
    with _loading(folder, loader.what, hidden=gguf is not None):
        model, report = getattr(library, name).from_pretrained(folder, output_loading_info=True, **_SAFE, **given)
    missing = sorted(name for name in report["missing_keys"] if not name.endswith(_COMPUTED))
    if complete and missing:
        raise ModelError(f"{folder} is not {loader.what}: it has no weights for {missing[0]} ({loader.remedy})")
    return model.eval()


def new_model(config: transformers.PretrainedConfig) -> transformers.PreTrainedModel:
    """Make an encoder with random weights, which something else will replace."""
    library = _library("making a model by torch")
    return library.AutoModel.from_config(config, trust_remote_code=False).eval()


def load_tokenizer(folder: Path, *, gguf: str | None = None) -> transformers.PreTrainedTokenizerBase:
    """Load the tokenizer of a folder as transformers knows it.

    :param gguf: the name of a GGUF file in the folder that holds the tokenizer
    """
    library = _library(f"{folder} has no tokenizer.json; converting its vocabulary")
    with _loading(folder, "a tokenizer", hidden=gguf is not None):
        return library.AutoTokenizer.from_pretrained(folder, **_SAFE, **({"gguf_file": gguf} if gguf else {}))


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers from writing bars and reports to the user's terminal."""
    import transformers

    logging = transformers.utils.logging
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # advice on packages that are not needed here
            yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


@contextlib.contextmanager
def _loading(folder: Path, what: str, *, hidden: bool = False) -> Iterator[None]:
    """Turn every way in which loading fails into one sentence.

    :param hidden: hide standard error meanwhile: the progress bar of a GGUF conversion obeys no setting
    """
    from safetensors import SafetensorError

    try:
        with quietly(), contextlib.redirect_stderr(io.StringIO()) if hidden else contextlib.nullcontext():
            yield
    except (OSError, ValueError, ImportError, KeyError, RuntimeError, SafetensorError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"{folder} cannot be loaded as {what}: {reason}") from error


def _library(purpose: str) -> ModuleType:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingExtra(purpose, "torch") from error
    library: ModuleType = transformers
    return library
