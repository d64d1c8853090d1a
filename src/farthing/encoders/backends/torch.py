"""Encoders of Hugging Face folders, run by torch; encoder-decoders give their encoder."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from farthing.core.errors import MissingExtra, ModelError
from farthing.core.specs import Value
from farthing.encoders.protocol import encoder_fields, file_hash, layer_count
from farthing.encoders.tokens.tokenize import Tokenizer

if TYPE_CHECKING:
    import torch

# Their blocks do not hand over plain hidden states in turn, so all of them are taken from a whole pass.
_WHOLE_PASS = frozenset(["xlnet", "xlm", "flaubert", "funnel", "deberta-v2", "reformer", "transfo-xl"])


class _Reached(Exception):
    """The deepest layer that was asked for is done."""


class _Pass:
    """One pass through the blocks: what is wanted of it and what has been found.

    Blocks are called one after the other, so counting the calls tells which layer has been reached.
    """

    def __init__(self, wanted: Sequence[int], top: int) -> None:
        self.wanted, self.top = set(wanted), top
        self.found: dict[int, torch.Tensor] = {}
        self.reached = -1

    def keep(self, state: Any) -> None:
        """Take the next layer's states; the last layer's come from the whole model, its final norm included."""
        self.reached += 1
        if self.reached in self.wanted and self.reached < self.top:
            self.found[self.reached] = state[0] if isinstance(state, tuple) else state
            if self.reached == max(self.wanted):
                raise _Reached


class TorchEncoder:
    """An encoder run by torch.

    :param folder: a Hugging Face folder with safetensors
    :param name: how signatures call it
    :param cut: keep only so many blocks; what follows the last block (T5's final norm) then follows this one,
        as bert_score has it
    :param device: where to run, such as "cpu" or "cuda"
    :param model: the folder's model where it is loaded already
    """

    backend = "torch"
    precision = "fp32"

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        leading_space: bool | None = True,
        cut: int | None = None,
        device: str = "cpu",
        model: Any = None,
    ) -> None:
        self.folder, self.name, self.device, self.cut = folder, name, device, cut
        self.tokenizer = Tokenizer(folder, leading_space)
        self.model = (model or load_model(folder)).to(device)
        depth = layer_count(self.model.config.to_dict())
        if depth is None:
            raise ModelError(f"the config of {name} does not say how many layers it has")
        self._blocks = None if self.model.config.model_type in _WHOLE_PASS else find_blocks(self.model, depth)
        if cut is not None:
            depth = self._cut_to(cut, depth)
        self.layers = tuple(range(depth + 1))
        self.dimension = int(getattr(self.model.config, "hidden_size", None) or self.model.config.d_model)
        self.slack, self.tokens = (0.0, 1024) if device == "cpu" else (0.1, 16384)
        self._local = threading.local()
        self._hook_blocks()

    def _cut_to(self, cut: int, depth: int) -> int:
        if not 0 <= cut <= depth:
            raise ModelError(f"{self.name} has no layer {cut} (there are: 0 to {depth})")
        if self._blocks is not None and len(self._blocks) == depth:
            del self._blocks[cut:]
        elif hasattr(self.model.config, "num_hidden_layers"):  # one block that is used again and again
            self.model.config.num_hidden_layers = cut
        return cut

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        """The states of each asked layer, in one pass that stops at the deepest of them."""
        import torch

        inputs = {"input_ids": torch.from_numpy(ids).to(self.device)}
        if mask is not None:
            inputs["attention_mask"] = torch.from_numpy(mask).to(self.device)
        with torch.inference_mode():
            states = self.states(inputs, layers)
            return [states[layer].float().cpu().numpy() for layer in layers]

    def states(self, inputs: dict[str, Any], layers: Sequence[int]) -> dict[int, torch.Tensor]:
        """The states of each asked layer as tensors; gradients flow where the caller allows them."""
        if self._blocks is None:
            hidden = self.model(**inputs, output_hidden_states=True).hidden_states
            return {layer: hidden[layer] for layer in layers}
        current = self._local.current = _Pass(layers, self.layers[-1])
        try:
            current.found[current.top] = self.model(**inputs).last_hidden_state
        except _Reached:
            pass
        finally:
            self._local.current = None
        length = next(iter(inputs.values())).shape[1]  # Longformer pads to its window by itself
        found = current.found
        return {n: found[n] if found[n].shape[1] == length else found[n][:, :length] for n in layers}

    def _hook_blocks(self) -> None:
        for block in self._blocks if self._blocks is not None else ():
            block.register_forward_pre_hook(self._before, with_kwargs=True)
            block.register_forward_hook(self._after)

    def _before(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        current = getattr(self._local, "current", None)
        if current is not None and current.reached < 0:  # what the first block is given are the embeddings
            current.keep(args[0] if args else kwargs["hidden_states"])

    def _after(self, _: Any, __: Any, output: Any) -> None:
        current = getattr(self._local, "current", None)
        if current is not None:
            current.keep(output)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Each thread uses one core while inside; afterwards torch has as many as before."""
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits of the hash of the weight files."""
        return file_hash(*sorted(self.folder.glob("*.safetensors")))

    def fields(self) -> dict[str, Value]:
        """The encoder's part of a score's signature."""
        return encoder_fields(self, self.weights_hash) | ({} if self.cut is None else {"cut": self.cut})


def load_model(folder: Path, *, attention: str | None = None) -> Any:
    """The encoder of a folder, ready to run: safetensors only, no remote code, encoder-decoders by their encoder.

    :param attention: the implementation of attention, where it matters ("eager" for export)
    """
    try:
        import torch
        import transformers
        from safetensors import SafetensorError
    except ImportError as error:
        raise MissingExtra("running a model by torch", "torch") from error
    options: dict[str, Any] = {"use_safetensors": True, "trust_remote_code": False, "dtype": torch.float32}
    if attention:
        options["attn_implementation"] = attention
    with quiet(transformers):
        try:
            config = transformers.AutoConfig.from_pretrained(folder, trust_remote_code=False)
            special = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel", "umt5": "UMT5EncoderModel"}
            loader = getattr(transformers, special.get(config.model_type, "AutoModel"))
            model = loader.from_pretrained(folder, local_files_only=True, **options)
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            reason = str(error).strip().splitlines()[0]
            raise ModelError(f"{folder} cannot be loaded as a model: {reason}") from error
    model.eval()
    encoder = model.get_encoder() if getattr(config, "is_encoder_decoder", False) else model
    for parameter in encoder.parameters():
        parameter.requires_grad_(False)
    return encoder


@contextlib.contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Keep transformers from writing bars and reports to the user's terminal."""
    logging = transformers.utils.logging
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


def find_blocks(model: Any, depth: int) -> Any:
    """The list of a model's blocks: the outermost one that is as long as the model is deep (ALBERT's is shorter)."""
    import torch

    lists = [
        (path.count("."), module) for path, module in model.named_modules() if isinstance(module, torch.nn.ModuleList)
    ]
    for length in (depth, getattr(model.config, "num_hidden_groups", depth)):
        fitting = [found for found in lists if len(found[1]) == length]
        if fitting:
            return min(fitting, key=lambda found: found[0])[1]
    return None
