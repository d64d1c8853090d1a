"""Encoders of Hugging Face folders, run by torch; encoder-decoders give their encoder."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from farthing.core.arrays import Indices, Vectors
from farthing.core.errors import ModelError
from farthing.core.specs import Value
from farthing.encoders.backends.pretrained import load_pretrained
from farthing.encoders.device import device_fields, torch_device
from farthing.encoders.folder.layout import ModelFolder, layer_count
from farthing.encoders.protocol import FolderEncoder

if TYPE_CHECKING:
    import torch
    import transformers

# Their blocks do not hand over plain hidden states in turn, so all of them are taken from a whole pass.
_WHOLE_PASS = frozenset(["xlnet", "xlm", "flaubert", "funnel", "deberta-v2", "reformer", "transfo-xl"])


class _Reached(Exception):
    """The deepest layer that was asked for is done."""


class _Pass:
    """One pass through the blocks: which layers are wanted and what they have given.

    Blocks are called one after the other, so counting the calls tells which layer has been reached.
    """

    def __init__(self, wanted: Sequence[int], top: int) -> None:
        self.wanted, self.top = set(wanted), top
        self.states: dict[int, torch.Tensor] = {}
        self.reached = -1

    def keep(self, state: torch.Tensor | tuple[torch.Tensor, ...]) -> None:
        """Take the next layer's states; the last layer's come from the whole model, its final norm included."""
        self.reached += 1
        if self.reached in self.wanted and self.reached < self.top:
            self.states[self.reached] = state[0] if isinstance(state, tuple) else state
            if self.reached == max(self.wanted):
                raise _Reached


class TorchEncoder(FolderEncoder):
    """An encoder run by torch.

    :param folder: a Hugging Face folder with safetensors
    :param name: what signatures call the model
    :param cut: keep only this many blocks; what follows the last block (T5's final norm) then follows this one,
        as in bert_score
    :param device: where to run, such as "cpu" or "cuda"; "auto" takes a GPU if there is one
    :param model: the folder's model if it is loaded already
    """

    backend = "torch"

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        leading_space: bool | None = True,
        cut: int | None = None,
        device: str = "cpu",
        model: transformers.PreTrainedModel | None = None,
    ) -> None:
        super().__init__(folder, name, leading_space=leading_space)
        self.device, self.cut = torch_device(device), cut
        self.model = (model or load_model(folder)).to(self.device)
        depth = layer_count(self.model.config.to_dict())
        if depth is None:
            raise ModelError(f"the config of {name} does not say how many layers it has")
        self._blocks = None if self.model.config.model_type in _WHOLE_PASS else find_blocks(self.model, depth)
        if cut is not None:
            depth = self._cut_to(cut, depth)
        self.layers = tuple(range(depth + 1))
        self.dimension = int(getattr(self.model.config, "hidden_size", None) or self.model.config.d_model)
        self.slack, self.tokens = (0.0, 1024) if self.device == "cpu" else (0.1, 16384)
        self._local = threading.local()
        self._hook_blocks()

    @classmethod
    def detects(cls, folder: Path) -> bool:
        """Tell whether the folder has safetensors, which any Hugging Face model has."""
        return bool(ModelFolder(folder).safetensors)

    @classmethod
    def build(cls, folder: Path, name: str, *, leading_space: bool | None, cut: int | None, device: str) -> Self:
        """Make the encoder of a folder."""
        return cls(folder, name, leading_space=leading_space, cut=cut, device=device)

    def _cut_to(self, cut: int, depth: int) -> int:
        if not 0 <= cut <= depth:
            raise ModelError(f"{self.name} has no layer {cut} (there are: 0 to {depth})")
        if self._blocks is not None and len(self._blocks) == depth:
            del self._blocks[cut:]
        elif hasattr(self.model.config, "num_hidden_layers"):  # one block that is used again and again
            self.model.config.num_hidden_layers = cut
        return cut

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the states of each layer, from one pass that stops at the deepest of them."""
        import torch

        with torch.inference_mode():
            states = self.states(as_inputs(ids, mask, self.device), layers)
            return [states[layer].float().cpu().numpy() for layer in layers]

    def states(self, inputs: Mapping[str, torch.Tensor], layers: Sequence[int]) -> dict[int, torch.Tensor]:
        """Return the states of each layer as tensors; gradients flow if the caller allows them."""
        if self._blocks is None:
            hidden = self.model(**inputs, output_hidden_states=True).hidden_states
            return {layer: hidden[layer] for layer in layers}
        current = self._local.current = _Pass(layers, self.layers[-1])
        try:
            current.states[current.top] = self.model(**inputs).last_hidden_state
        except _Reached:
            pass
        finally:
            self._local.current = None
        length = next(iter(inputs.values())).shape[1]  # Longformer pads to its window by itself
        states = current.states
        return {n: states[n] if states[n].shape[1] == length else states[n][:, :length] for n in layers}

    def _hook_blocks(self) -> None:
        for block in self._blocks if self._blocks is not None else ():
            block.register_forward_pre_hook(self._before, with_kwargs=True)
            block.register_forward_hook(self._after)

    def _before(self, _: torch.nn.Module, args: tuple[torch.Tensor, ...], kwargs: dict[str, torch.Tensor]) -> None:
        current: _Pass | None = getattr(self._local, "current", None)
        if current is not None and current.reached < 0:  # what the first block is given are the embeddings
            current.keep(args[0] if args else kwargs["hidden_states"])

    def _after(self, _: torch.nn.Module, __: object, output: torch.Tensor | tuple[torch.Tensor, ...]) -> None:
        current: _Pass | None = getattr(self._local, "current", None)
        if current is not None:
            current.keep(output)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Let each thread use one core; afterwards torch has as many threads as before."""
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(before)

    def fields(self) -> dict[str, Value]:
        """Return the encoder's part of a score's signature."""
        return super().fields() | ({} if self.cut is None else {"cut": self.cut}) | device_fields(self.device)


def as_inputs(ids: Indices, mask: Indices | None, device: str) -> dict[str, torch.Tensor]:
    """Turn token ids and a mask into what a model of transformers takes."""
    import torch

    given = {"input_ids": ids} if mask is None else {"input_ids": ids, "attention_mask": mask}
    return {name: torch.from_numpy(array).to(device) for name, array in given.items()}


def load_model(folder: Path, *, attention: str | None = None) -> transformers.PreTrainedModel:
    """Load the encoder of a folder in fp32, frozen; an encoder-decoder gives its encoder.

    :param attention: transformers' implementation of attention, such as "eager" for export
    """
    model = load_pretrained(folder, "encoder", attention=attention, full_precision=True)
    encoder = model.get_encoder() if getattr(model.config, "is_encoder_decoder", False) else model
    for parameter in encoder.parameters():
        parameter.requires_grad_(False)
    return encoder


def find_blocks(model: torch.nn.Module, depth: int) -> torch.nn.ModuleList | None:
    """Find a model's list of blocks: the outermost one as long as the model is deep (ALBERT's is shorter)."""
    import torch

    lists = [
        (path.count("."), module) for path, module in model.named_modules() if isinstance(module, torch.nn.ModuleList)
    ]
    for length in (depth, getattr(model.config, "num_hidden_groups", depth)):
        fitting = [(level, module) for level, module in lists if len(module) == length]
        if fitting:
            return min(fitting, key=lambda entry: entry[0])[1]
    return None
